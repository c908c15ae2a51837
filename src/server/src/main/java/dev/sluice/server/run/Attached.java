package dev.sluice.server.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.certs.CertificateSource;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.quota.Snapshot;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.server.schedule.SchedulerFlags;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.serve.ClusterServing;
import dev.sluice.server.wiring.ClusterWatch;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.QuotaEditTrials;
import dev.sluice.supervision.Dependency;
import dev.sluice.supervision.Readiness;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.fence.QuotaSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Webhook server and scheduler in one process on one engine: admission sees the scheduler's
 * decisions at once. The server's pages show the metrics of both. If another replica becomes
 * leader, webhooks keep running, and the scheduler joins the election again.
 */
final class Attached implements AutoCloseable {
  private static final Duration VIEW_TIMEOUT = Duration.ofSeconds(40);

  private final RejoiningScheduler scheduler;
  private final QuotaEditTrials trials;
  private final ClusterServing serving;

  private Attached(RejoiningScheduler scheduler, QuotaEditTrials trials, ClusterServing serving) {
    this.scheduler = scheduler;
    this.trials = trials;
    this.serving = serving;
  }

  static Attached start(
      AttachedFlags flags,
      ClusterAccess access,
      Chosen chosen,
      SchedulerFlags schedulerFlags,
      ServerOptions options,
      CertificateSource certificates,
      Supervisor supervisor) {
    PrometheusMeterRegistry pages = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RejoiningScheduler scheduler =
        RejoiningScheduler.start(
            (registry, deposed) ->
                Scheduling.start(access, chosen, schedulerFlags, registry, supervisor, deposed),
            pages,
            supervisor);
    QuotaEditTrials trials =
        new QuotaEditTrials(scheduler::fork, InstantSource.system(), supervisor);
    try {
      ClusterWatch clusterWatch =
          ClusterWatch.beside(
              access,
              chosen,
              VIEW_TIMEOUT,
              new SchedulerQuotas(scheduler, trials),
              Attached::unmeasured,
              supervisor);
      ClusterServing serving =
          ClusterServing.start(
              options,
              certificates,
              clusterWatch.context().withPages(scheduler.pages()).withRegistry(pages),
              Optional.of(clusterWatch),
              supervisor);
      if (!flags.noInject) {
        serving.publish(access, Optional.empty());
      }
      return new Attached(scheduler, trials, serving);
    } catch (RuntimeException e) {
      trials.close();
      scheduler.close();
      throw e;
    }
  }

  /** The scheduler measures the same kinds, so the server's own view is left out. */
  private static Dependency unmeasured(Dependency view) {
    return new Dependency() {
      @Override
      public Readiness readiness() {
        return view.readiness();
      }

      @Override
      public void bindTo(MeterRegistry registry) {}
    };
  }

  WebhookServer server() {
    return serving.server();
  }

  /** Answers to the end what the API server asks of us because of what we write. */
  @Override
  public void close() {
    scheduler.close();
    serving.close();
    trials.close();
  }

  /** The quotas as the scheduler knows them, and its engine to try edits on. */
  private record SchedulerQuotas(RejoiningScheduler scheduler, QuotaEditTrials trials)
      implements QuotaSource {
    @Override
    public Optional<Snapshot> snapshot() {
      return scheduler.snapshot();
    }

    @Override
    public boolean foreseesLosses() {
      return true;
    }

    @Override
    public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
      return trials.losses(clusterQueue);
    }
  }
}
