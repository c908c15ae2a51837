package dev.sluice.cli.outage;

import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The queues that jobs flow through, and the end that they must reach, whatever happens. */
final class JobFlow {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Duration SOON = Duration.ofMinutes(1);

  private final KillableCluster cluster;

  JobFlow(KillableCluster cluster) {
    this.cluster = cluster;
  }

  void await(Duration bound, Auditor auditor, BooleanSupplier condition) {
    assertThat(Poll.until(bound, PAUSE, condition))
        .as(() -> "unfinished: " + unfinished(auditor) + "\n" + cluster.tail())
        .isTrue();
  }

  private static String unfinished(Auditor auditor) {
    Set<String> names = auditor.unfinished();
    return names + "\n" + auditor.missed() + "\n" + auditor.about(String.join(" ", names) + " ");
  }

  /** Each ClusterQueue with a LocalQueue of the same name. */
  void create(String namespace, QueueNode tree) {
    cluster.createNamespace(namespace);
    cluster.create(tree, "flavor-" + tree.name());
    tree.queues().forEach(queue -> createLocalQueue(namespace, queue));
  }

  void createLocalQueue(String namespace, QueueNode queue) {
    cluster.create(ApiKind.LOCAL_QUEUE, namespace, queue.name(), Kueue.localQueue(queue.name()));
  }

  boolean allFinished(String namespace) {
    JsonNode all =
        cluster.api().get(Kueue.collection(ApiKind.WORKLOAD, HUB, namespace)).orThrow().json();
    for (JsonNode workload : all.path("items")) {
      if (!ApiClient.hasCondition(workload, "Finished")
          || !workload.at("/metadata/finalizers").isEmpty()) {
        return false;
      }
    }
    return !all.path("items").isEmpty();
  }

  void awaitTheEnd(String namespace, QueueNode tree, Auditor auditor, int jobs) {
    await(
        SOON,
        auditor,
        () -> {
          cluster.revive();
          return allFinished(namespace)
              && tree.queues().stream().allMatch(it -> it.isEmpty(cluster.api()))
              && auditor.isUpToDate();
        });
    Laws.Verdict verdict = auditor.judge(List.of(tree));
    System.out.printf(
        "%s: %d revisions seen, at most %d thousandths of a cpu held, %d evictions, %d strays%n",
        namespace, auditor.history().size(), verdict.most(), verdict.evictions(), verdict.strays());
    requireNoBreach(verdict, auditor);
    assertThat(auditor.missed()).isEmpty();
    assertThat(verdict.finishedJobs()).hasSize(jobs);
    assertThat(verdict.most()).isPositive();
  }

  /** What broke a law is told whole on standard output: it is too long for a message. */
  static void requireNoBreach(Laws.Verdict verdict, Auditor auditor) {
    if (!verdict.breaches().isEmpty()) {
      String broken = String.join("\n", verdict.breaches());
      System.out.println(broken + "\n" + auditor.about(broken));
    }
    assertThat(verdict.breaches()).isEmpty();
  }
}
