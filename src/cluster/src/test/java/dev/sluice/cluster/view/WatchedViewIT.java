package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.cluster.view.ScriptedApiServer.Step;
import dev.sluice.json.tree.Keep;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What an API server does only now and then. */
class WatchedViewIT {
  private static final GroupKind POD = new GroupKind("", "Pod");
  private static final WatchedKind PODS =
      new WatchedKind(new GroupVersionKind("", "v1", "Pod"), Optional.of("pods"), Keep.ALL, false);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Quick to try again, but slow to give up what a busy machine may only be late with. */
  private static final WatchTimes HASTY =
      new WatchTimes(
          Duration.ofSeconds(30),
          2,
          Duration.ofSeconds(60),
          Duration.ofSeconds(15),
          Duration.ofMillis(20),
          Duration.ofMillis(100),
          Duration.ofMillis(50));

  private static final WatchTimes SUSPICIOUS =
      new WatchTimes(
          HASTY.call(),
          HASTY.pageSize(),
          HASTY.watch(),
          HASTY.silence(),
          HASTY.leastWait(),
          HASTY.mostWait(),
          HASTY.discovery(),
          Duration.ZERO);

  /** Gives up watches soon; the last step of such a test comes more than once therefore. */
  private static final WatchTimes EASILY_BORED =
      new WatchTimes(
          HASTY.call(),
          HASTY.pageSize(),
          HASTY.watch(),
          Duration.ofSeconds(2),
          HASTY.leastWait(),
          HASTY.mostWait(),
          HASTY.discovery());

  private static final String EMPTY = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}";

  @TempDir private Path folder;

  private interface Check {
    void on(WatchedView view, ScriptedApiServer server) throws IOException;
  }

  private void with(WatchedKind kind, List<Step> steps, Check check) throws IOException {
    with(kind, HASTY, steps, check);
  }

  private void with(WatchedKind kind, WatchTimes times, List<Step> steps, Check check)
      throws IOException {
    try (var server = new ScriptedApiServer(steps.toArray(new Step[0]));
        var connection = Connection.to(server.kubeconfig(folder));
        var view = new WatchedView(connection, List.of(kind), times, new Random(1))) {
      view.start();
      check.on(view, server);
    }
  }

  private static String list(int version, String next, String... names) {
    return """
    {"metadata":{"resourceVersion":"%d","continue":"%s"},"items":[%s]}\
    """
        .formatted(
            version,
            next,
            String.join(",", List.of(names).stream().map(name -> pod(name, 1)).toList()));
  }

  private static String pod(String name, int version) {
    return """
    {"metadata":{"namespace":"n","name":"%s","resourceVersion":"%d"}}\
    """
        .formatted(name, version);
  }

  private static String event(String type, String name, int version) {
    return "{\"type\":\"%s\",\"object\":%s}".formatted(type, pod(name, version));
  }

  private static List<String> names(WatchedView view) {
    return view.list(POD, "n").stream().map(it -> it.at("/metadata/name").asText()).toList();
  }

  private static void until(Runnable assertion) {
    await().atMost(PATIENCE).untilAsserted(assertion::run);
  }

  @Test
  void takesAListPageByPageAndKnowsTheKindOnlyAtItsEnd() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(list(7, "x y", "a", "b")),
            Step.answer(list(7, "", "c")),
            Step.stream(event("ADDED", "d", 8), event("DELETED", "a", 9))),
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("b", "c", "d"));

          assertThat(view.knows(POD)).isTrue();
          assertThat(view.statuses().getFirst().state()).isEqualTo(State.CURRENT);
          assertThat(view.find(POD, "n", "d").orElseThrow().path("kind").asText()).isEqualTo("Pod");
          assertThat(server.asked().get(1)).isEqualTo("/api/v1/pods?limit=2&continue=x+y");
          assertThat(server.asked().get(2)).contains("resourceVersion=7&");
        });
  }

  /** Somebody may have filled a namespace with objects of a megabyte. */
  @Test
  void asksForFewerObjectsAtATimeWhereAPageIsTooLarge() throws IOException {
    String large = pod("filler", 1).replace("\"}}", "\",\"x\":\"" + "y".repeat(17 << 20) + "\"}}");
    with(
        PODS,
        List.of(
            Step.answer("{\"metadata\":{},\"items\":[" + large + "]}"),
            Step.answer(list(7, "t", "a")),
            Step.answer(list(7, "", "b")),
            Step.stream(event("ADDED", "c", 8))),
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("a", "b", "c"));

          assertThat(server.asked().subList(0, 3))
              .containsExactly(
                  "/api/v1/pods?limit=2",
                  "/api/v1/pods?limit=1",
                  "/api/v1/pods?limit=1&continue=t");
        });
  }

  /** Nobody asks a webhook about objects in namespaces that are not managed. */
  @Test
  void oneOddObjectDoesNotKeepTheOthersFromBeingSeen() throws IOException {
    String odd =
        pod("odd", 1)
            .replace(
                "\"}}",
                "\",\"annotations\":{\"%s\":%s}}}"
                    .formatted("k".repeat(100_000), "{\"a\":".repeat(300) + "1" + "}".repeat(300)));
    with(
        PODS,
        List.of(
            Step.answer(
                "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[%s,%s]}"
                    .formatted(odd, pod("a", 1))),
            Step.stream(
                "{\"type\":\"MODIFIED\",\"object\":%s}".formatted(odd), event("ADDED", "b", 8))),
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("a", "b", "odd"));

          assertThat(server.asked()).as("and nothing is listed again").hasSize(2);
        });
  }

  @Test
  void resumesAWatchWhereItEndedAndNotFromAList() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(EMPTY),
            Step.ended(event("ADDED", "a", 6), event("BOOKMARK", "", 9)),
            Step.stream(event("ADDED", "b", 10))),
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("a", "b"));

          assertThat(server.asked()).hasSize(3);
          assertThat(server.asked().get(2)).contains("watch=1").contains("resourceVersion=9&");
        });
  }

  @Test
  void asksASlowlyGrowingTimeApartWhereEachWatchEndsAtOnceWithoutAnEvent() throws IOException {
    Duration least = Duration.ofMillis(200);
    WatchTimes times =
        new WatchTimes(
            HASTY.call(),
            HASTY.pageSize(),
            HASTY.watch(),
            HASTY.silence(),
            least,
            Duration.ofMillis(400),
            HASTY.discovery());
    List<Step> steps = new ArrayList<>(List.of(Step.answer(EMPTY)));
    steps.addAll(Collections.nCopies(6, Step.ended()));
    steps.add(Step.stream(event("ADDED", "a", 6)));
    long begun = System.nanoTime();
    with(
        PODS,
        times,
        steps,
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("a"));

          assertThat(Duration.ofNanos(System.nanoTime() - begun))
              .as("each was open so long, or was followed by at least half of the first wait")
              .isGreaterThanOrEqualTo(least.dividedBy(2).multipliedBy(6));
          assertThat(server.asked()).as("and nothing is listed again").hasSize(8);
        });
  }

  @Test
  void listsAnewWhenTheApiServerCannotTellWhatHappened() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(list(5, "", "gone", "kept")),
            Step.ended("{\"type\":\"ERROR\",\"object\":{\"code\":410,\"message\":\"too old\"}}"),
            Step.answer(list(9, "", "kept", "new")),
            Step.refusal(410, "too old"),
            Step.answer(list(11, "", "kept", "newest"))),
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("kept", "newest"));
          until(() -> assertThat(server.asked()).hasSizeGreaterThan(5));
        });
  }

  @Test
  void listsAnewAfterAWatchThatEndedWithAnErrorOfAnyKind() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(list(5, "", "a")),
            Step.ended("{\"type\":\"ERROR\",\"object\":{\"code\":500,\"message\":\"no\"}}"),
            Step.answer(list(9, "", "a", "b"))),
        (view, _) -> until(() -> assertThat(names(view)).containsExactly("a", "b")));
  }

  @Test
  void oneAnswerThatAKindIsNotServedDoesNotEndItsObjects() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(list(5, "", "a")),
            Step.refusal(404, "the server could not find the requested resource"),
            Step.answer(list(6, "", "a", "b"))),
        (view, _) -> {
          until(() -> assertThat(names(view)).contains("a"));
          JsonNode before = view.list(POD, "n").getFirst();

          until(() -> assertThat(names(view)).containsExactly("a", "b"));

          assertThat(view.list(POD, "n").getFirst()).as("not added again").isSameAs(before);
        });
  }

  /** The watch ends at version 9 without a word of b, which came, and of gone, which went. */
  @Test
  void findsWhatAWatchHasNotToldAndCountsIt() throws IOException {
    with(
        PODS,
        SUSPICIOUS,
        List.of(
            Step.answer(list(5, "", "a", "gone")),
            Step.ended(event("BOOKMARK", "", 9)),
            Step.answer(list(9, "more", "a")),
            Step.answer(list(9, "", "b")),
            Step.answer(list(10, "", "a", "b", "c"))),
        (view, server) -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          view.bindTo(registry);

          until(() -> assertThat(names(view)).containsExactly("a", "b", "c"));

          assertThat(server.asked().subList(2, 5))
              .containsExactly(
                  "/api/v1/pods?limit=2&resourceVersionMatch=Exact&resourceVersion=9",
                  "/api/v1/pods?limit=2&continue=more",
                  "/api/v1/pods?limit=2");
          assertThat(registry.get("sluice.resync.missed").functionCounter().count()).isEqualTo(2);
        });
  }

  @Test
  void goesOnWatchingWhereNothingWasMissedOrNobodyCanTell() throws IOException {
    with(
        PODS,
        SUSPICIOUS,
        List.of(
            Step.answer(list(5, "", "a")),
            Step.ended(event("BOOKMARK", "", 9)),
            Step.answer(list(9, "", "a")),
            Step.ended(event("BOOKMARK", "", 12)),
            Step.refusal(410, "compacted"),
            Step.stream(event("ADDED", "b", 13))),
        (view, server) -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          view.bindTo(registry);

          until(() -> assertThat(names(view)).containsExactly("a", "b"));

          assertThat(server.asked().get(3)).contains("watch=1").contains("resourceVersion=9&");
          assertThat(server.asked().get(5)).contains("watch=1").contains("resourceVersion=12&");
          assertThat(registry.get("sluice.resync").functionCounter().count()).isEqualTo(1);
          assertThat(registry.get("sluice.resync.missed").functionCounter().count()).isZero();
        });
  }

  @Test
  void givesUpAWatchThatSaysNothingAtAll() throws IOException {
    Step podA = Step.stream(event("ADDED", "a", 6));
    with(
        PODS,
        EASILY_BORED,
        List.of(Step.answer(EMPTY), Step.stream(), podA, podA, podA, podA, podA),
        (view, _) -> {
          until(() -> assertThat(names(view)).containsExactly("a"));
        });
  }

  @Test
  void doesNotComplainOfAWatchThatOnlyBrokeOffThoughThereWasTroubleBefore() throws IOException {
    Step podA = Step.stream(event("ADDED", "a", 6));

    assertThat(
            warningsBeforePodA(
                EASILY_BORED,
                Step.answer(EMPTY),
                Step.refusal(500, "out of order"),
                Step.refusal(500, "out of order"),
                Step.stream(), // longer than the longest wait
                podA,
                podA,
                podA,
                podA,
                podA))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("out of order");
  }

  @Test
  void doesNotComplainOfAnApiServerThatAsksForAMomentOfPatience() throws IOException {
    Step busy = Step.refusal(429, "storage is (re)initializing");

    assertThat(warningsBeforePodA(HASTY, busy, busy, Step.answer(list(5, "", "a")))).isEmpty();
  }

  @Test
  void complainsOnceOfAnApiServerThatAsksForPatienceAgainAndAgain() throws IOException {
    Step busy = Step.refusal(429, "storage is (re)initializing");

    assertThat(
            warningsBeforePodA(
                HASTY, busy, busy, busy, busy, busy, busy, Step.answer(list(5, "", "a"))))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("storage is (re)initializing");
  }

  private List<String> warningsBeforePodA(WatchTimes times, Step... steps) throws IOException {
    var log = new ListAppender<ILoggingEvent>();
    Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);
    log.start();
    logger.addAppender(log);
    try {
      with(
          PODS,
          times,
          List.of(steps),
          (view, _) -> until(() -> assertThat(names(view)).containsExactly("a")));
    } finally {
      logger.detachAppender(log);
    }
    return log.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  void listsAnewAfterAnEventItCannotRead() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(EMPTY),
            Step.stream("{\"type\":\"ADDED\",\"object\":{no json}}"),
            Step.answer(list(9, "", "a"))),
        (view, server) -> {
          until(() -> assertThat(names(view)).containsExactly("a"));
          assertThat(server.asked().get(2)).isEqualTo("/api/v1/pods?limit=2");
        });
  }

  @Test
  void answersOnWhileTheApiServerIsAwayAndSaysHowOldItIs() throws IOException {
    with(
        PODS,
        List.of(
            Step.answer(list(5, "", "a")),
            Step.refusal(500, "out of order"),
            Step.refusal(500, "out of order")),
        (view, _) -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          view.bindTo(registry);
          until(() -> assertThat(view.statuses().getFirst().state()).isEqualTo(State.CURRENT));

          assertThat(names(view)).containsExactly("a");
          assertThat(registry.get("sluice.view.objects").tag("kind", "Pod").gauge().value())
              .isEqualTo(1);
          assertThat(registry.get("sluice.view.age.seconds").gauge().value()).isBetween(0.0, 10.0);
        });
  }

  @Test
  void saysWhichKindIsMissingAndWhy() throws IOException {
    // refused for some seconds, to be met in, however rarely a busy machine lets us look
    Step refused = Step.refusal(403, "pods is forbidden");
    List<Step> steps = new ArrayList<>(Collections.nCopies(30, refused));
    steps.add(Step.answer(list(5, "", "a")));
    with(
        PODS,
        steps,
        (view, _) -> {
          until(() -> assertThat(view.missing()).containsExactly("Pod: pods is forbidden"));
          assertThat(view.knows(POD)).isFalse();
          assertThat(view.summary()).contains("1 kinds").endsWith("Pod: pods is forbidden");

          until(() -> assertThat(view.missing()).isEmpty());
          until(() -> assertThat(view.statuses().getFirst().problem()).isEmpty());
        });
  }

  /**
   * The API server reaches our conversion only once we are ready: to wait for it would be for ever.
   */
  @Test
  void doesNotMissAKindThatWaitsForOurConversion() throws IOException {
    Step refused = Step.refusal(500, "conversion webhook for kueue.x-k8s.io failed");
    with(
        PODS,
        List.of(refused, refused, refused, refused, refused, refused),
        (view, _) -> {
          until(() -> assertThat(view.statuses().getFirst().problem()).isPresent());
          assertThat(view.missing()).isEmpty();
          assertThat(view.unlisted()).as("for who decides by what is there").hasSize(1);
          assertThat(view.knows(POD)).isFalse();
        });
  }

  @Test
  void looksAgainForAKindThatIsNotServedAndForgetsOneThatIsNotServedAnyMore() throws IOException {
    WatchedKind trains =
        new WatchedKind(
            new GroupVersionKind("rail.example", "v1", "Train"), Optional.empty(), Keep.ALL, true);
    GroupKind train = trains.kind();
    String groups = "{\"groups\":[{\"versions\":[{\"groupVersion\":\"rail.example/v1\"}]}]}";
    String resources =
        """
        {"resources":[{"name":"trains/status","kind":"Train"},{"name":"trains","kind":"Train"}]}\
        """;
    with(
        trains,
        List.of(
            Step.answer("{\"groups\":[]}"),
            Step.answer(groups),
            Step.answer(resources),
            Step.answer(list(5, "", "a")),
            Step.ended(event("ADDED", "b", 6)),
            Step.answer(resources),
            Step.refusal(404, "the server could not find the requested resource"),
            Step.answer("{\"groups\":[]}")),
        (view, server) -> {
          until(() -> assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(7));
          assertThat(server.asked().get(3)).isEqualTo("/apis/rail.example/v1/trains?limit=2");
          until(() -> assertThat(view.statuses().getFirst().state()).isEqualTo(State.NOT_SERVED));

          assertThat(view.knows(train)).isFalse();
          assertThat(view.list(train, "n")).isEmpty();
          assertThat(view.missing()).isEmpty();
        });
  }

  @Test
  void asksForTheSelectedObjectsOfANamespaceInEveryQuery() throws IOException {
    WatchedKind selected =
        new WatchedKind(
            PODS.type(),
            PODS.plural(),
            Keep.ALL,
            false,
            new WatchedKind.Selection("team-a", "example.com/origin=m"));
    String path = "/api/v1/namespaces/team-a/pods?";
    String labels = "&labelSelector=example.com%2Forigin%3Dm";
    with(
        selected,
        SUSPICIOUS,
        List.of(
            Step.answer(list(5, "next", "a")),
            Step.answer(list(5, "", "b")),
            Step.ended(event("ADDED", "c", 6)),
            Step.answer(list(6, "", "a", "b", "c"))),
        (_, server) -> {
          until(() -> assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(4));
          assertThat(server.asked()).startsWith(path + "limit=2" + labels);
          assertThat(server.asked()).allMatch(asked -> asked.startsWith(path));
          assertThat(server.asked()).allMatch(asked -> asked.endsWith(labels));
        });
  }
}
