package dev.sluice.cluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The view of a cluster for rules and controllers, kept up to date by one watch for each kind. It
 * fills after {@link #start}; a kind is known once all its objects are listed, and as long as the
 * API server serves it. If a watch breaks, the last state is still used, and its age is reported.
 *
 * <p>Readers never block. Thread-safe.
 */
public final class WatchedView implements ClusterView, AutoCloseable {
  /** How much later than the longest silence of a watch its thread counts as stuck. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  private final Map<GroupKind, Reflector> reflectors = new LinkedHashMap<>();
  private final Supervisor supervisor;
  private final Duration deadline;
  private final List<SupervisedThread> threads = new ArrayList<>();
  private boolean closed;

  /** A view of these kinds that knows nothing yet. */
  public WatchedView(
      Connection connection, List<WatchedKind> kinds, WatchTimes times, RandomGenerator random) {
    this(connection, kinds, times, random, (_, _) -> {}, new Supervisor());
  }

  /**
   * An empty view of these kinds.
   *
   * @param listener receives each change of an object, after readers can see it, in the order of
   *     that kind, on the thread of its watch, which waits for it; a failed call is repeated a few
   *     times
   * @param supervisor of the watches, each of which is a part
   */
  public WatchedView(
      Connection connection,
      List<WatchedKind> kinds,
      WatchTimes times,
      RandomGenerator random,
      BiConsumer<GroupKind, ObjectChange> listener,
      Supervisor supervisor) {
    this.supervisor = supervisor;
    this.deadline = times.silence().plus(times.call().multipliedBy(2)).plus(LEEWAY);
    Served served = new Served(connection, times.discovery());
    for (WatchedKind kind : kinds) {
      reflectors.put(
          kind.kind(),
          new Reflector(
              kind,
              connection,
              served,
              times,
              random,
              change -> listener.accept(kind.kind(), change),
              supervisor.part(name(kind.kind()))));
    }
  }

  private static String name(GroupKind kind) {
    return "watch-" + kind.toString().toLowerCase(Locale.ROOT);
  }

  /** Starts to fill it; returns at once. */
  public synchronized void start() {
    if (closed || !threads.isEmpty()) {
      return;
    }
    reflectors.forEach(
        (kind, reflector) ->
            threads.add(
                supervisor
                    .part(name(kind))
                    .thread(Thread.ofVirtual(), deadline, reflector::step)
                    .start()));
  }

  /** Whether that kind is watched, served or not. */
  public boolean watches(GroupKind kind) {
    return reflectors.containsKey(kind);
  }

  @Override
  public boolean knows(GroupKind kind) {
    Reflector reflector = reflectors.get(kind);
    return reflector != null && reflector.isKnown();
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    Reflector reflector = reflectors.get(kind);
    return reflector == null ? Optional.empty() : reflector.store().find(namespace, name);
  }

  @Override
  public List<JsonNode> list(GroupKind kind, String namespace) {
    Reflector reflector = reflectors.get(kind);
    return reflector == null ? List.of() : reflector.store().list(namespace);
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String ownerUid) {
    Reflector reflector = reflectors.get(kind);
    return reflector == null ? List.of() : reflector.store().controlledBy(ownerUid);
  }

  /** Every object of that kind, in the order of namespace and name; follows what happens. */
  public Collection<JsonNode> all(GroupKind kind) {
    Reflector reflector = reflectors.get(kind);
    return reflector == null ? List.of() : reflector.store().all();
  }

  /**
   * The resourceVersion up to which this view has, and has reported, all changes of that kind; 0
   * while that is unknown. Versions of different kinds can be compared, since the API server counts
   * them together.
   */
  public long reached(GroupKind kind) {
    Reflector reflector = reflectors.get(kind);
    return reflector == null ? 0 : reflector.reached();
  }

  /** How well each kind is known, in the order in which they were named. */
  public List<KindStatus> statuses() {
    return reflectors.values().stream().map(Reflector::status).toList();
  }

  /**
   * What is missing until this view is complete, one sentence for each kind with the reason if
   * there is one; empty if it is complete. Kinds that the API server can list only through our
   * conversion webhook are left out, since that requires this server to be ready.
   */
  public List<String> missing() {
    return incomplete(reflector -> !reflector.waitsForUs());
  }

  /**
   * The same of all kinds: for who decides by what is there, and answers no conversions itself. A
   * kind whose objects cannot be listed yet may have some.
   */
  public List<String> unlisted() {
    return incomplete(_ -> true);
  }

  private List<String> incomplete(Predicate<Reflector> which) {
    return reflectors.values().stream()
        .filter(which)
        .map(Reflector::status)
        .filter(status -> !status.isComplete())
        .map(status -> status.kind() + status.problem().map(why -> ": " + why).orElse(""))
        .toList();
  }

  /** One line that summarises the view, problems first. */
  public String summary() {
    List<String> problems = new ArrayList<>();
    Duration oldest = Duration.ZERO;
    int objects = 0;
    for (KindStatus status : statuses()) {
      objects += status.objects();
      Duration age = status.age().orElse(Duration.ZERO);
      oldest = status.state() != State.NOT_SERVED && age.compareTo(oldest) > 0 ? age : oldest;
      status.problem().ifPresent(problem -> problems.add(status.kind() + ": " + problem));
    }
    String size =
        "view: %d kinds, %d objects, heard of within %d s"
            .formatted(reflectors.size(), objects, oldest.toSeconds());
    return problems.isEmpty() ? size : size + "; " + String.join("; ", problems);
  }

  /**
   * Measures for each kind how old the view is ({@code sluice_view_age_seconds}), the number of
   * objects ({@code sluice_view_objects}), whether the API server serves it ({@code
   * sluice_view_served}), how often it was compared with the API server ({@code
   * sluice_resync_total}) and how many objects differed ({@code sluice_resync_missed_total}).
   */
  public void bindTo(MeterRegistry registry) {
    reflectors.forEach(
        (kind, reflector) -> {
          Gauge.builder("sluice.view.age.seconds", reflector, WatchedView::ageSeconds)
              .description("Time since the last answer of the API server for a kind")
              .tag("kind", kind.toString())
              .register(registry);
          Gauge.builder("sluice.view.served", reflector, it -> it.isServed() ? 1 : 0)
              .description("Whether the API server serves a kind that is watched")
              .tag("kind", kind.toString())
              .register(registry);
          Gauge.builder("sluice.view.objects", reflector, it -> it.store().size())
              .description("Objects of a kind in the view")
              .tag("kind", kind.toString())
              .register(registry);
          FunctionCounter.builder("sluice.resync", reflector, Reflector::resyncs)
              .description("How often all objects of a kind were compared with the API server's")
              .tag("kind", kind.toString())
              .register(registry);
          FunctionCounter.builder("sluice.resync.missed", reflector, Reflector::missed)
              .description("Objects of a kind that differed from what the watch had delivered")
              .tag("kind", kind.toString())
              .register(registry);
        });
  }

  private static double ageSeconds(Reflector reflector) {
    return reflector.status().age().map(age -> age.toMillis() / 1000.0).orElse(Double.NaN);
  }

  /** Stops watching; what is known stays readable. Waits a moment for the watches to end. */
  @Override
  public void close() {
    List<SupervisedThread> running;
    synchronized (this) {
      closed = true;
      running = List.copyOf(threads);
    }
    running.forEach(thread -> thread.close(Duration.ZERO));
    running.forEach(thread -> thread.close(Duration.ofSeconds(1)));
  }
}
