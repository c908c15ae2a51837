package dev.sluice.server.see;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKinds;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.scheduler.engine.EngineChanges;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An engine that follows the queues and Workloads of a cluster and decides nothing. Thread-safe;
 * reads nothing before {@link #start}.
 */
final class QueueWatch implements AutoCloseable {
  private final EngineLoop engine;
  private final WatchedView view;
  private final String replica = UUID.randomUUID().toString();

  /** The changes that make the first lists; -1 while these are not complete. */
  @GuardedBy("this")
  private long firstLists = -1;

  @GuardedBy("this")
  private @Nullable QueueState last;

  @GuardedBy("this")
  private long states;

  QueueWatch(
      Connection connection,
      EngineConfiguration configuration,
      WatchTimes times,
      Supervisor supervisor) {
    engine =
        new EngineLoop(
            new QuotaEngine(configuration),
            InstantSource.system(),
            EngineLoop.Listener.NONE,
            supervisor);
    view =
        new WatchedView(
            connection, WatchedKinds.ofQueues(), times, new Random(), this::changed, supervisor);
  }

  /** Starts the watches; returns at once. */
  void start() {
    engine.start();
    view.start();
  }

  private void changed(GroupKind kind, ObjectChange change) {
    EngineChanges.of(kind, change).ifPresent(engine::submit);
  }

  /** What is not known yet, a phrase each; empty once all was known. */
  List<String> missing() {
    List<String> lists =
        view.statuses().stream()
            .filter(status -> !status.isComplete())
            .map(status -> status.kind() + status.problem().map(why -> ": " + why).orElse(""))
            .toList();
    return lists.isEmpty() && !hasFirstLists()
        ? List.of("the last of the first lists is being read")
        : lists;
  }

  private synchronized boolean hasFirstLists() {
    if (firstLists < 0) {
      firstLists = engine.changes().submitted();
    }
    return engine.changes().published() >= firstLists;
  }

  /** The state of the queues; empty while something is missing. */
  Optional<QueueState> state() {
    return missing().isEmpty() ? Optional.of(numbered(engine.snapshot())) : Optional.empty();
  }

  private synchronized QueueState numbered(Snapshot snapshot) {
    QueueState known = last;
    if (known == null || known.snapshot() != snapshot) {
      known = new QueueState(snapshot, "\"%s-%d\"".formatted(replica, states++));
      last = known;
    }
    return known;
  }

  /** Measures how well each kind is known. */
  void bindTo(MeterRegistry registry) {
    view.bindTo(registry);
  }

  @Override
  public void close() {
    view.close();
    engine.close();
  }
}
