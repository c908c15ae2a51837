package dev.sluice.multicluster.protocol;

import static dev.sluice.multicluster.protocol.Scene.brief;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A worker to which this process has sent no job holds up no job on another one. */
class OwnOfferTest {
  private final Scene scene = new Scene("a", "b");

  @BeforeEach
  void aAdmitsAndBSaysNothing() {
    scene.nominated("a", "b").admittedAt("a");
    scene.at("b").jobs.clear();
    scene.ownOffer = OwnOffer.nominated(Optional.empty(), withoutNominations(scene.workload));
  }

  private static ObjectNode withoutNominations(JsonNode workload) {
    ObjectNode before = workload.deepCopy();
    before.withObjectProperty("status").remove("nominatedClusterNames");
    return before;
  }

  private List<String> atWinner() {
    return brief(scene.plan().remote().getOrDefault("a", List.of()));
  }

  @Test
  void aWorkerThatDoesNotSayWhetherItHasTheJobIsNotWaitedForNorAsked() {
    assertThat(atWinner()).containsExactly("create Job");
    assertThat(scene.plan().asks()).isEmpty();
  }

  @Test
  void aLoserThatIsAdmittedIsAskedForItsJobMeanwhileAndThenWithdrawn() {
    scene.memory = scene.plan().memory();
    scene.admittedAt("b");

    assertThat(atWinner()).containsExactly("create Job");
    assertThat(scene.plan().asks()).containsExactly(new Plan.Ask("b", Scene.JOB, "ns", "j"));
    scene.at("b").jobs.put("j", Presence.absent());
    assertThat(brief(scene.plan().remote().getOrDefault("b", List.of())))
        .containsExactly("delete Workload b-w");
  }

  private static Stream<Arguments> doubts() {
    return Stream.of(
        doubt("another process began", scene -> scene.ownOffer = Optional.empty()),
        doubt("a job was sent there", OwnOfferTest::sendToB),
        doubt(
            "a job was sent before it was known that the nomination is stored",
            scene -> {
              ObjectNode before = withoutNominations(scene.workload);
              scene.ownOffer = Optional.empty();
              sendToB(scene);
              scene.ownOffer = OwnOffer.nominated(scene.ownOffer, before);
            }),
        doubt("it has not listed all", scene -> scene.at("b").link = new Link.Connected(false)),
        doubt("it is being connected", scene -> scene.at("b").link = new Link.Connecting()),
        doubt("the job is there", scene -> scene.runningAt("b")),
        doubt(
            "it has a copy of an earlier dispatch",
            scene -> {
              scene.copyAt("b");
              scene
                  .at("b")
                  .tree()
                  .withObjectProperty("metadata")
                  .withObjectProperty("annotations")
                  .put("sluice.dev/multikueue-dispatch", "7");
            }));
  }

  private static Arguments doubt(String what, Consumer<Scene> change) {
    return Arguments.of(what, change);
  }

  private static void sendToB(Scene scene) {
    scene.ownOffer = Optional.of(OwnOffer.sending(scene.ownOffer, scene.workload, "b"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("doubts")
  void inDoubtItIsWaitedFor(String what, Consumer<Scene> change) {
    scene.memory = scene.plan().memory();

    change.accept(scene);

    assertThat(atWinner()).as(what).doesNotContain("create Job");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the first dispatch                      |      | 0 | false | none
          the first one, nominated by another     |      | 0 | true  | unknown
          a later one, whose first is unknown     |      | 2 | false | unknown
          a later one, whose first was begun here | w-uid | 2 | false | b
          more workers in a dispatch begun here   | w-uid | 0 | true  | b
          another Workload of the name            | older | 0 | false | none
          """)
  void itIsKnownFromTheFirstNominationOfTheFirstDispatch(
      String what, String knownOf, long dispatch, boolean isNominated, String sent) {
    ObjectNode workload = withoutNominations(scene.workload);
    workload.withObjectProperty("metadata").put("uid", "w-uid");
    ObjectNode status = workload.withObjectProperty("status");
    if (isNominated) {
      status.putArray("nominatedClusterNames").add("a");
    }
    if (dispatch > 0) {
      status
          .withObjectProperty("schedulingStats")
          .putArray("evictions")
          .addObject()
          .put("reason", "Preempted")
          .put("count", dispatch);
    }
    Optional<OwnOffer> known =
        Optional.ofNullable(knownOf).map(it -> new OwnOffer(it, 0, true, Set.of("b")));

    Optional<OwnOffer> now = OwnOffer.nominated(known, workload);

    Optional<String> found =
        now.filter(OwnOffer::isFirst).map(it -> it.jobsSent().stream().findAny().orElse("none"));
    assertThat(found.orElse("unknown")).as(what).isEqualTo(sent);
    now.ifPresent(
        it -> assertThat(it.hasSentNoJob(workload, "a")).isEqualTo(!sent.equals("unknown")));
  }

  @Test
  void nothingIsKnownOfADispatchThatWasNotNominatedYet() {
    ObjectNode evicted = scene.workload.deepCopy();
    evicted
        .withObjectProperty("status")
        .withObjectProperty("schedulingStats")
        .putArray("evictions")
        .addObject()
        .put("count", 1);

    assertThat(scene.ownOffer.orElseThrow().hasSentNoJob(scene.workload, "b")).isTrue();
    assertThat(scene.ownOffer.orElseThrow().hasSentNoJob(evicted, "b")).isFalse();
  }
}
