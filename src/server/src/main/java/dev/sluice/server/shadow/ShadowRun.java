package dev.sluice.server.shadow;

import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.quota.Change;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.scheduler.engine.EngineChanges;
import dev.sluice.see.shadow.Judgement;
import dev.sluice.see.shadow.Shadow;
import dev.sluice.see.shadow.Verdict;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.see.SeeKinds;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches what a scheduler decides by, and compares. The threads of the watches only pass
 * changes on; one thread, that of {@link #turn}, does all the rest.
 */
public final class ShadowRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShadowRun.class);

  /** Changes that wait; where there are more, the watches wait. */
  private static final int MOST_WAITING = 65_536;

  private static final Duration SHORTEST_TICK = Duration.ofMillis(20);
  private static final Duration LONGEST_TICK = Duration.ofMillis(500);

  private record Seen(Instant at, Change change) {}

  private final InstantSource clock = InstantSource.system();
  private final Supervisor supervisor;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private final BlockingQueue<Seen> seen = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong passed = new AtomicLong();
  private final Connection connection;
  private final WatchedView view;
  private final Shadow shadow;
  private final KnownObjects objects = new KnownObjects();
  private final BiConsumer<Judgement, KnownObjects> listener;
  private final Map<Verdict, Counter> counters = new EnumMap<>(Verdict.class);
  private final Duration tick;
  private @Nullable ShadowPages pages;
  private Instant nextTick = Instant.MIN;
  private long firstLists = -1;
  private long taken;

  private ShadowRun(
      ClusterAccess access,
      EngineConfiguration configuration,
      Duration grace,
      BiConsumer<Judgement, KnownObjects> listener,
      Supervisor supervisor) {
    this.supervisor = supervisor;
    this.connection = Connection.to(access);
    this.listener = listener;
    this.shadow = new Shadow(configuration, grace);
    Duration part = grace.dividedBy(10);
    this.tick =
        part.compareTo(LONGEST_TICK) > 0
            ? LONGEST_TICK
            : part.compareTo(SHORTEST_TICK) < 0 ? SHORTEST_TICK : part;
    this.view =
        new WatchedView(
            connection,
            SeeKinds.of(configuration),
            WatchTimes.EAGER,
            new Random(),
            this::changed,
            supervisor);
    for (Verdict verdict : Verdict.values()) {
      counters.put(
          verdict,
          Counter.builder("sluice_shadow_decisions")
              .description("Decisions of another scheduler that were compared with ours.")
              .tag("result", verdict.label())
              .register(registry));
    }
    view.bindTo(registry);
    supervisor.bindTo(registry);
  }

  /**
   * Starts to watch; returns at once.
   *
   * @param grace how late the other scheduler may be seen to decide; positive
   * @param plain where health and metrics are served; null for nowhere
   * @param listener receives each comparison, with the objects at that time, by the thread of
   *     {@link #turn}
   * @param supervisor of all threads, whose health the port shows
   * @throws CommandException if the port cannot be had
   */
  public static ShadowRun start(
      ClusterAccess access,
      EngineConfiguration configuration,
      Duration grace,
      @Nullable ListenAddress plain,
      BiConsumer<Judgement, KnownObjects> listener,
      Supervisor supervisor) {
    var run = new ShadowRun(access, configuration, grace, listener, supervisor);
    try {
      if (plain != null) {
        run.pages = ShadowPages.start(plain, run.registry, run.supervisor, run::missing);
      }
      run.view.start();
      return run;
    } catch (RuntimeException e) {
      run.close();
      throw e;
    }
  }

  /** The plain port; 0 without one. */
  public int httpPort() {
    return pages == null ? 0 : pages.port();
  }

  private void changed(GroupKind kind, ObjectChange change) {
    EngineChanges.of(kind, change)
        .ifPresent(
            it -> {
              try {
                seen.put(new Seen(clock.instant(), it));
                passed.incrementAndGet();
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // the view is closed
              }
            });
  }

  /** What is not known yet, one sentence for each kind; empty once it compares. */
  public List<String> missing() {
    return view.statuses().stream()
        .filter(status -> !status.isComplete())
        .map(status -> status.kind() + status.problem().map(why -> ": " + why).orElse(""))
        .toList();
  }

  /** Whether all first lists are taken in, so that decisions are compared. */
  public boolean compares() {
    return firstLists >= 0 && taken >= firstLists;
  }

  /** Evictions for other reasons than a preemption, which are not compared. */
  public long otherEvictions() {
    return shadow.otherEvictions();
  }

  /**
   * Takes in what was seen, waiting for it for a short time. To be called again and again by one
   * thread.
   *
   * @throws InterruptedException if the thread is to end
   */
  public void turn() throws InterruptedException {
    if (firstLists < 0 && missing().isEmpty()) {
      firstLists = passed.get();
    }
    List<Seen> batch = new ArrayList<>();
    Seen first = seen.poll(tick.toMillis(), TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      seen.drainTo(batch);
    }
    for (Seen one : batch) {
      take(one);
    }
    if (!compares()) {
      return;
    }
    Instant now = clock.instant();
    if (!now.isBefore(nextTick)) {
      tell(shadow.tick(now));
      // no more than half of the time, whatever a look costs
      Instant end = clock.instant();
      Duration rest = Duration.between(now, end);
      nextTick = end.plus(rest.compareTo(tick) > 0 ? rest : tick);
    } else if (!batch.isEmpty()) {
      shadow.decide(now);
    }
  }

  private void take(Seen one) {
    try {
      objects.take(one.change());
      if (compares()) {
        tell(shadow.take(one.change(), one.at()));
      } else {
        shadow.load(one.change(), one.at());
      }
    } catch (RuntimeException e) {
      LOG.error("a change could not be compared: {}", one.change().getClass().getSimpleName(), e);
    }
    taken++;
  }

  private void tell(List<Judgement> judgements) {
    for (Judgement judgement : judgements) {
      Counter counter = counters.get(judgement.verdict());
      if (counter != null) {
        counter.increment();
      }
      listener.accept(judgement, objects);
    }
  }

  /** Judges what is still open; by the thread of {@link #turn}, after its last one. */
  public void end() {
    tell(shadow.end(clock.instant()));
  }

  @Override
  public void close() {
    view.close();
    if (pages != null) {
      pages.close();
    }
    connection.close();
    registry.close();
  }
}
