package dev.sluice.conversion.review;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Conversions.object;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.quoted;
import static dev.sluice.conversion.review.Reviews.answer;
import static dev.sluice.conversion.review.Reviews.review;
import static dev.sluice.conversion.review.Reviews.success;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.review.BadReviewException.Reason;
import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a ConversionReview. */
class ReviewConverterTest {
  private static final String TO_BETA2 = "kueue.x-k8s.io/v1beta2";

  @Test
  void answersWithAllObjectsInTheirOrder() throws Exception {
    String answer = answer(review(V1BETA2, List.of(cohort(V1BETA1, "b"), cohort(V1ALPHA1, "a"))));

    assertThat(answer).isEqualTo(success(cohort(V1BETA2, "b"), cohort(V1BETA2, "a")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'objects':[]", "'objects':null", "'x':0"})
  void answersNoObjectsWithAnEmptyList(String objects) throws Exception {
    String review = review(V1BETA2, List.of()).replace(json("'objects':[]"), json(objects));

    assertThat(answer(review)).isEqualTo(success());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ /\b\n\u0001", "é\uffee\ud83d\ude00", "<&>'", " "})
  void repeatsTheUidWhateverItsCharacters(String uid) throws Exception {
    String good = review(V1BETA2, List.of()).replace("\"u-1\"", quoted(uid));
    String bad = review("x/v1", List.of()).replace("\"u-1\"", quoted(uid));

    assertThat(Reviews.uidOf(answer(good))).isEqualTo(uid);
    assertThat(Reviews.uidOf(answer(bad))).isEqualTo(uid);
  }

  @Test
  void copiesMetadataVerbatim() throws Exception {
    String metadata =
        "'metadata':{'zz':1,'annotations':{'a':'\\u0041'},'labels':{},'name':'n','namespace':'ns',"
            + "'uid':'x','generation':9007199254740993,'finalizers':['f'],'ownerReferences':[ ],"
            + "'managedFields':[{'apiVersion':'kueue.x-k8s.io/v1beta1','fieldsV1':{'f:spec':{}}},"
            + "{'apiVersion':'kueue.x-k8s.io/v1beta2'}],'creationTimestamp':null}";

    assertThat(answer(review(V1BETA2, List.of(object(COHORT, V1BETA1, metadata + ",'spec':{}")))))
        .isEqualTo(success(object(COHORT, V1BETA2, metadata + ",'spec':{}")));
  }

  @Test
  void addsMetadataWhereThereIsNone() throws Exception {
    String added = success(object(COHORT, V1BETA2, "'metadata':{},'spec':{}"));

    assertThat(answer(review(V1BETA2, List.of(object(COHORT, V1BETA1, "'spec':{}")))))
        .isEqualTo(added);
    assertThat(
            answer(review(V1BETA2, List.of(object(COHORT, V1BETA1, "'metadata':null,'spec':{}")))))
        .isEqualTo(added);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void returnsAnObjectThatIsAtTheVersionByteForByte(Mode mode) throws Exception {
    String odd =
        "{ 'spec':{'parent':1, 'parentName':2},\n"
            + "'apiVersion':'kueue.x-k8s.io\\/v1beta2',"
            + "'kind':'Cohort','metadata':{'annotations':{'conversion.kueue.x-k8s.io/from-v1beta2':'{'}}}";
    String topology = object(TOPOLOGY, V1BETA2, "'levels':['a'],'spec':7");

    assertThat(answer(mode, review(V1BETA2, List.of(odd, cohort(V1BETA1, "c"), topology))))
        .isEqualTo(success(odd, cohort(V1BETA2, "c"), topology));
  }

  @Test
  void returnsAProbeOfOnlyKindAndVersionWithNothingElse() throws Exception {
    String answer =
        answer(
            review(V1BETA2, List.of(object(TOPOLOGY, V1ALPHA1, ""), object(COHORT, V1BETA1, ""))));

    assertThat(answer)
        .isEqualTo(success(object(TOPOLOGY, V1BETA2, ""), object(COHORT, V1BETA2, "")));
  }

  @Test
  void convertsEachObjectByItsOwnKindAndVersion() throws Exception {
    String levels = "'metadata':{'name':'t'},'spec':{'levels':[{'nodeLabel':'l'}]}";
    String parent = "'metadata':{'name':'c'},'spec':{'%s':'p'}";

    String answer =
        answer(
            review(
                V1ALPHA1,
                List.of(
                    object(TOPOLOGY, V1BETA1, levels),
                    object(COHORT, V1BETA2, parent.formatted("parentName")),
                    object(COHORT, V1ALPHA1, parent.formatted("parent")))));

    assertThat(answer)
        .isEqualTo(
            success(
                object(TOPOLOGY, V1ALPHA1, levels),
                object(COHORT, V1ALPHA1, parent.formatted("parent")),
                object(COHORT, V1ALPHA1, parent.formatted("parent"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'apiVersion':'kueue.x-k8s.io/v1beta1','kind':'CohortList','items':[]}|CohortList is a"
            + " list",
        "{'apiVersion':'meta.k8s.io/v1','kind':'Table'}|Table of meta.k8s.io/v1: unknown kind"
            + " (expected: AdmissionCheck, ClusterQueue, Cohort, LocalQueue,",
        "{'apiVersion':'meta.k8s.io/v1','kind':'PartialObjectMetadataList'}"
            + "|PartialObjectMetadataList is a list",
        "{'apiVersion':'kueue.x-k8s.io/v1beta1','kind':'cohort','metadata':{'name':'x'}}"
            + "|cohort \"x\" of kueue.x-k8s.io/v1beta1: unknown kind",
        "{'kind':'Widget'}|Widget of no apiVersion: unknown kind",
        "{'apiVersion':'kueue.x-k8s.io/v1beta1'}|kind is missing (expected: AdmissionCheck,"
            + " ClusterQueue,",
        "{'apiVersion':'kueue.x-k8s.io/v1beta1','kind':7}|kind is missing",
        "{'apiVersion':'kueue.x-k8s.io/v1beta1','kind':''}|kind is missing",
        "{}|kind is missing",
        "{'kind':'Cohort','metadata':{'name':'c','namespace':'n'}}|Cohort \"n/c\": apiVersion:"
            + " missing (expected: one of kueue.x-k8s.io/v1alpha1, kueue.x-k8s.io/v1beta1,"
            + " kueue.x-k8s.io/v1beta2)",
        "{'apiVersion':'kueue.x-k8s.io/v2','kind':'Cohort','metadata':{'name':'c'}}|Cohort \"c\":"
            + " apiVersion: kueue.x-k8s.io/v2 (expected: one of kueue.x-k8s.io/v1alpha1",
        "{'apiVersion':'x.y/v1beta1','kind':'Topology'}|Topology: apiVersion: x.y/v1beta1",
        "{'apiVersion':'v1beta1','kind':'Topology'}|Topology: apiVersion: v1beta1",
        "null|is null (expected: an object of kueue.x-k8s.io)",
        "7|is a number",
        "'x'|is a string",
        "[]|is a list",
      })
  void refusesWhatItDoesNotKnowAndSaysWhatItIs(String object, String message) throws Exception {
    String answer = answer(review(V1BETA2, List.of(cohort(V1BETA1, "good"), object)));

    assertThat(answer).contains(json("'convertedObjects':[],'result':{'status':'Failure'"));
    assertThat(Reviews.messageOf(answer)).startsWith("objects[1]: " + message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kueue.x-k8s.io/v1",
        "kueue.x-k8s.io",
        "v1beta2",
        "",
        "other.group/v1beta2",
        "kueue.x-k8s.io/v1beta2 ",
      })
  void refusesAVersionThatNoKindHasAndNamesTheOnesThereAre(String desired) throws Exception {
    String answer = answer(review(desired, List.of(cohort(V1BETA1, "c"))));

    assertThat(answer).contains(json("'status':'Failure'"));
    assertThat(Reviews.messageOf(answer))
        .isEqualTo(
            "desiredAPIVersion: "
                + desired
                + " (expected: kueue.x-k8s.io/ and one of [v1alpha1, v1beta1, v1beta2])");
  }

  @Test
  void failsWithTheFirstFewProblemsOnly() throws Exception {
    List<String> objects = new ArrayList<>(Collections.nCopies(9, "{'kind':'Widget'}"));
    objects.set(1, cohort(V1BETA1, "good"));

    String message = Reviews.messageOf(answer(review(V1BETA2, objects)));

    assertThat(message)
        .contains("objects[0]: ", "objects[2]: ", "objects[5]: ")
        .doesNotContain("objects[1]", "objects[6]")
        .endsWith("; there may be more");
  }

  @Test
  void failsAsAWholeForOneBadObjectAmongAThousand() throws Exception {
    List<String> objects = new ArrayList<>(Collections.nCopies(1_000, cohort(V1BETA1, "good")));
    objects.set(731, "{'kind':'Cohort','apiVersion':'x','metadata':{'name':'bad'}}");

    String answer = answer(review(V1BETA2, objects));

    assertThat(answer).contains(json("'convertedObjects':[]")).hasSizeLessThan(500);
    assertThat(Reviews.messageOf(answer))
        .startsWith("objects[731]: Cohort \"bad\": apiVersion: x")
        .doesNotContain("there may be more");
  }

  @Test
  void failsForOddContentOnlyWhereRefusingIsAskedFor() throws Exception {
    String review = review(V1BETA2, List.of(object(TOPOLOGY, V1BETA1, "'metadata':{'name':'t'}")));

    assertThat(answer(Mode.CARRY, review))
        .isEqualTo(success(object(TOPOLOGY, V1BETA2, "'metadata':{'name':'t'}")));
    assertThat(Reviews.messageOf(answer(Mode.FAIL, review)))
        .startsWith("objects[0]: Topology \"t\": spec.levels: at least one level is required");
  }

  @Test
  void namesObjectsInMessagesOnlyShortAndPrintable() throws Exception {
    String name = quoted("\u202e\n\u0000".repeat(9_999));
    String object = json("{'kind':'Cohort','metadata':{'name':@}}").replace("@", name);

    String message = Reviews.messageOf(answer(review(V1BETA2, List.of(object))));

    assertThat(message).hasSizeLessThan(600).matches("[\\P{C}]+");
  }

  @Test
  void findsTheVersionAlsoBehindTheObjects() throws Exception {
    String review =
        json(
            "{'request':{'objects':[%s],'desiredAPIVersion':'%s','uid':'u-1'},'kind':'ConversionReview',"
                + "'apiVersion':'apiextensions.k8s.io/v1'}");

    assertThat(answer(review.formatted(cohort(V1BETA1, "c"), TO_BETA2)))
        .isEqualTo(success(cohort(V1BETA2, "c")));
  }

  @Test
  void givesUpAnAnswerThatGrowsTooLarge() throws Exception {
    ConversionRequest request =
        read(review(V1BETA2, Collections.nCopies(100, cohort(V1BETA1, "c"))));
    ReviewConverter small = new ReviewConverter(new Converter(Mode.CARRY), 2_000);

    assertThatThrownBy(() -> small.answer(request, ConversionListener.NONE, () -> false))
        .isInstanceOfSatisfying(
            BadReviewException.class, e -> assertThat(e.reason()).isEqualTo(Reason.OVER_LIMIT))
        .hasMessage("the converted objects take more than 2000 bytes");
  }

  /** Some 1.5 KB that stand for 800,000 domains: 21 MB at v1beta1. */
  private static String expanding() {
    String slice =
        "{'domainCount':100000,'podCounts':{'universal':1},'valuesPerLevel':[{'universal':'a'}]}";
    String assignment =
        "{'name':'p','topologyAssignment':{'levels':['l'],'slices':[" + slice + "]}}";
    return object(
        WORKLOAD,
        V1BETA2,
        "'metadata':{'name':'w','namespace':'ns'},'status':{'admission':{'podSetAssignments':["
            + String.join(",", Collections.nCopies(8, assignment))
            + "]}}");
  }

  /** Counts what is taken, and gives no more than it has. */
  private static final class Counted implements MemoryBudget {
    private final long most;
    private long taken;
    private long peak;

    private Counted(long most) {
      this.most = most;
    }

    @Override
    public boolean tryTake(long bytes) {
      if (taken + bytes > most) {
        return false;
      }
      taken += bytes;
      peak = Math.max(peak, taken);
      return true;
    }

    @Override
    public boolean couldTake(long bytes) {
      return taken + bytes <= most;
    }

    @Override
    public void giveBack(long bytes) {
      taken -= bytes;
    }

    @Override
    public long most() {
      return most;
    }
  }

  @Test
  void takesTheMemoryOfAnAnswerThatGrowsAndGivesBackTheRest() throws Exception {
    ConversionRequest request = read(review(V1BETA1, List.of(expanding())));
    var budget = new Counted(Long.MAX_VALUE);

    JsonOutput answer =
        new ReviewConverter(new Converter(Mode.CARRY), 1 << 30)
            .answer(request, ConversionListener.NONE, () -> false, budget);

    assertThat(answer.length()).isGreaterThan(20_000_000);
    assertThat(budget.taken).isBetween(answer.length(), answer.length() + (2 << 20));
    assertThat(budget.peak).isGreaterThan(2 * answer.length());
  }

  @Test
  void saysWhichObjectAndFieldTakeMoreMemoryThanThereIs() {
    String review = review(V1BETA1, List.of(cohort(V1BETA1, "c"), expanding()));
    var asked = new ArrayList<Long>();
    MemoryBudget busy =
        new MemoryBudget() {
          @Override
          public boolean tryTake(long bytes) {
            asked.add(bytes);
            return bytes < 1 << 20;
          }

          @Override
          public boolean couldTake(long bytes) {
            return true;
          }

          @Override
          public void giveBack(long bytes) {}

          @Override
          public long most() {
            return Long.MAX_VALUE;
          }
        };
    String where =
        "objects[1]: Workload \"ns/w\":"
            + " status.admission.podSetAssignments[0].topologyAssignment: takes ";

    assertThatThrownBy(() -> answerWithin(review, busy, () -> false))
        .isInstanceOfSatisfying(
            BadReviewException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_ROOM))
        .hasMessageStartingWith(where)
        .hasMessageEndingWith("(expected: fewer at a time)");
    assertThat(asked.getLast()).isGreaterThan(2_700_000); // and nothing of it was made
    assertThatThrownBy(() -> answerWithin(review, new Counted(1 << 20), () -> false))
        .isInstanceOfSatisfying(
            BadReviewException.class, e -> assertThat(e.reason()).isEqualTo(Reason.OVER_LIMIT))
        .hasMessageStartingWith(where)
        .hasMessageEndingWith("(expected: at most 1048576 for all of a request)");
  }

  @Test
  void stopsWithinAnObjectWhenTimeIsOver() {
    String review = review(V1BETA1, List.of(expanding()));
    AtomicInteger asked = new AtomicInteger();

    assertThatThrownBy(
            () -> answerWithin(review, MemoryBudget.UNBOUNDED, () -> asked.incrementAndGet() > 100))
        .isInstanceOfSatisfying(
            BadReviewException.class, e -> assertThat(e.reason()).isEqualTo(Reason.OUT_OF_TIME))
        .hasMessageStartingWith("objects[0]: Workload \"ns/w\": status.admission")
        .hasMessageEndingWith("time was over before it was converted");
  }

  @Test
  void takesMemoryForAListBeforeItIsOpened() {
    String many = review(V1BETA1, Collections.nCopies(100_000, "0"));

    assertThatThrownBy(() -> ConversionRequest.read(bytes(many), Reviews.SYNTAX, new Counted(1)))
        .hasMessageStartingWith("the body: takes ");
    assertThatThrownBy(
            () -> ConversionRequest.read(bytes(many), Reviews.SYNTAX, new Counted(1 << 20)))
        .hasMessageStartingWith("request.objects: takes 4800000 bytes");
  }

  @Test
  void opensNoEnvelopeOfVeryManyMembers() {
    String members = IntStream.range(0, 300).mapToObj(i -> "'k" + i + "':0").collect(joining(","));

    assertThatThrownBy(() -> read(json("{" + members + "}")))
        .hasMessage("the body: has more than 256 members (expected: fewer)");
    assertThatThrownBy(
            () ->
                read(
                    json(
                        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1',"
                            + "'request':{"
                            + members
                            + "}}")))
        .hasMessage("request: has more than 256 members (expected: fewer)");
  }

  private static JsonOutput answerWithin(
      String review, MemoryBudget budget, BooleanSupplier expired) throws BadReviewException {
    return new ReviewConverter(new Converter(Mode.CARRY), 1 << 30)
        .answer(read(review), ConversionListener.NONE, expired, budget);
  }

  private static byte[] bytes(String review) {
    return review.getBytes(UTF_8);
  }

  @Test
  void stopsBetweenTwoObjectsWhenTimeIsOver() throws Exception {
    ConversionRequest request =
        read(review(V1BETA2, Collections.nCopies(100, cohort(V1BETA1, "c"))));
    AtomicInteger asked = new AtomicInteger();
    ReviewConverter converter = new ReviewConverter(new Converter(Mode.CARRY), 1 << 20);

    assertThatThrownBy(
            () ->
                converter.answer(
                    request, ConversionListener.NONE, () -> asked.incrementAndGet() > 7))
        .isInstanceOfSatisfying(
            BadReviewException.class, e -> assertThat(e.reason()).isEqualTo(Reason.OUT_OF_TIME))
        .hasMessage("time was over after 7 of 100 objects");
  }

  @Test
  void tellsTheListenerOfEveryObjectWithItsSize() throws Exception {
    String good = cohort(V1BETA1, "c");
    List<String> heard = new ArrayList<>();
    ConversionListener listener =
        new ConversionListener() {
          @Override
          public void starting() {
            heard.add("starting");
          }

          @Override
          public void finished(Outcome outcome, int bytes) {
            heard.add(
                switch (outcome) {
                  case Outcome.Converted c ->
                      c.kind() + " " + c.from() + " " + c.name() + " " + bytes;
                  case Outcome.Refused r -> "refused " + r.kind() + " " + bytes;
                });
          }
        };

    new ReviewConverter(new Converter(Mode.CARRY), 1 << 20)
        .answer(read(review(V1BETA2, List.of(good, "{}"))), listener, () -> false);

    assertThat(heard)
        .containsExactly(
            "starting", "Cohort v1beta1 c " + good.length(), "starting", "refused null 2");
  }

  private static String cohort(ApiVersion version, String name) {
    return object(COHORT, version, "'metadata':{'name':'%s'},'spec':{}".formatted(name));
  }

  private static ConversionRequest read(String review) throws BadReviewException {
    return ConversionRequest.read(review.getBytes(UTF_8), Reviews.SYNTAX);
  }
}
