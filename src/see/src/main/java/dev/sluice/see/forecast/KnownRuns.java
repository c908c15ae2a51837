package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.history.WorkloadFacts;
import dev.sluice.see.runtimes.RunTimeModel;
import dev.sluice.see.runtimes.RunTimes;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the run times of Workloads at one moment. For one thread.
 *
 * @param facts what a history knows of a Workload, or null
 */
public record KnownRuns(RunTimeModel model, Function<ObjectKey, @Nullable WorkloadFacts> facts) {
  /** That of no history: nothing but what users say themselves. */
  public static KnownRuns none(Instant now) {
    return new KnownRuns(new RunTimes().model(List.of(), now), _ -> null);
  }
}
