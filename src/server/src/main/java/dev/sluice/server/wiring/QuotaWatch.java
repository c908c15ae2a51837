package dev.sluice.server.wiring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.scheduler.engine.EngineChanges;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.ledger.Entry;
import dev.sluice.scheduler.ledger.LedgerFollower;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Dependency;
import dev.sluice.supervision.Readiness;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.fence.QuotaSource;
import dev.sluice.webhook.fence.Reservation;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An engine that follows the watches of a view and decides nothing. */
final class QuotaWatch implements AutoCloseable {
  private static final List<GroupKind> NEEDED =
      List.of(
          ApiKind.WORKLOAD.groupKind(),
          ApiKind.CLUSTER_QUEUE.groupKind(),
          ApiKind.COHORT.groupKind());

  private final EngineLoop engine;
  private final SettingsAgreement agreement;
  private final @Nullable LedgerFollower ledger;
  private final @Nullable QuotaEdits edits;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /**
   * An empty engine.
   *
   * @param socket the ledger socket of a scheduler; null for none
   * @param edits asks a scheduler who loses quota by an edit; null for none
   */
  QuotaWatch(
      Chosen chosen, @Nullable Path socket, @Nullable QuotaEdits edits, Supervisor supervisor) {
    agreement = new SettingsAgreement(RoleSettings.of(chosen.configuration(), chosen.extensions()));
    this.edits = edits;
    ledger =
        socket == null
            ? null
            : new LedgerFollower(socket, System::nanoTime, agreement::compare, supervisor);
    engine =
        new EngineLoop(
            new QuotaEngine(EngineConfiguration.of(chosen.configuration())),
            InstantSource.system(),
            new Moves(),
            supervisor);
  }

  /** Starts the thread. */
  void start() {
    engine.start();
    if (ledger != null) {
      ledger.start();
    }
  }

  /** Receives a change of the view; blocks while the queue of changes is full. */
  void changed(GroupKind kind, ObjectChange change) {
    EngineChanges.of(kind, change).ifPresent(engine::submit);
  }

  /** The quotas as far as that view is complete. */
  QuotaSource source(ClusterView view) {
    return new QuotaSource() {
      @Override
      public Optional<Snapshot> snapshot() {
        return NEEDED.stream().allMatch(view::knows)
            ? Optional.of(engine.snapshot())
            : Optional.empty();
      }

      @Override
      public void onMove(Runnable listener) {
        listeners.add(listener);
      }

      @Override
      public boolean foreseesLosses() {
        return edits != null;
      }

      // the engine here does not know what waiting Workloads request; that of a scheduler does
      @Override
      public Optional<List<QuotaLoss>> losses(JsonNode clusterQueue) {
        return edits == null ? Optional.empty() : edits.losses(clusterQueue);
      }

      @Override
      public Collection<Reservation> decided() {
        return ledger == null
            ? List.of()
            : ledger.fresh().stream().map(QuotaWatch::reservation).toList();
      }
    };
  }

  private static Reservation reservation(Entry entry) {
    return new Reservation(
        entry.workload(), entry.uid(), entry.version(), entry.clusterQueue(), entry.usage());
  }

  private boolean follows() {
    return ledger != null && ledger.isFollowing();
  }

  /** That dependency, with meters of where the quotas are known from. */
  Dependency measuredWith(Dependency other) {
    return new Dependency() {
      @Override
      public Readiness readiness() {
        return other.readiness();
      }

      @Override
      public void bindTo(MeterRegistry registry) {
        other.bindTo(registry);
        source(registry, "ledger", () -> follows() ? 1 : 0);
        source(registry, "watches", () -> follows() ? 0 : 1);
        if (ledger != null) {
          agreement.bindTo(registry);
          Gauge.builder("sluice.ledger.entries", ledger, LedgerFollower::size)
              .description("Workloads with quota by the ledger that is followed")
              .register(registry);
          FunctionCounter.builder("sluice.ledger.breaks", ledger, LedgerFollower::breaks)
              .description("How often the ledger was followed and then was not")
              .register(registry);
        }
      }
    };
  }

  private static void source(MeterRegistry registry, String name, Supplier<Number> value) {
    Gauge.builder("sluice.ledger.source", value)
        .description("1 for where the reservations are known from at this moment")
        .tag("source", name)
        .register(registry);
  }

  @Override
  public void close() {
    if (ledger != null) {
      ledger.close();
    }
    engine.close();
  }

  /** Receives moves only. */
  private final class Moves implements EngineLoop.Listener {
    @Override
    public void decided(List<StatusUpdate> decisions) {}

    @Override
    public void queuesChanged(Set<String> clusterQueues) {}

    @Override
    public void moved() {
      listeners.forEach(Runnable::run);
    }

    @Override
    public void cycled(CycleResult result, long nanos) {}

    /** An engine without cycles needs no audit; the scheduler's engine is audited. */
    @Override
    public void found(List<String> findings) {}
  }
}
