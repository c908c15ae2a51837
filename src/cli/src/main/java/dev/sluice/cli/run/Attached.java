package dev.sluice.cli.run;

import dev.sluice.certs.CertificateSource;
import dev.sluice.cli.schedule.SchedulerFlags;
import dev.sluice.cli.schedule.Scheduling;
import dev.sluice.cli.serve.ClusterServing;
import dev.sluice.cli.server.ClusterSight;
import dev.sluice.cli.server.ConfigurationFlags.Chosen;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.quota.Snapshot;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.webhook.Dependency;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.ledger.QuotaSource;
import dev.sluice.webhook.server.Page;
import dev.sluice.webhook.server.Readiness;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Both roles in one process on one engine: what the scheduler has decided on is known to admission
 * at once. Metrics of both are on the pages of the server.
 */
final class Attached implements AutoCloseable {
  private static final Duration VIEW_TIMEOUT = Duration.ofSeconds(40);

  private final Scheduling scheduling;
  private final ClusterServing serving;

  private Attached(Scheduling scheduling, ClusterServing serving) {
    this.scheduling = scheduling;
    this.serving = serving;
  }

  static Attached start(
      AttachedFlags flags,
      ClusterAccess access,
      Chosen chosen,
      SchedulerFlags schedulerFlags,
      ServerOptions options,
      CertificateSource certificates) {
    CompositeMeterRegistry meters = new CompositeMeterRegistry();
    Scheduling scheduling = Scheduling.start(access, chosen, schedulerFlags, meters);
    try {
      ClusterSight sight =
          ClusterSight.beside(
              access,
              chosen,
              VIEW_TIMEOUT,
              known(scheduling.scheduler()),
              it -> measuring(it, meters, scheduling));
      ClusterServing serving =
          ClusterServing.start(options, certificates, sight.knowledge(), Optional.of(sight));
      if (!flags.noInject) {
        serving.inject(access);
      }
      return new Attached(scheduling, serving);
    } catch (RuntimeException e) {
      scheduling.close();
      throw e;
    }
  }

  /** The scheduler's own engine, once it has seen all. */
  private static QuotaSource known(Scheduler scheduler) {
    return () ->
        scheduler.isComplete() ? Optional.<Snapshot>of(scheduler.snapshot()) : Optional.empty();
  }

  /** The scheduler measures the same kinds, so the server's own view is left out. */
  private static Dependency measuring(
      Dependency view, CompositeMeterRegistry meters, Scheduling scheduling) {
    return new Dependency() {
      @Override
      public Readiness readiness() {
        return view.readiness();
      }

      @Override
      public void bindTo(MeterRegistry registry) {
        meters.add(registry);
        scheduling.measureIn(registry);
      }

      @Override
      public List<Page> pages() {
        return scheduling.pages();
      }
    };
  }

  WebhookServer server() {
    return serving.server();
  }

  /** Answers to the end what the API server asks of us because of what we write. */
  @Override
  public void close() {
    scheduling.close();
    serving.close();
  }
}
