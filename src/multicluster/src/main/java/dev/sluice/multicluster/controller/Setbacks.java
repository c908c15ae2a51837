package dev.sluice.multicluster.controller;

import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects whose last batch for a worker failed, and when each may be tried again. The more
 * often a batch fails, the longer its object waits.
 *
 * <p>Nothing tells a manager that a right was granted on a worker. So of the objects to which the
 * worker refuses the same in one namespace, one is tried each second. When its batch succeeds, the
 * others are tried: first two, and twice as many after each success, since a refusal may be about
 * one object only. Not thread-safe.
 */
final class Setbacks {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LAST_PAUSE = Duration.ofSeconds(60);

  /** How often one object of a refusal is tried. */
  private static final Duration PROBE_PAUSE = Duration.ofSeconds(1);

  /** After which an object that was not tried again is not waited for any more. */
  private static final Duration PROBE_LOST = Duration.ofSeconds(5);

  /** How many refusals are probed at the same time. */
  private static final int PROBED = 20;

  private static final int MOST_AT_ONCE = 1024;

  private final LongSupplier nanoTime;
  private final Map<TypedObjectKey, Setback> setbacks = new HashMap<>();
  private final Map<Denial, Probe> probes = new HashMap<>();

  /** What a worker refuses. */
  private record Denial(String verb, String resource, String namespace) {
    static Optional<Denial> of(TypedObjectKey key, Optional<WaitingReason> reason) {
      return reason
          .filter(WaitingReason.Refused.class::isInstance)
          .map(WaitingReason.Refused.class::cast)
          .map(it -> new Denial(it.verb(), it.resource(), key.namespace()));
    }
  }

  /**
   * The consecutive failures of batches for an object.
   *
   * @param until when it may be tried again
   * @param retry plans it again
   */
  private record Setback(int times, long until, Optional<WaitingReason> reason, Runnable retry) {}

  /**
   * The object of a refusal that is tried, and those that wait for what becomes of it. Without an
   * object, the next one that is refused is the one.
   */
  private static final class Probe {
    private @Nullable TypedObjectKey key;
    private long tried;
    private int atOnce = 1;
    private final Set<TypedObjectKey> waiting = new LinkedHashSet<>();

    private Probe(TypedObjectKey key, long tried) {
      this.key = key;
      this.tried = tried;
    }
  }

  Setbacks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** How long an object has to wait; empty if it may be tried. */
  Optional<Duration> left(TypedObjectKey key) {
    return Optional.ofNullable(setbacks.get(key))
        .map(it -> Duration.ofNanos(it.until() - nanoTime.getAsLong()))
        .filter(Duration::isPositive);
  }

  boolean has(TypedObjectKey key) {
    return setbacks.containsKey(key);
  }

  /** Why the last batch for an object failed. */
  Optional<WaitingReason> reason(TypedObjectKey key) {
    return Optional.ofNullable(setbacks.get(key)).flatMap(Setback::reason);
  }

  /**
   * Drops what is known of an object.
   *
   * @return plans another one again that is tried in its place
   */
  List<Runnable> forget(TypedObjectKey key) {
    Probe probe = probeOf(key);
    setbacks.remove(key);
    if (probe == null) {
      return List.of();
    }
    probe.waiting.remove(key);
    if (!key.equals(probe.key)) {
      return List.of();
    }
    probe.key = null;
    return release(probe, 1);
  }

  /** The probe of what was refused to an object. */
  private @Nullable Probe probeOf(TypedObjectKey key) {
    return Denial.of(key, reason(key)).map(probes::get).orElse(null);
  }

  /** Drops what is known of all objects in these namespaces. */
  void forget(Set<String> namespaces) {
    setbacks.keySet().removeIf(it -> namespaces.contains(it.namespace()));
    probes.keySet().removeIf(it -> namespaces.contains(it.namespace()));
  }

  /**
   * A batch succeeded.
   *
   * @return plans those again that may be tried now
   */
  List<Runnable> succeeded(TypedObjectKey key) {
    List<Runnable> retries = passed(key);
    setbacks.remove(key);
    return retries;
  }

  /** What was refused to an object is not refused any more. */
  private List<Runnable> passed(TypedObjectKey key) {
    Probe probe = probeOf(key);
    if (probe == null) {
      return List.of();
    }
    probe.waiting.remove(key);
    if (key.equals(probe.key)) {
      probe.key = null;
    }
    probe.atOnce = Math.min(2 * probe.atOnce, MOST_AT_ONCE);
    return release(probe, probe.atOnce);
  }

  /** Lets so many of those that wait be tried now. */
  private List<Runnable> release(Probe probe, int most) {
    List<Runnable> retries = new ArrayList<>();
    Iterator<TypedObjectKey> waiting = probe.waiting.iterator();
    while (waiting.hasNext() && retries.size() < most) {
      TypedObjectKey key = waiting.next();
      waiting.remove();
      Setback before = setbacks.get(key);
      if (before != null) {
        setbacks.put(
            key,
            new Setback(before.times(), nanoTime.getAsLong(), before.reason(), before.retry()));
        retries.add(before.retry());
      }
    }
    return retries;
  }

  /**
   * A batch failed.
   *
   * @param reason empty if only the object was another than planned
   * @param retry plans the object again
   * @return plans those again that may be tried now, since another request is refused than before
   */
  List<Runnable> failed(TypedObjectKey key, Optional<WaitingReason> reason, Runnable retry) {
    Setback before = setbacks.get(key);
    int times = before == null ? 1 : before.times() + 1;
    Duration pause = pause(times);
    Denial denial = Denial.of(key, reason).orElse(null);
    boolean isAnother = denial != null && !Denial.of(key, reason(key)).equals(Optional.of(denial));
    List<Runnable> retries = isAnother ? passed(key) : List.of();
    if (denial != null && isProbe(denial, key)) {
      pause = pause.compareTo(PROBE_PAUSE) < 0 ? pause : PROBE_PAUSE;
    }
    setbacks.put(key, new Setback(times, nanoTime.getAsLong() + pause.toNanos(), reason, retry));
    return retries;
  }

  /** Whether the object is the one of its refusal that is tried; otherwise it waits for that. */
  private boolean isProbe(Denial denial, TypedObjectKey key) {
    long now = nanoTime.getAsLong();
    Probe probe = probes.get(denial);
    if (probe == null) {
      probes.values().removeIf(it -> isLost(it, now));
      if (probes.size() >= PROBED) {
        return false;
      }
      probe = new Probe(key, now);
      probes.put(denial, probe);
    }
    probe.atOnce = 1;
    if (!key.equals(probe.key) && probe.key != null && !isLost(probe, now)) {
      probe.waiting.add(key);
      return false;
    }
    probe.key = key;
    probe.tried = now;
    probe.waiting.remove(key);
    return true;
  }

  private static boolean isLost(Probe probe, long now) {
    return now - probe.tried > PROBE_LOST.toNanos();
  }

  private static Duration pause(int times) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.clamp(times - 1, 0, 10));
    return pause.compareTo(LAST_PAUSE) < 0 ? pause : LAST_PAUSE;
  }
}
