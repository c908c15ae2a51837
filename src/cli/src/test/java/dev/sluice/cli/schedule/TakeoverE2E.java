package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.Commands;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One scheduler takes over from another under load, and gives back. Kueue is not at hand: both are
 * ours, each with its Lease in a namespace of its own, as Kueue and Sluice have them.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
class TakeoverE2E {
  private static final int QUOTA = 8;
  private static final int WORKLOADS = 30;
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  private final Map<String, Boolean> holding = new ConcurrentHashMap<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();

  /** Revisions of Workloads since the last switch, and those of them until the first decision. */
  private final AtomicInteger revisions = new AtomicInteger();

  private final AtomicInteger first = new AtomicInteger();

  private void seen(JsonNode workload, boolean gone) {
    String name = workload.at("/metadata/name").asText();
    boolean holds = !gone && ApiClient.hasCondition(workload, "QuotaReserved");
    Boolean before = holding.put(name, holds);
    int revision = revisions.incrementAndGet();
    if (holds && !Boolean.TRUE.equals(before)) {
      first.compareAndSet(0, revision);
    }
    if (!gone && Boolean.TRUE.equals(before) && !holds) {
      faults.add(name + " lost its quota: " + workload);
    }
    if (ApiClient.hasCondition(workload, "Evicted")) {
      faults.add(name + " was evicted: " + workload);
    }
    long held = holding.values().stream().filter(it -> it).count();
    if (held > QUOTA) {
      faults.add(held + " hold quota at revision " + workload.at("/metadata/resourceVersion"));
    }
  }

  private long held() {
    return holding.values().stream().filter(it -> it).count();
  }

  private void awaitFull() {
    assertThat(Poll.until(SOON, PAUSE, () -> held() == QUOTA))
        .as(() -> held() + " hold quota; " + faults)
        .isTrue();
  }

  /** A process whose Lease is in that namespace. */
  private static SchedulerBeside schedulerIn(String namespace) throws IOException {
    var scheduler = new SchedulerBeside(CLUSTER, "  resourceNamespace: " + namespace + "\n");
    scheduler.start();
    return scheduler;
  }

  /** Some that have quota are over. */
  private void end(int count) {
    List<String> running = new ArrayList<>();
    holding.forEach(
        (name, holds) -> {
          if (holds && running.size() < count) {
            running.add(name);
          }
        });
    running.forEach(it -> CLUSTER.api().delete(Kueue.path(WORKLOAD, HUB, it)).orThrow());
  }

  private Commands.Ran check(String... more) {
    List<String> args =
        new ArrayList<>(
            List.of("takeover", "--check", "--kubeconfig=" + CLUSTER.controlPlane().kubeconfig()));
    args.addAll(List.of(more));
    return Commands.run(args.toArray(new String[0]));
  }

  /** A Lease that was kept at the end of its leader runs out first. */
  private void awaitCheck(String found, String... more) {
    assertThat(Poll.until(SOON, PAUSE, () -> check(more).out().contains(found)))
        .as(() -> found + ": " + check(more).out())
        .isTrue();
  }

  /** The other scheduler takes over while some end and others come. */
  private SchedulerBeside takeOver(SchedulerBeside from, String to, String newcomer)
      throws IOException, InterruptedException {
    from.end();
    Kueue.create(CLUSTER.api(), WORKLOAD, newcomer, Kueue.workload("q", 1)).orThrow();
    end(3);
    assertThat(Poll.until(SOON, PAUSE, () -> held() == QUOTA - 3)).as("%s", faults).isTrue();
    revisions.set(0);
    first.set(0);
    SchedulerBeside next = schedulerIn(to);
    awaitFull();
    assertThat(first.get())
        .as("nothing but reasons for waiting is written before the first decision")
        .isBetween(1, WORKLOADS + 2);
    return next;
  }

  @Test
  void nobodyLosesQuotaAndNobodyGetsTooMuchWhenOneTakesOverAndGivesBack() throws Exception {
    ApiClient api = CLUSTER.api();
    for (String namespace : List.of("kueue-system", "sluice-system")) {
      if (!api.get("/api/v1/namespaces/" + namespace).isSuccess()) {
        api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}")
            .orThrow();
      }
    }
    Kueue.create(api, RESOURCE_FLAVOR, "f", "{}").orThrow();
    Kueue.create(api, CLUSTER_QUEUE, "q", Kueue.clusterQueue("f", QUOTA)).orThrow();
    Kueue.create(api, LOCAL_QUEUE, "q", Kueue.localQueue("q")).orThrow();
    String all = "/apis/" + HUB.groupVersion() + "/workloads";
    try (WatchedRevisions watched =
        new WatchedRevisions(api, List.of(all), (_, object, gone) -> seen(object, gone))) {
      SchedulerBeside kueue = schedulerIn("kueue-system");
      for (int i = 0; i < WORKLOADS; i++) {
        Kueue.create(api, WORKLOAD, "w" + i, Kueue.workload("q", 1)).orThrow();
      }
      awaitFull();
      awaitCheck("only Kueue leads");

      SchedulerBeside sluice = takeOver(kueue, "sluice-system", "new-1");
      awaitCheck("only Sluice leads");

      SchedulerBeside second = schedulerIn("kueue-system");
      awaitCheck("both lead");
      assertThat(check().code()).as("two leaders are an error").isEqualTo(1);
      second.end();

      SchedulerBeside back = takeOver(sluice, "kueue-system", "new-2");
      awaitCheck("only Kueue leads", "--back");
      back.end();
      assertThat(watched.missed()).isEmpty();
    }
    assertThat(faults).isEmpty();
    long there = api.get(all).orThrow().json().path("items").size();
    assertThat(there).as("6 were over, 2 came").isEqualTo(WORKLOADS - 6 + 2);
  }
}
