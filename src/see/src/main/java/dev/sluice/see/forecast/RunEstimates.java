package dev.sluice.see.forecast;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.WorkloadFacts;
import dev.sluice.see.runtimes.RunTimeEstimate;
import dev.sluice.see.runtimes.RunTimes;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The run times of the Workloads of a snapshot, estimated. For one thread. */
final class RunEstimates {
  private final Snapshot snapshot;
  private final Instant now;
  private final KnownRuns runs;
  private final Map<ObjectKey, Optional<RunTimeEstimate>> estimates = new HashMap<>();

  RunEstimates(Snapshot snapshot, Instant now, KnownRuns runs) {
    this.snapshot = snapshot;
    this.now = now;
    this.runs = runs;
  }

  /** How long that Workload runs; empty where nobody can say. */
  Optional<RunTimeEstimate> of(ObjectKey key) {
    return estimates.computeIfAbsent(
        key,
        it -> {
          WorkloadState state = snapshot.state(it);
          return state == null
              ? Optional.empty()
              : runs.model().of(facts(state).subject(), queue(state));
        });
  }

  /** For how many seconds a Workload that holds quota has run. */
  double elapsed(WorkloadState holder) {
    Held held = facts(holder).held();
    return held == null ? 0 : RunTimes.ran(held, now);
  }

  /** What is known of it, and what this version of it adds to that. */
  private WorkloadFacts facts(WorkloadState state) {
    WorkloadFacts facts = runs.facts().apply(state.key());
    boolean isSame = facts != null && facts.subject().uid().equals(state.uid());
    return WorkloadFacts.step(isSame ? facts : null, state, now).facts();
  }

  private String queue(@Nullable WorkloadState state) {
    if (state == null) {
      return "";
    }
    String waitsIn = snapshot.queueFor(state);
    return state.holdsQuota() ? state.reservedIn() : waitsIn == null ? "" : waitsIn;
  }
}
