package dev.sluice.scheduler.queue;

import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the API server refused a write of. They are left out of the passes for a time
 * that grows with each refusal, so that the others are written as usual. An object that changes is
 * tried again at once. One thread.
 */
final class RefusedWrites {
  /**
   * An object as it was stored. What is planned for it may differ between two passes in its times
   * alone, so the plan is not compared.
   */
  private record Version(ObjectRef object, @Nullable String resourceVersion) {
    static Version of(Write write) {
      return new Version(
          write.target(), write instanceof Write.MergePatch patch ? patch.resourceVersion() : null);
    }
  }

  private record Refusal(int times, long since, long pause) {
    long left(long now) {
      return Math.max(0, pause - (now - since));
    }
  }

  private final ExponentialBackoff pauses;
  private final Map<Version, Refusal> refusals = new HashMap<>();

  RefusedWrites(ExponentialBackoff pauses) {
    this.pauses = pauses;
  }

  /**
   * The writes of a pass that are to be sent now. What is not planned any more is forgotten.
   *
   * @param now by a monotonic clock, in nanoseconds
   */
  List<Write> due(List<Write> planned, long now) {
    if (refusals.isEmpty()) {
      return planned;
    }
    Set<Version> versions = new HashSet<>();
    planned.forEach(write -> versions.add(Version.of(write)));
    refusals.keySet().retainAll(versions);
    return planned.stream().filter(write -> isDue(write, now)).toList();
  }

  private boolean isDue(Write write, long now) {
    Refusal refusal = refusals.get(Version.of(write));
    return refusal == null || refusal.left(now) == 0;
  }

  /** The API server refused that write. */
  void refused(Write write, long now) {
    Version version = Version.of(write);
    Refusal before = refusals.get(version);
    int times = before == null ? 1 : before.times() + 1;
    refusals.put(version, new Refusal(times, now, pauses.after(times).toNanos()));
  }

  /** Forgets all: another replica writes now. */
  void forget() {
    refusals.clear();
  }

  /** How long until the next of them is to be tried again; the longest time if there is none. */
  long left(long now) {
    return refusals.values().stream().mapToLong(it -> it.left(now)).min().orElse(Long.MAX_VALUE);
  }
}
