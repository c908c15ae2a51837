package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.runtimes.RunGroup;
import java.time.Instant;
import java.util.Optional;

/**
 * When a waiting Workload will get quota.
 *
 * @param uid of the Workload
 * @param clusterQueue that it waits in
 * @param raw as the queues were played forward
 * @param band the same, adjusted to what came true before
 */
public record Forecast(
    ObjectKey workload,
    String uid,
    String clusterQueue,
    Status status,
    Band raw,
    Band band,
    Basis basis) {
  /** What can be said. */
  public enum Status {
    /** It gets quota at once. */
    NOW("Now"),
    /** It gets quota between two times. */
    WINDOW("Window"),
    /** Probably not before the horizon. */
    BEYOND_HORIZON("BeyondHorizon"),
    /** Not before something changes that nobody can foresee, such as a quota. */
    BLOCKED("Blocked"),
    /** Too few runs have ended to know how long those run that hold the quota. */
    TOO_LITTLE_HISTORY("TooLittleHistory");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    /** As the API spells it. */
    public String text() {
      return text;
    }
  }

  /**
   * What a forecast rests on.
   *
   * @param asOf the moment of the forecast
   * @param group from which the run time of the Workload itself is estimated; empty for none
   * @param samples runs of that group
   * @param plays how often the queues were played forward
   */
  public record Basis(Instant asOf, Optional<RunGroup> group, int samples, int plays) {}

  /** The same with another band. */
  Forecast with(Band adjusted) {
    return new Forecast(workload, uid, clusterQueue, status, raw, adjusted, basis);
  }

  /** The time after so many seconds. */
  public Instant at(double seconds) {
    return basis.asOf().plus(Band.duration(seconds));
  }
}
