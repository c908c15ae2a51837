package dev.sluice.cli.schedule;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.multicluster.link.LinkTimes;
import dev.sluice.scheduler.ControllerFactory;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Schedulers of clusters that tests have for themselves, in this process. */
final class InProcessScheduler {
  /** As in a cluster, but a broken watch counts as lost soon. */
  static final LinkTimes TIMES =
      new LinkTimes(
          LinkTimes.DEFAULT.probe(),
          Duration.ofSeconds(2),
          LinkTimes.DEFAULT.connecting(),
          Duration.ofMillis(200),
          Duration.ofMillis(200));

  private InProcessScheduler() {}

  /** A scheduler of a worker in this process; its parts in the order in which they were opened. */
  static List<AutoCloseable> of(OwnCluster on, Configuration configuration) {
    return of(on, configuration, ControllerFactory.NONE);
  }

  /** A scheduler in this process, with more controllers. */
  static List<AutoCloseable> of(
      OwnCluster on, Configuration configuration, ControllerFactory others) {
    Connection connection = Connection.to(on.controlPlane().kubeconfig());
    Scheduler scheduler =
        Scheduler.start(
            connection,
            new SchedulerOptions(
                configuration,
                Extensions.DEFAULT,
                "test",
                Optional.empty(),
                SchedulerOptions.WRITERS,
                WatchTimes.EAGER,
                SchedulerOptions.APART),
            InstantSource.system(),
            new SimpleMeterRegistry(),
            OpenTelemetry.noop(),
            () -> {},
            new Supervisor(),
            others);
    return List.of(connection, scheduler);
  }
}
