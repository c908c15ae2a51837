package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.process.SchedulerConfiguration;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The scheduler beside a cluster: a process each time, which ends when it is asked to. */
public final class SchedulerBeside {
  /** Nothing restarts a scheduler that could not renew its Lease in time on a busy machine. */
  private static final int LEASE_SECONDS = 15;

  private static final String LEADER = "this replica is the leader now";
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration ENDING = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final OwnCluster cluster;
  private final String configuration;
  private final int leaseSeconds;
  private @Nullable SluiceProcess latest;

  /**
   * Nothing is started yet.
   *
   * @param configuration further lines of its Configuration
   */
  public SchedulerBeside(OwnCluster cluster, String configuration) {
    this(cluster, configuration, LEASE_SECONDS);
  }

  /**
   * The same for a caller that starts it again when it has ended.
   *
   * @param leaseSeconds how long the next one waits for one that was killed
   */
  SchedulerBeside(OwnCluster cluster, String configuration, int leaseSeconds) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.leaseSeconds = leaseSeconds;
  }

  public SluiceProcess start() throws IOException {
    return start(Map.of());
  }

  /** The same with these variables in its environment, too. */
  SluiceProcess start(Map<String, String> environment) throws IOException {
    return start(cluster.controlPlane().kubeconfig(), environment);
  }

  /** The same by another way to the API server. */
  SluiceProcess start(Path kubeconfig) throws IOException {
    return start(kubeconfig, Map.of());
  }

  private SluiceProcess start(Path kubeconfig, Map<String, String> environment) throws IOException {
    Path folder = cluster.folder();
    Path file = SchedulerConfiguration.write(folder, leaseSeconds, configuration);
    latest =
        SluiceProcess.startFromClasses(
            folder,
            environment,
            "schedule",
            "--kubeconfig",
            kubeconfig.toString(),
            "--config",
            file.toString());
    return latest;
  }

  /** Asks the latest one to end, and waits until it has. */
  public void end() throws InterruptedException {
    if (latest != null) {
      stop(latest);
      latest.close();
    }
  }

  /** Whether the latest one has ended by itself, as one does that lost its Lease. */
  boolean hasEnded() {
    return latest != null && latest.hasEnded();
  }

  /** Whether the latest one leads, or did. */
  boolean hasLed() {
    return latest != null && (latest.out() + latest.err()).contains(LEADER);
  }

  /** Ends the latest one without a last word. */
  void kill() {
    if (latest != null) {
      latest.close();
    }
  }

  /** Asks it to end, and waits until it has. */
  public static void stop(SluiceProcess scheduler) throws InterruptedException {
    scheduler.terminate(ENDING);
  }

  void await(String what, BooleanSupplier condition) {
    await(what, condition, () -> "");
  }

  /** Waits for it; the failure tells the last lines of the scheduler, and what else is of use. */
  public void await(String what, BooleanSupplier condition, Supplier<String> more) {
    await(SOON, PAUSE, what, condition, more);
  }

  /** The same with a bound and a pause, for what takes long or costs the API server much. */
  void await(
      Duration bound,
      Duration pause,
      String what,
      BooleanSupplier condition,
      Supplier<String> more) {
    assertThat(Poll.until(bound, pause, condition))
        .as(() -> what + "\n" + (latest == null ? "" : latest.tail()) + "\n" + more.get())
        .isTrue();
  }
}
