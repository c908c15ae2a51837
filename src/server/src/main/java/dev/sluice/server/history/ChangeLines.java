package dev.sluice.server.history;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.world.WorkloadReader;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.see.history.QuotaChange;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes lines of a history of the changes that a watch sees. Thread-safe. */
final class ChangeLines {
  private final HistoryTracker tracker;
  private final WorkloadReader reader;
  private final InstantSource clock;

  ChangeLines(HistoryTracker tracker, EngineConfiguration configuration, InstantSource clock) {
    this.tracker = tracker;
    this.reader = new WorkloadReader(configuration);
    this.clock = clock;
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  /** What the change says beyond what is known. */
  List<HistoryLine> lines(Change change) {
    return switch (change) {
      case Change.Upserted<?> upserted -> upserted(upserted.object());
      case Change.Deleted(var kind, var key, var uid) -> {
        if (kind == ObjectKind.WORKLOAD) {
          yield tracker.deleted(key, uid, now());
        }
        boolean cohort = kind == ObjectKind.COHORT;
        yield cohort || kind == ObjectKind.CLUSTER_QUEUE
            ? tracker.seen(QuotaChange.gone(cohort, key.name(), now()))
            : List.of();
      }
      case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ ->
          List.of();
    };
  }

  private List<HistoryLine> upserted(Object object) {
    return switch (object) {
      case Workload workload -> tracker.seen(state(workload), now());
      case ClusterQueue queue -> tracker.seen(QuotaChange.of(queue, now()));
      case Cohort cohort -> tracker.seen(QuotaChange.of(cohort, now()));
      default -> List.of();
    };
  }

  private WorkloadState state(Workload workload) {
    return reader.read(workload, UnaryOperator.identity(), DeviceCatalog.EMPTY);
  }

  /** What the Workload, as an API server has it, says beyond what is known. */
  List<HistoryLine> version(JsonNode workload) {
    try {
      return tracker.seen(state(HubObjects.read(Workload.class, workload)), now());
    } catch (MalformedObjectException _) {
      return List.of(); // as the engine ignores it
    }
  }
}
