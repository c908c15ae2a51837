package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.scheduler.engine.EngineChanges;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.server.history.HistoryRecorder;
import dev.sluice.server.whatif.StoredObjects;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine that follows the queues and Workloads of a cluster and decides nothing. Thread-safe;
 * reads nothing before {@link #start}.
 */
final class QueueWatch implements QueueSource, StoredObjects, AutoCloseable {
  /**
   * How long a state is shown, so that those who ask at about the same time share answers. Short
   * beside the second after which a page asks again.
   */
  private static final Duration SHOWN = Duration.ofMillis(250);

  private final EngineLoop engine;

  /** Is told of each change; set before the start. */
  private volatile Consumer<Change> listener = _ -> {};

  private final WatchedView view;
  private final String replica = UUID.randomUUID().toString();

  private final ChangeLag lag;

  /** Takes the time of forks; null until there is a registry. */
  private volatile @Nullable Timer forks;

  /** The changes that make the first lists; -1 while these are not complete. */
  @GuardedBy("this")
  private long firstLists = -1;

  @GuardedBy("this")
  private @Nullable QueueState last;

  /** When the last state was new. */
  @GuardedBy("this")
  private long lastNanos;

  @GuardedBy("this")
  private long states;

  /** The last fork that was wanted; others are forked of it as long as its state is the present. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<QueueFork> lastFork;

  /** One that follows these kinds. */
  QueueWatch(
      Connection connection,
      EngineConfiguration configuration,
      List<WatchedKind> kinds,
      WatchTimes times,
      Supervisor supervisor) {
    engine =
        new EngineLoop(
            new QuotaEngine(configuration),
            InstantSource.system(),
            EngineLoop.Listener.NONE,
            supervisor);
    lag = new ChangeLag(engine.changes()::submitted, engine.changes()::published, System::nanoTime);
    view = new WatchedView(connection, kinds, times, new Random(), this::changed, supervisor);
  }

  /** Has that told of each change, by the threads of the watches; to be called before the start. */
  void tell(Consumer<Change> told) {
    listener = told;
  }

  /** Starts the watches; returns at once. */
  void start() {
    engine.start();
    view.start();
  }

  private void changed(GroupKind kind, ObjectChange change) {
    EngineChanges.of(kind, change)
        .ifPresent(
            it -> {
              lag.submitting();
              engine.submit(it);
              listener.accept(it);
            });
  }

  @Override
  public List<String> missing() {
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

  @Override
  public Optional<QueueState> state() {
    return missing().isEmpty() ? Optional.of(shown()) : Optional.empty();
  }

  private synchronized QueueState shown() {
    QueueState known = last;
    return known == null || System.nanoTime() - lastNanos > SHOWN.toNanos()
        ? numbered(engine.snapshot())
        : known;
  }

  private synchronized QueueState numbered(Snapshot snapshot) {
    QueueState known = last;
    if (known == null || known.snapshot() != snapshot) {
      known =
          new QueueState(
              snapshot,
              "\"%s-%d\"".formatted(replica, states++),
              InstantSource.system().instant().truncatedTo(ChronoUnit.MILLIS));
      last = known;
      lastNanos = System.nanoTime();
    }
    return known;
  }

  @Override
  public synchronized CompletableFuture<QueueFork> fork() {
    CompletableFuture<QueueFork> known = lastFork;
    if (known == null || !isPresent(known)) {
      long began = System.nanoTime();
      known =
          engine
              .fork()
              .thenApply(
                  it -> {
                    measure(System.nanoTime() - began);
                    return new QueueFork(it.engine(), numbered(it.snapshot()));
                  });
      lastFork = known;
    }
    return known;
  }

  private void measure(long forkNanos) {
    Timer timer = forks;
    if (timer != null) {
      timer.record(forkNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Whether a fork has the present state. One that is still being made may be older. */
  @SuppressWarnings("ReferenceEquality") // another snapshot is another state
  private boolean isPresent(CompletableFuture<QueueFork> fork) {
    return fork.state() == Future.State.SUCCESS
        && fork.resultNow().state().snapshot() == engine.snapshot();
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, ObjectKey key) {
    return view.find(kind, key.namespace(), key.name());
  }

  @Override
  public Collection<JsonNode> all(GroupKind kind) {
    return view.all(kind);
  }

  /** The objects as they are known, for what is made of their versions. */
  HistoryRecorder.Known known() {
    return new HistoryRecorder.Known() {
      @Override
      public boolean isComplete() {
        return missing().isEmpty();
      }

      @Override
      public @Nullable JsonNode workload(ObjectKey key) {
        return find(ApiKind.WORKLOAD.groupKind(), key).orElse(null);
      }

      @Override
      public Iterable<JsonNode> workloads() {
        return all(ApiKind.WORKLOAD.groupKind());
      }
    };
  }

  /** Measures how well each kind is known, how far the state is behind, and forks of the engine. */
  void bindTo(MeterRegistry registry) {
    view.bindTo(registry);
    Gauge.builder("sluice_see_behind_seconds", lag::seconds)
        .description("For how long the newest state has lacked a change that was watched")
        .register(registry);
    forks =
        Timer.builder("sluice.fork")
            .description("Forks of the engine, from the request to the fork")
            .register(registry);
  }

  @Override
  public void close() {
    view.close();
    engine.close();
  }
}
