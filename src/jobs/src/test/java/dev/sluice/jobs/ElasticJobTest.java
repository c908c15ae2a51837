package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.batch.BatchJob;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Job that its user lets grow and shrink while it runs. */
class ElasticJobTest {
  private static final String ELASTIC = "kueue.x-k8s.io/elastic-job";
  private static final String SLICE_NAME = "kueue.x-k8s.io/workload-slice-name";
  private static final String REPLACES = "kueue.x-k8s.io/workload-slice-replacement-for";

  private final TestCluster cluster = Jobs.cluster();

  private void add(int pods) {
    ObjectNode job = json(Jobs.job("j", pods, pods));
    job.withObject("/metadata/annotations").put(ELASTIC, "true");
    job.withObject("/spec/template/spec")
        .putArray("schedulingGates")
        .addObject()
        .put("name", ELASTIC);
    cluster.add(job.toString());
    cluster.settle(KEY);
  }

  private void run(int pods) {
    add(pods);
    admit(cluster.onlyWorkload());
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);
  }

  private void admit(JsonNode workload) {
    cluster.changeWorkload(name(workload), Admissions::admit);
    cluster.settle(KEY);
  }

  private void scale(int pods) {
    cluster.pass(Duration.ofSeconds(1));
    cluster.change(
        KEY, it -> it.withObject("/spec").put("parallelism", pods).put("completions", pods));
    cluster.settle(KEY);
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static int count(JsonNode workload) {
    return workload.at("/spec/podSets/0/count").asInt();
  }

  private static String annotation(JsonNode object, String key) {
    return object.at("/metadata/annotations").path(key).asText();
  }

  private List<JsonNode> byAge() {
    return cluster.workloads().stream()
        .sorted(Comparator.comparing(it -> it.at("/metadata/creationTimestamp").asText()))
        .toList();
  }

  private static String finished(JsonNode workload) {
    return Conditions.find(workload, "Finished")
        .map(it -> it.path("reason").asText() + ": " + it.path("message").asText())
        .orElse("");
  }

  private boolean runs() {
    return !cluster.get(KEY).at("/spec/suspend").asBoolean();
  }

  @Test
  void startsWithItsGateAndTheNameOfItsFirstWorkloadInItsTemplate() {
    run(2);

    JsonNode template = cluster.get(KEY).at("/spec/template");
    assertThat(annotation(template, SLICE_NAME)).isEqualTo(cluster.onlyWorkloadName());
    assertThat(annotation(cluster.onlyWorkload(), SLICE_NAME))
        .isEqualTo(cluster.onlyWorkloadName());
    assertThat(annotation(cluster.onlyWorkload(), ELASTIC)).isEqualTo("true");
    assertThat(Injection.hasGate(template.path("spec"), ELASTIC)).isTrue();
    assertThat(runs()).isTrue();
  }

  /** The rules for Workloads refuse a least number of Pods of one that can be scaled. */
  @Test
  void isAdmittedWholeThoughFewerPodsWouldDo() {
    run(3);
    cluster.change(
        KEY,
        it ->
            it.withObject("/metadata/annotations").put("kueue.x-k8s.io/job-min-parallelism", "1"));
    scale(5);

    assertThat(byAge()).hasSize(2);
    assertThat(byAge())
        .allSatisfy(it -> assertThat(it.at("/spec/podSets/0").has("minCount")).isFalse());
    assertThat(runs()).isTrue();
  }

  @Test
  void growsByASecondWorkloadWithTheRequestsOfTheFirstAndIsNotStopped() {
    run(2);
    JsonNode first = cluster.onlyWorkload();
    scale(5);

    assertThat(runs()).isTrue();
    assertThat(byAge()).hasSize(2);
    JsonNode second = byAge().getLast();
    assertThat(count(second)).isEqualTo(5);
    assertThat(annotation(second, REPLACES)).isEqualTo("ns/" + name(first));
    assertThat(annotation(second, SLICE_NAME)).isEqualTo(name(first));
    assertThat(annotation(second, ELASTIC)).isEqualTo("true");
    ObjectNode template = first.at("/spec/podSets/0/template").deepCopy();
    template.withObject("/metadata/annotations").put(SLICE_NAME, name(first));
    assertThat(second.at("/spec/podSets/0/template")).isEqualTo(template);
    assertThat(second.at("/metadata/ownerReferences"))
        .isEqualTo(first.at("/metadata/ownerReferences"));
    assertThat(count(byAge().getFirst())).isEqualTo(2);
  }

  /** What a manager of several clusters creates and changes here, in whatever order. */
  private String give(String name, String annotations) {
    ObjectNode given = cluster.onlyWorkload().deepCopy();
    given.putObject("metadata").put("name", name).put("namespace", "ns");
    given.withObject("/metadata/labels").put("kueue.x-k8s.io/multikueue-origin", "multikueue");
    given.withObject("/metadata").set("annotations", json("{%s}".formatted(annotations)));
    given.remove("status");
    cluster.add(given.toString());
    cluster.changeWorkload(name, Admissions::admit);
    cluster.change(
        KEY,
        it ->
            it.withObject("/metadata/annotations")
                .put("kueue.x-k8s.io/prebuilt-workload-name", name));
    cluster.settle(KEY);
    return name;
  }

  private JsonNode workload(String name) {
    return cluster.workloads().stream()
        .filter(it -> name(it).equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void takesASliceThatItsManagerMadeBeforeItsSizeFollows() {
    run(2);
    String replacing = give("s2", "'%s': 'ns/s1', '%s': 's1'".formatted(REPLACES, SLICE_NAME));
    cluster.changeWorkload(replacing, it -> count(it, 5));
    cluster.settle(KEY);

    assertThat(finished(workload(replacing))).isEmpty();
    assertThat(workload(replacing).at("/metadata/ownerReferences/0/name").asText()).isEqualTo("j");
    assertThat(runs()).isTrue();
  }

  @Test
  void isNotOutOfSyncWhileItsManagerHasShrunkOneOfTheTwo() {
    run(3);
    String given = give("s1", "'%s': 's1'".formatted(SLICE_NAME));

    cluster.changeWorkload(given, it -> count(it, 2));
    cluster.settle(KEY);

    assertThat(finished(workload(given))).isEmpty();
  }

  @Test
  void isOutOfSyncIfWhoeverMadeItsWorkloadIsNoManager() {
    run(3);
    String given = give("s1", "'%s': 's1'".formatted(SLICE_NAME));
    cluster.changeWorkload(
        given, it -> it.withObject("/metadata/labels").remove("kueue.x-k8s.io/multikueue-origin"));

    cluster.changeWorkload(given, it -> count(it, 2));
    cluster.settle(KEY);

    assertThat(finished(workload(given))).startsWith("OutOfSync");
  }

  private static void count(ObjectNode workload, int pods) {
    ((ObjectNode) workload.at("/spec/podSets/0")).put("count", pods);
  }

  @Test
  void isReadyWithThePodsOfTheFirstWhileItWaitsToGrow() {
    run(2);
    scale(5);
    var job = new BatchJob(cluster.get(KEY));

    assertThat(job.isReady(new WorkloadView(byAge().getFirst()))).isTrue();
    assertThat(job.isReady(new WorkloadView(byAge().getLast()))).isFalse();
  }

  @Test
  void continuesWithTheSecondSliceOnceItReplacedTheFirst() {
    run(2);
    scale(5);
    JsonNode second = byAge().getLast();
    cluster.changeWorkload(
        name(byAge().getFirst()),
        it -> Admissions.condition(it, "Finished", true, "WorkloadSliceReplaced", "m"));
    admit(second);

    assertThat(runs()).isTrue();
    assertThat(byAge().getFirst().at("/metadata/finalizers")).isEmpty();
    scale(7);
    JsonNode third = byAge().getLast();
    assertThat(annotation(third, REPLACES)).isEqualTo("ns/" + name(second));
    assertThat(annotation(third, SLICE_NAME)).isEqualTo(name(byAge().getFirst()));
  }

  @Test
  void continuesWithTheSecondSliceIfBothHaveTheSameAge() {
    run(2);
    String first = cluster.onlyWorkloadName();
    scale(5);
    String second = name(byAge().getLast());
    cluster.changeWorkload(
        second,
        it -> {
          it.withObject("/metadata").put("creationTimestamp", "2026-11-21T11:59:59Z");
          Admissions.admit(it);
        });
    cluster.settle(KEY);

    assertThat(finished(cluster.workload(first)))
        .isEqualTo("WorkloadSliceReplaced: Replaced by ns/" + second);
    assertThat(finished(cluster.workload(second))).isEmpty();
  }

  @Test
  void getsAnotherWorkloadWhereAllItHadWereEndedForEachOther() {
    run(2);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> Admissions.condition(it, "Finished", true, "OutOfSync", "m"));
    for (int i = 0; i < 4; i++) {
      cluster.settle(KEY);
      cluster.change(KEY, Jobs::control);
    }
    cluster.settle(KEY);

    assertThat(byAge()).hasSize(2);
    assertThat(finished(byAge().getLast())).isEmpty();
  }

  @Test
  void shrinksInPlaceWhetherItRunsOrWaits() {
    run(5);
    scale(2);
    assertThat(count(cluster.onlyWorkload())).isEqualTo(2);
    assertThat(runs()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1", "9"})
  void changesItsWorkloadInPlaceWhileItWaits(int pods) {
    add(5);
    String name = cluster.onlyWorkloadName();
    scale(pods);

    assertThat(cluster.onlyWorkloadName()).isEqualTo(name);
    assertThat(count(cluster.onlyWorkload())).isEqualTo(pods);
    assertThat(runs()).isFalse();
  }

  @Test
  void changesTheSecondInPlaceWhileThatWaits() {
    run(2);
    scale(5);
    scale(4);

    assertThat(byAge()).extracting(ElasticJobTest::count).containsExactly(2, 4);
  }

  @Test
  void givesTheSecondUpWhenItNeedsItNoMore() {
    run(2);
    scale(5);
    scale(2);

    assertThat(finished(byAge().getFirst())).isEmpty();
    assertThat(finished(byAge().getLast()))
        .isEqualTo("OutOfSync: The workload slice is out of sync with its parent job");
    assertThat(runs()).isTrue();
  }

  @Test
  void shrinksTheFirstAndGivesTheSecondUpWhenItWantsLessThanEither() {
    run(3);
    scale(5);
    scale(1);

    assertThat(byAge()).extracting(ElasticJobTest::count).containsExactly(1, 5);
    assertThat(finished(byAge().getLast())).startsWith("OutOfSync");
  }

  @Test
  void isStoppedWhenTheOneItRunsWithIsEvictedAndComesBackWithTheSecond() {
    run(2);
    scale(5);
    cluster.changeWorkload(name(byAge().getFirst()), it -> Admissions.evict(it, "Preempted", "m"));
    for (int i = 0; i < 4; i++) {
      cluster.settle(KEY);
      cluster.change(KEY, Jobs::control);
    }
    cluster.settle(KEY);

    assertThat(runs()).isFalse();
    assertThat(finished(byAge().getFirst())).startsWith("WorkloadSliceReplaced: Replaced by ns/");
    admit(byAge().getLast());
    assertThat(runs()).isTrue();
    assertThat(count(byAge().getLast())).isEqualTo(5);
  }

  @Test
  void restoresTheTemplateByteForByteThoughItRanWithTheSecond() {
    add(2);
    JsonNode before = cluster.get(KEY).at("/spec/template");
    admit(cluster.onlyWorkload());
    cluster.change(KEY, Jobs::control);
    scale(5);
    cluster.changeWorkload(
        name(byAge().getFirst()),
        it -> Admissions.condition(it, "Finished", true, "WorkloadSliceReplaced", "m"));
    admit(byAge().getLast());
    cluster.changeWorkload(name(byAge().getLast()), it -> Admissions.evict(it, "Preempted", "m"));
    for (int i = 0; i < 4; i++) {
      cluster.settle(KEY);
      cluster.change(KEY, Jobs::control);
    }

    assertThat(cluster.get(KEY).at("/spec/template")).isEqualTo(before);
  }

  @Test
  void isNotStoppedWhileTheOneThatTookOverWaitsForItsChecks() {
    run(2);
    scale(5);
    cluster.changeWorkload(
        name(byAge().getFirst()),
        it -> Admissions.condition(it, "Finished", true, "WorkloadSliceReplaced", "m"));
    cluster.changeWorkload(name(byAge().getLast()), it -> Admissions.reserve(it, 9));
    cluster.settle(KEY);

    assertThat(runs()).isTrue();
  }

  @Test
  void isStoppedWithoutQuotaWhereItsPodsWouldNotWait() {
    run(2);
    cluster.change(KEY, it -> it.withObject("/spec/template/spec").remove("schedulingGates"));
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> Admissions.condition(it, "Admitted", false, "NoReservation", "m"));
    cluster.settle(KEY);

    assertThat(runs()).isFalse();
  }

  @Test
  void endsAllItsWorkloadsWhenItEnds() {
    run(2);
    scale(5);
    cluster.change(KEY, Jobs::complete);
    cluster.settle(KEY);

    assertThat(byAge()).allSatisfy(it -> assertThat(finished(it)).startsWith("Succeeded"));
    assertThat(byAge()).allSatisfy(it -> assertThat(it.at("/metadata/finalizers")).isEmpty());
  }

  @Test
  void isRecreatedWhenTheUserChangesItsPodsWhileItWaits() {
    add(2);
    cluster.change(
        KEY,
        it -> ((ObjectNode) it.at("/spec/template/spec/containers/0")).put("image", "another"));
    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/template/spec/containers/0/image"))
        .hasToString("\"another\"");
  }

  private void says(Consumer<ObjectNode> status) {
    cluster.change(KEY, it -> status.accept(it.withObject("/status")));
    cluster.settle(KEY);
  }

  private int givenBack() {
    return cluster.onlyWorkload().at("/status/reclaimablePods/0/count").asInt();
  }

  @Test
  void takesBackWhatItGaveForAFailedIndexThatItHasNoMoreOnceItShrank() {
    run(5);
    cluster.change(KEY, it -> it.withObject("/spec").put("completionMode", "Indexed"));
    says(it -> it.put("failedIndexes", "4"));
    assertThat(givenBack()).isEqualTo(1);

    scale(4);

    assertThat(count(cluster.onlyWorkload())).isEqualTo(4);
    assertThat(givenBack()).as("the four that are left all run").isZero();
  }

  @Test
  void reclaimsPodsThatItNeedsAgainOnceItShrank() {
    run(5);
    says(it -> it.put("succeeded", 2));
    assertThat(givenBack()).isEqualTo(2);

    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 3));
    cluster.settle(KEY);

    assertThat(count(cluster.onlyWorkload())).isEqualTo(3);
    assertThat(givenBack()).as("three are to succeed yet, at a time").isZero();
    says(it -> it.put("succeeded", 3));
    assertThat(givenBack()).isEqualTo(1);
  }

  @Test
  void givesNothingBackOfTheFirstForPodsThatOnlyTheSecondWouldHave() {
    run(2);
    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 5).put("completions", 6));
    says(it -> it.put("succeeded", 3));

    JsonNode first = byAge().getFirst();
    assertThat(count(first)).isEqualTo(2);
    assertThat(first.at("/status/reclaimablePods")).as("three are left, and two may run").isEmpty();
  }
}
