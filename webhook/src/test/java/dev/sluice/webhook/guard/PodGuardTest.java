package dev.sluice.webhook.guard;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.rules.settings.NamespaceSelector;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.JobSource;
import dev.sluice.rules.view.JobSource.JobWithPods;
import dev.sluice.rules.view.ObjectView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodGuardTest {
  private static final Duration BOUND = Duration.ofSeconds(1);
  private static final String QUEUED = "'labels':{'kueue.x-k8s.io/queue-name':'q'}";
  private static final JsonNode NAMESPACE =
      json(
          "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns',"
              + "'labels':{'kubernetes.io/metadata.name':'ns'}}}");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong clock = new AtomicLong();
  private final List<String> asked = new ArrayList<>();

  @Test
  void allowsAPodThatTheJobMayHaveWithoutAskingAnybody() {
    assertThat(judge(guard(List.of(job(QUEUED)), agreed()), "a")).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void refusesASurplusPodThatTheApiServerConfirms() {
    List<JsonNode> cluster = List.of(job(QUEUED), pod("a"));

    assertThat(judge(guard(cluster, now(job(QUEUED), pod("a"))), "b"))
        .contains(Surplus.Reason.PARALLELISM);
    assertThat(asked).containsExactly("ns/sample j PT1S");
    assertThat(verdicts("deny")).isEqualTo(1);
  }

  @Test
  void doesNotRefuseBecauseOfAStaleView() {
    List<JsonNode> cluster = List.of(job(QUEUED), pod("a"));

    assertThat(judge(guard(cluster, now(job(QUEUED))), "b")).isEmpty();
    assertThat(verdicts("overruled")).isEqualTo(1);
  }

  /** It failed and was counted so; that it said otherwise later must not end its Job's hope. */
  @Test
  void aPodThatWasCountedAsFailedDoesNotKeepItsJobFromAnotherOne() {
    JsonNode job =
        json(
            job(QUEUED)
                .toString()
                .replace(
                    "\"spec\":{\"parallelism\":1}",
                    "\"spec\":{\"parallelism\":1,\"completions\":1},\"status\":{\"failed\":1}"));
    JsonNode said = json(pod("a").toString().replace("Running", "Succeeded"));

    assertThat(judge(guard(List.of(job, said), now(job, said)), "b")).isEmpty();
    assertThat(verdicts("overruled")).isEqualTo(1);
  }

  @Test
  void allowsWhatNobodyCanConfirm() {
    List<JsonNode> cluster = List.of(job(QUEUED), pod("a"));

    assertThat(judge(guard(cluster, Optional.empty()), "b")).isEmpty();
    assertThat(verdicts("unconfirmed")).isEqualTo(1);
  }

  @Test
  void allowsAPodOfAJobThatIsGone() {
    List<JsonNode> cluster = List.of(job(QUEUED), pod("a"));

    assertThat(judge(guard(cluster, now(json("{}"))), "b")).isEmpty();
  }

  @Test
  void countsAPodThatItLetThroughBeforeItIsSeen() {
    PodGuard guard = guard(List.of(job(QUEUED)), now(job(QUEUED)));

    assertThat(judge(guard, "a")).isEmpty();
    assertThat(judge(guard, "b")).contains(Surplus.Reason.PARALLELISM);
    assertThat(judge(guard, "a")).as("the same pod, asked about again").isEmpty();
  }

  @Test
  void forgetsAPodThatItLetThroughAndThatNeverCame() {
    PodGuard guard = guard(List.of(job(QUEUED)), now(job(QUEUED)));
    assertThat(judge(guard, "a")).isEmpty();

    clock.addAndGet(Duration.ofSeconds(3).toNanos());

    assertThat(judge(guard, "b")).isEmpty();
  }

  /**
   * Anybody can send reviews of pods that never come; the Job's own pods must not wait for them.
   */
  @Test
  void reviewsOfPodsThatNeverComeKeepNoPodFromItsJobForLongerThanASecond() {
    PodGuard guard = guard(List.of(job(QUEUED)), now(job(QUEUED)));
    long refusedFor = 0;

    for (int tick = 0; tick < 3_000; tick++) { // 100 a second for half a minute
      judge(guard, "forged-" + tick);
      boolean refused = judge(guard, "own").isPresent();
      refusedFor = refused ? refusedFor + 10 : 0;
      clock.addAndGet(Duration.ofMillis(10).toNanos());

      assertThat(refusedFor).isLessThanOrEqualTo(1_010);
    }
  }

  @Test
  void remembersNoDryRun() {
    PodGuard guard = guard(List.of(job(QUEUED)), now(job(QUEUED)));

    assertThat(guard.judge(pod("a"), "ns", true, BOUND)).isEmpty();
    assertThat(judge(guard, "b")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'labels':{}                                  | DENY | false | ns    | false
          'labels':{}                                  | DENY | true  | ns    | true
          'labels':{'kueue.x-k8s.io/queue-name':'q'}   | DENY | false | ns    | true
          'labels':{'kueue.x-k8s.io/queue-name':'q'}   | WARN | false | ns    | true
          'labels':{'kueue.x-k8s.io/queue-name':'q'}   | OFF  | false | ns    | false
          'labels':{'kueue.x-k8s.io/queue-name':'q'}   | DENY | false | other | false
          """)
  void looksOnlyAtManagedJobsInManagedNamespaces(
      String metadata, GuardMode mode, boolean manageAll, String managed, boolean guarded) {
    Settings settings =
        new Settings(
            manageAll,
            onlyIn(managed),
            Set.of("batch/job"),
            Set.of(),
            Settings.DEFAULT.gates(),
            mode);
    List<JsonNode> cluster = List.of(NAMESPACE, job(metadata), pod("a"));

    PodGuard guard = guard(cluster, settings, now(job(metadata), pod("a")));

    assertThat(judge(guard, "b").isPresent()).isEqualTo(guarded);
  }

  private static NamespaceSelector onlyIn(String name) {
    return labels -> labels.path("kubernetes.io/metadata.name").asText().equals(name);
  }

  @Test
  void leavesPodsAloneThatNoJobControls() {
    PodGuard guard = guard(List.of(job(QUEUED), pod("a")), now(job(QUEUED), pod("a")));

    assertThat(guard.judge(json("{'metadata':{'name':'b'}}"), "ns", false, BOUND)).isEmpty();
    assertThat(guard.judge(json("[7]"), "ns", false, BOUND)).isEmpty();
  }

  @Test
  void leavesPodsOfAnEarlierJobOfThatNameAlone() {
    JsonNode successor = json(job(QUEUED).toString().replace("\"uid\":\"j\"", "\"uid\":\"k\""));

    assertThat(judge(guard(List.of(successor, pod("a")), agreed()), "b")).isEmpty();
  }

  private Optional<Surplus.Reason> judge(PodGuard guard, String name) {
    return guard.judge(pod(name), "ns", false, BOUND).map(Surplus::reason);
  }

  private PodGuard guard(List<JsonNode> cluster, Optional<JobWithPods> now) {
    var all = new ArrayList<>(cluster);
    all.add(NAMESPACE);
    return guard(all, Settings.DEFAULT, now);
  }

  private PodGuard guard(List<JsonNode> cluster, Settings settings, Optional<JobWithPods> now) {
    JobSource source =
        (namespace, job, uid, bound) -> {
          asked.add(namespace + "/" + job + " " + uid + " " + bound);
          return now;
        };
    return new PodGuard(
        new ReviewContext(ObjectView.of(cluster), settings), source, false, clock::get, registry);
  }

  private static Optional<JobWithPods> agreed() {
    return now(job(QUEUED));
  }

  private static Optional<JobWithPods> now(JsonNode job, JsonNode... pods) {
    return Optional.of(new JobWithPods(job, List.of(pods), job));
  }

  private static JsonNode job(String metadata) {
    return json(
        "{'apiVersion':'batch/v1','kind':'Job','metadata':{'namespace':'ns','name':'sample',"
            + "'uid':'j',"
            + metadata
            + "},'spec':{'parallelism':1}}");
  }

  private static JsonNode pod(String name) {
    return json(
        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'"
            + name
            + "','ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'sample',"
            + "'uid':'j','controller':true}]},'status':{'phase':'Running'}}");
  }

  private double verdicts(String verdict) {
    return registry.get("sluice.pod.guard").tag("verdict", verdict).counter().count();
  }
}
