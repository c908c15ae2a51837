package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.Replay;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.scheduler.recorder.RecordingReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A decision of a recording or of a shadow, and the world in which it was made.
 *
 * @param at the time of the cycle
 * @param outcome of the head; the workload that was asked for is the head or one of its victims
 * @param objects what the engine knew, Workloads with their statuses included
 * @param configuration of the engine
 */
public record RecordedDecision(
    Instant at, Outcome outcome, List<Known> objects, JsonNode configuration) {
  /** What an object is to the cycle. */
  public enum Role {
    /** A Workload that the cycle decided about. */
    HEAD,
    /** A Workload that has no quota and that the cycle did not look at. */
    ASLEEP,
    /** A Workload that has quota, or another object. */
    REST
  }

  /** An object that the engine knew. */
  public record Known(ObjectKind<?> kind, ObjectKey key, Record object, Role role) {}

  public RecordedDecision {
    objects = List.copyOf(objects);
  }

  /** The place of a cycle in a recording. */
  private record Place(Path file, long sequence) {}

  /**
   * The first decision about the workload, as a head or as a victim, at that time or later; if
   * there is none, the last one before.
   *
   * @return null if the recording has none
   * @throws IOException if a file cannot be read
   */
  static @Nullable RecordedDecision find(Path recording, ObjectKey workload, Instant time)
      throws IOException {
    var search = new Search(workload, time);
    new RecordingReader().read(recording, search);
    Place place = search.found;
    if (place == null) {
      return null;
    }
    var walk = new Walk(workload, place);
    new RecordingReader().read(recording, walk);
    return walk.result;
  }

  static boolean concerns(RecordedOutcome outcome, ObjectKey workload) {
    String text = outcome.decision();
    return outcome.workload().equals(workload)
        || (text.startsWith("Preempting")
            && (text.contains("[" + workload + " ") || text.contains(", " + workload + " ")));
  }

  private static final class Search implements RecordingReader.Visitor {
    private final ObjectKey workload;
    private final Instant time;
    private @Nullable Place found;

    Search(ObjectKey workload, Instant time) {
      this.workload = workload;
      this.time = time;
    }

    @Override
    public void segment(Path file, SegmentHeader header, boolean continues) {
      // only the decisions count
    }

    @Override
    public boolean event(Path file, RecordedEvent event) {
      if (event.event() instanceof Event.Cycled(var outcomes)
          && outcomes.stream().anyMatch(it -> concerns(it, workload))) {
        found = new Place(file, event.sequence());
        return event.at().isBefore(time);
      }
      return true;
    }
  }

  /** Replays up to the place, and keeps the objects that are there. */
  private static final class Walk implements RecordingReader.Visitor {
    private record Named(ObjectKind<?> kind, ObjectKey key) {}

    private final ObjectKey workload;
    private final Place place;
    private final Replay replay = new Replay();
    private final Map<Named, Record> objects = new LinkedHashMap<>();
    private @Nullable RecordedDecision result;

    Walk(ObjectKey workload, Place place) {
      this.workload = workload;
      this.place = place;
    }

    @Override
    public void segment(Path file, SegmentHeader header, boolean continues) {
      replay.begin(header, continues);
    }

    @Override
    public boolean event(Path file, RecordedEvent event) {
      boolean there = file.equals(place.file()) && event.sequence() == place.sequence();
      if (there) {
        result = decide(replay.engine().fork(), event.at());
        return false;
      }
      replay.take(event);
      switch (event.event()) {
        case Event.Applied(var change) -> note(change);
        case Event.Checkpoint(var state) -> {
          objects.clear();
          state.forEach(this::note);
        }
        case Event.Cycled _, Event.Failed _, Event.Looked _, Event.Ended _ -> {
          // changes no object
        }
      }
      return true;
    }

    private void note(Change change) {
      switch (change) {
        case Change.Upserted<?> upserted -> {
          if (upserted.kind() != ObjectKind.WORKLOAD) {
            objects.put(new Named(upserted.kind(), upserted.key()), (Record) upserted.object());
          }
        }
        case Change.Deleted(var kind, var key, _) -> objects.remove(new Named(kind, key));
        case Change.WorkloadAnswered _, Change.StatusStored _, Change.StatusWriteFailed _ -> {
          // about Workloads, which the engine knows
        }
      }
    }

    private @Nullable RecordedDecision decide(QuotaEngine engine, Instant now) {
      List<Known> known = new ArrayList<>();
      objects.forEach(
          (name, object) -> known.add(new Known(name.kind(), name.key(), object, Role.REST)));
      Snapshot before = engine.fork().snapshot(now);
      List<Outcome> outcomes = engine.cycle(now).outcomes();
      Set<ObjectKey> heads = outcomes.stream().map(Outcome::workload).collect(Collectors.toSet());
      for (WorkloadState state : before.workloads()) {
        Role role = heads.contains(state.key()) ? Role.HEAD : Role.ASLEEP;
        known.add(
            new Known(
                ObjectKind.WORKLOAD,
                state.key(),
                state.workload(),
                state.holdsQuota() ? Role.REST : role));
      }
      for (Outcome outcome : outcomes) {
        if (concerns(RecordedOutcome.of(outcome), workload)) {
          JsonNode document = ConfigurationDocument.write(replay.configuration());
          return new RecordedDecision(now, outcome, known, document);
        }
      }
      return null;
    }
  }
}
