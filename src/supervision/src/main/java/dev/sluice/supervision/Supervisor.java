package dev.sluice.supervision;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the parts of a process, their failures and their heartbeats. One for a process.
 * Thread-safe.
 */
public final class Supervisor implements MeterBinder {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

  private final ProcessEnd end;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Map<String, Part> parts = new TreeMap<>();
  private final List<MeterRegistry> registries = new ArrayList<>();
  private final Set<Heartbeat> heartbeats = ConcurrentHashMap.newKeySet();
  private final List<Supplier<Optional<String>>> checks = new CopyOnWriteArrayList<>();

  /** A supervisor that ends this process. */
  public Supervisor() {
    this(new Halt(), InstantSource.system(), System::nanoTime);
  }

  /** A supervisor with this end and these clocks. */
  public Supervisor(ProcessEnd end, InstantSource clock, LongSupplier nanoTime) {
    this.end = end;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** The part of that name; the same one each time. */
  public synchronized Part part(String name) {
    Part known = parts.get(name);
    if (known == null) {
      known = new Part(name, this);
      parts.put(name, known);
      for (MeterRegistry registry : registries) {
        measure(known, registry);
      }
    }
    return known;
  }

  /** Counts the failures of all parts, also of later ones, as {@code sluice_failures_total}. */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    registries.add(registry);
    parts.values().forEach(part -> measure(part, registry));
  }

  private static void measure(Part part, MeterRegistry registry) {
    FunctionCounter.builder("sluice.failures", part, Part::failures)
        .description("Unexpected failures of a part, each followed by a restart or a retry")
        .tag("part", part.name())
        .register(registry);
  }

  /** Takes in what threads throw that belong to no part, as the part {@code other}. */
  public Supervisor watchOtherThreads() {
    Part other = part("other");
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, cause) -> other.failed(cause, "its thread " + thread.getName() + " has ended"));
    return this;
  }

  /**
   * Asks for something more than heartbeats.
   *
   * @param problem a sentence if something is wrong; must not wait
   */
  public void check(Supplier<Optional<String>> problem) {
    checks.add(problem);
  }

  /** Asks all parts; does not wait. */
  public Health health() {
    List<String> problems = new ArrayList<>();
    heartbeats.forEach(it -> it.problem().ifPresent(problems::add));
    checks.forEach(it -> it.get().ifPresent(problems::add));
    problems.sort(null);
    return new Health(problems);
  }

  /** How this process ends. */
  public ProcessEnd end() {
    return end;
  }

  Heartbeat heartbeat(String name, Duration deadline) {
    Heartbeat heartbeat = new Heartbeat(name, deadline, this);
    heartbeats.add(heartbeat);
    return heartbeat;
  }

  void forget(Heartbeat heartbeat) {
    heartbeats.remove(heartbeat);
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Such as {@code for 75 s, since 2026-11-23T07:41:02Z}. */
  String since(long then) {
    Duration age = Duration.ofNanos(nanoTime() - then);
    Instant at = clock.instant().minus(age).truncatedTo(ChronoUnit.SECONDS);
    return "for %d s, since %s".formatted(age.toSeconds(), at);
  }

  void lastWords(String sentence, Throwable cause) {
    LOG.error("{}", sentence, cause);
  }
}
