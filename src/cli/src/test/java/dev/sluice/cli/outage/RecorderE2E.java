package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scheduler that records is killed; what it recorded is decided again, and becomes a test. */
@FullTier
@NeedsControlPlane
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RecorderE2E {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int QUOTA = 4;

  @TempDir private Path folder;

  @Test
  void aKilledSchedulerLeavesARecordingThatIsDecidedTheSame() throws Exception {
    Path recording = folder.resolve("recording");
    try (var cluster = new KillableCluster(folder, EnumSet.noneOf(Part.class))) {
      cluster.create(ApiKind.RESOURCE_FLAVOR, "f", "{}");
      cluster.create(
          ApiKind.CLUSTER_QUEUE,
          "q",
          """
          {"namespaceSelector":{},"preemption":{"withinClusterQueue":"LowerPriority"},
          "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[
          {"name":"cpu","nominalQuota":%d}]}]}]}\
          """
              .formatted(QUOTA));
      cluster.create(ApiKind.LOCAL_QUEUE, "default", "l", Kueue.localQueue("q"));
      Replica scheduler = cluster.schedule("--record=" + recording);
      for (int i = 0; i < QUOTA; i++) {
        create(cluster, "low-" + i, 0);
        awaitCondition(cluster, "low-" + i, "QuotaReserved", "True");
      }

      create(cluster, "high", 100);
      assertThat(Poll.until(SOON, PAUSE, () -> anyIsEvicted(cluster))).isTrue();
      assertThat(Poll.until(SOON, PAUSE, () -> replay(recording, "-o", "json").code() == 0))
          .isTrue();
      for (int i = 0; i < 50; i++) {
        create(cluster, "more-" + i, i % 3);
      }
      scheduler.kill(); // and started again
      create(cluster, "last", 200);
      assertThat(Poll.until(SOON, PAUSE, () -> isConsidered(cluster, "last"))).isTrue();
      cluster.stopSchedulers();
    }

    Ran ran = replay(recording);
    assertThat(ran.out() + ran.err()).contains("all the same");
    assertThat(ran.code()).isZero();

    Path scenario = folder.resolve("scenario.yaml");
    Ran export =
        replay(
            recording,
            "--export=" + scenario,
            "--around=default/high@2026-01-01T00:00:00Z",
            "--anonymize");
    assertThat(export.err()).isEmpty();
    assertThat(Files.readString(scenario)).contains("Preempting").doesNotContain("low-");
    assertThat(Commands.run("test", scenario.toString()).code()).isZero();
  }

  private static Ran replay(Path recording, String... flags) {
    String[] args = new String[2 + flags.length];
    args[0] = "replay";
    args[1] = recording.toString();
    System.arraycopy(flags, 0, args, 2, flags.length);
    return Commands.run(args);
  }

  private static void create(KillableCluster cluster, String name, int priority) {
    String spec = Kueue.workload("l", 1).replaceFirst("\\{", "{\"priority\":" + priority + ",");
    cluster.create(ApiKind.WORKLOAD, "default", name, spec);
  }

  /** Those of one second are in the order of their uids. */
  private static boolean anyIsEvicted(KillableCluster cluster) {
    return IntStream.range(0, QUOTA).anyMatch(i -> is(cluster, "low-" + i, "Evicted", "True"));
  }

  private static boolean isConsidered(KillableCluster cluster, String name) {
    return is(cluster, name, "QuotaReserved", "False")
        || is(cluster, name, "QuotaReserved", "True");
  }

  private static boolean is(KillableCluster cluster, String name, String type, String status) {
    for (var condition :
        cluster
            .api()
            .get(Kueue.path(ApiKind.WORKLOAD, ApiVersion.HUB, name))
            .orThrow()
            .json()
            .at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals(status);
      }
    }
    return false;
  }

  private static void awaitCondition(
      KillableCluster cluster, String name, String type, String status) {
    assertThat(Poll.until(SOON, PAUSE, () -> is(cluster, name, type, status)))
        .as("%s of %s is %s", type, name, status)
        .isTrue();
  }
}
