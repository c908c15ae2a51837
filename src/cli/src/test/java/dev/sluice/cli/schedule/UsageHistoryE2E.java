package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Admission fair sharing remembers who used much, whichever process decides. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class UsageHistoryE2E {
  private static final String SHARING =
      """
      admissionFairSharing:
        usageHalfLifeTime: 1h
        usageSamplingInterval: 1s
      """;

  private static final String BY_USAGE =
      "\"admissionScope\":{\"admissionMode\":\"UsageBasedAdmissionFairSharing\"},";

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER = new SchedulerBeside(CLUSTER, SHARING);

  private static void create(String name, String localQueue) {
    Kueue.create(CLUSTER.api(), WORKLOAD, name, Kueue.workload(localQueue, 4)).orThrow();
  }

  private static JsonNode workload(String name) {
    return CLUSTER.api().get(Kueue.path(WORKLOAD, HUB, name)).orThrow().json();
  }

  private static void awaitAdmission(String name) {
    SCHEDULER.await(
        name + " is admitted", () -> ApiClient.hasCondition(workload(name), "Admitted"));
  }

  private static BigDecimal used(String localQueue) {
    JsonNode queue = CLUSTER.api().get(Kueue.path(LOCAL_QUEUE, HUB, localQueue)).orThrow().json();
    String cpu =
        queue.at("/status/fairSharing/admissionFairSharingStatus/consumedResources/cpu").asText();
    return Quantity.parse(cpu).map(Quantity::value).orElse(BigDecimal.ZERO);
  }

  @Test
  void whoUsedMuchComesAfterWhoUsedNothingAlsoAfterARestart()
      throws IOException, InterruptedException {
    Kueue.create(CLUSTER.api(), RESOURCE_FLAVOR, "rf", "{}").orThrow();
    String fair = Kueue.clusterQueue("rf", 4).replaceFirst("\\{", "{" + BY_USAGE);
    Kueue.create(CLUSTER.api(), CLUSTER_QUEUE, "fair", fair).orThrow();
    for (String localQueue : new String[] {"busy", "idle"}) {
      Kueue.create(CLUSTER.api(), LOCAL_QUEUE, localQueue, Kueue.localQueue("fair")).orThrow();
    }
    create("first", "busy");

    try (SluiceProcess process = SCHEDULER.start()) {
      awaitAdmission("first");
      SCHEDULER.await("it is written down", () -> used("busy").signum() > 0);
      BigDecimal soon = used("busy");
      SCHEDULER.await("it goes on", () -> used("busy").compareTo(soon) > 0);
      Kueue.finish(CLUSTER.api(), "first");
      process.kill();
    }
    assertThat(used("idle")).isZero();

    create("again", "busy");
    create("other", "idle");
    try (SluiceProcess process = SCHEDULER.start()) {
      awaitAdmission("other");
      assertThat(ApiClient.hasCondition(workload("again"), "Admitted")).isFalse();
      Kueue.finish(CLUSTER.api(), "other");
      awaitAdmission("again");
      SchedulerBeside.stop(process);
    }
  }
}
