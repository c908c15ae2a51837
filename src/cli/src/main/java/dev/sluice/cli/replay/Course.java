package dev.sluice.cli.replay;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.scheduler.recorder.RecordingReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a recording apart from decisions: which work arrived when and how long it ran,
 * and how queues and other objects changed. For one thread.
 */
final class Course implements RecordingReader.Visitor {
  /** A change of anything but a Workload. */
  record Edit(Instant at, Change change) {}

  /**
   * A piece of work.
   *
   * @param workload without a status
   * @param ran how long it ran; null if it did not end in the recording
   * @param withdrawn when it was deleted without ever having quota; null if it was not
   */
  record Work(
      Workload workload, Instant arrived, @Nullable Duration ran, @Nullable Instant withdrawn) {}

  private static final class Life {
    private final Workload workload;
    private final Instant arrived;
    private @Nullable Instant reserved;
    private @Nullable Duration ran;
    private @Nullable Instant withdrawn;

    Life(Workload workload, Instant arrived) {
      this.workload = workload;
      this.arrived = arrived;
    }

    void end(Instant at, boolean deleted) {
      if (ran != null || withdrawn != null) {
        return;
      }
      if (reserved != null) {
        ran = Duration.between(reserved, at);
      } else if (deleted) {
        withdrawn = at;
      }
    }
  }

  private final List<Edit> edits = new ArrayList<>();
  private final List<Life> lives = new ArrayList<>();
  private final Map<ObjectKey, Life> living = new HashMap<>();
  private final Map<ObjectKey, String> queues = new HashMap<>();
  private EngineConfiguration configuration = EngineConfiguration.defaults();
  private @Nullable Instant start;
  private Instant end = Instant.EPOCH;
  private boolean knowsState;

  @Override
  public void segment(Path file, SegmentHeader header, boolean continues) {
    configuration = ConfigurationDocument.read(header.configuration());
    knowsState &= continues || header.fresh();
  }

  @Override
  public boolean event(Path file, RecordedEvent event) {
    Instant at = event.at();
    if (at.isAfter(end)) {
      end = at;
    }
    switch (event.event()) {
      case Event.Checkpoint(var state) -> {
        if (!knowsState) {
          state.forEach(change -> take(at, change));
        }
        knowsState = true;
      }
      case Event.Applied(var change) -> {
        start = start == null ? at : start;
        take(at, change);
      }
      case Event.Cycled(var outcomes) -> outcomes.forEach(it -> decided(at, it));
      case Event.Looked _, Event.Failed _, Event.Ended _ -> {
        // nothing happened
      }
    }
    return true;
  }

  private void take(Instant at, Change change) {
    switch (change) {
      case Change.Upserted<?>(_, Workload workload) -> seen(at, workload);
      case Change.Upserted<?> upserted -> edits.add(new Edit(at, upserted));
      case Change.Deleted(var kind, var key, _) -> {
        if (kind != ObjectKind.WORKLOAD) {
          edits.add(new Edit(at, change));
        } else {
          Life life = living.remove(key);
          if (life != null) {
            life.end(at, true);
          }
        }
      }
      case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ -> {
        // of decisions
      }
    }
  }

  private void seen(Instant at, Workload workload) {
    ObjectKey key = ObjectKey.of(workload.metadata());
    WorkloadStatus status = workload.status();
    boolean finished = status.isTrue(ConditionTypes.FINISHED);
    Life life = living.get(key);
    if (life == null) {
      if (finished) {
        return;
      }
      life = new Life(workload.with(WorkloadStatus.EMPTY), at);
      living.put(key, life);
      lives.add(life);
    }
    if (finished) {
      life.end(at, false);
    } else if (status.isTrue(ConditionTypes.QUOTA_RESERVED) && life.reserved == null) {
      life.reserved = at;
    } else if (status.isTrue(ConditionTypes.EVICTED)
        && !status.isTrue(ConditionTypes.QUOTA_RESERVED)) {
      life.reserved = null; // it starts over
    }
  }

  private void decided(Instant at, RecordedOutcome outcome) {
    queues.put(outcome.workload(), outcome.clusterQueue());
    Life life = living.get(outcome.workload());
    if (life != null && outcome.decision().startsWith("Reserved")) {
      life.reserved = at;
    }
  }

  /** Of the engine. */
  EngineConfiguration configuration() {
    return configuration;
  }

  /** When the recording begins, and when it ends. */
  Instant start() {
    return start == null ? end : start;
  }

  Instant end() {
    return end;
  }

  List<Edit> edits() {
    return List.copyOf(edits);
  }

  /** All work, in the order of its arrival. */
  List<Work> work() {
    return lives.stream()
        .map(it -> new Work(it.workload, it.arrived, it.ran, it.withdrawn))
        .toList();
  }

  /**
   * How long work of each ClusterQueue ran, half of it shorter and half of it longer; under the
   * empty name that of all work.
   */
  Map<String, Duration> medians() {
    Map<String, List<Duration>> byQueue = new LinkedHashMap<>();
    for (Life life : lives) {
      if (life.ran != null) {
        String queue = queues.getOrDefault(ObjectKey.of(life.workload.metadata()), "");
        byQueue.computeIfAbsent(queue, _ -> new ArrayList<>()).add(life.ran);
        if (!queue.isEmpty()) {
          byQueue.computeIfAbsent("", _ -> new ArrayList<>()).add(life.ran);
        }
      }
    }
    Map<String, Duration> medians = new TreeMap<>();
    byQueue.forEach(
        (queue, all) -> medians.put(queue, all.stream().sorted().toList().get(all.size() / 2)));
    return medians;
  }
}
