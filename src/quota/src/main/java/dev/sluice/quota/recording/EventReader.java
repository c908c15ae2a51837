package dev.sluice.quota.recording;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.decision.Outcome;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what an {@link EventWriter} wrote, from a checkpoint on. For one thread. */
final class EventReader {
  private static final Map<String, ObjectKind<?>> KINDS =
      ObjectKind.all().stream()
          .collect(Collectors.toUnmodifiableMap(it -> it.id().toString(), Function.identity()));

  private final ByteReader in = new ByteReader();
  private final Map<EventWriter.Name, Object> bases = new Recent<>();
  private final Map<ObjectKey, RecordedOutcome> outcomes = new Recent<>();
  private Instant now = Instant.EPOCH;

  /** The time of the last event. */
  Instant now() {
    return now;
  }

  void give(byte[] bytes) {
    in.give(bytes);
  }

  /** The next event, or null at the end of the bytes. */
  @Nullable Event next() {
    while (!in.isAtEnd()) {
      int tag = in.octet();
      if (tag == EventWriter.TIME) {
        passTime();
        continue;
      }
      return event(tag);
    }
    return null;
  }

  private void passTime() {
    try {
      now = Instant.ofEpochSecond(now.getEpochSecond() + in.signed(), in.number());
    } catch (DateTimeException e) {
      throw new MalformedRecordingException("no time", e);
    }
  }

  private Event event(int tag) {
    return switch (tag) {
      case EventWriter.LOOKED -> new Event.Looked();
      case EventWriter.ENDED -> new Event.Ended();
      case EventWriter.CYCLE_FAILED -> new Event.Failed(in.text());
      case EventWriter.CYCLED -> {
        List<RecordedOutcome> all = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
          all.add(outcome());
        }
        yield new Event.Cycled(all);
      }
      case EventWriter.CHECKPOINT -> {
        in.forget();
        bases.clear();
        outcomes.clear();
        List<Change> state = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
          state.add(change(in.octet()));
        }
        yield new Event.Checkpoint(state);
      }
      default -> new Event.Applied(change(tag));
    };
  }

  private Change change(int tag) {
    return switch (tag) {
      case EventWriter.UPSERTED -> upserted(kind());
      case EventWriter.ANSWERED -> {
        kind();
        yield new Change.WorkloadAnswered((Workload) object(ObjectKind.WORKLOAD));
      }
      case EventWriter.STORED -> new Change.StatusStored(key(), in.text());
      case EventWriter.FAILED -> new Change.StatusWriteFailed(key(), in.text());
      case EventWriter.DELETED -> {
        ObjectKind<?> kind = kind();
        ObjectKey key = key();
        bases.remove(new EventWriter.Name(kind.id().toString(), key));
        outcomes.remove(key);
        yield new Change.Deleted(kind, key, in.text());
      }
      default -> throw new MalformedRecordingException("event " + tag + " is not known");
    };
  }

  private <T> Change upserted(ObjectKind<T> kind) {
    return Change.upserted(kind, kind.type().cast(object(kind)));
  }

  private Object object(ObjectKind<?> kind) {
    var name = new EventWriter.Name(kind.id().toString(), key());
    Object object = RecordForm.of(kind.type()).readPresent(in, bases.get(name));
    bases.put(name, object);
    return object;
  }

  private ObjectKind<?> kind() {
    String id = in.text();
    ObjectKind<?> kind = KINDS.get(id);
    if (kind == null) {
      throw new MalformedRecordingException(id + " is no kind that this version knows");
    }
    return kind;
  }

  private ObjectKey key() {
    return new ObjectKey(in.text(), in.text());
  }

  private RecordedOutcome outcome() {
    ObjectKey workload = key();
    RecordedOutcome known = outcomes.get(workload);
    if (in.octet() != 0) {
      if (known == null) {
        throw new MalformedRecordingException("an outcome refers to one that is not known");
      }
      outcomes.put(workload, known);
      return known;
    }
    var outcome =
        new RecordedOutcome(in.text(), workload, in.text(), place(in.text()), (int) in.signed());
    outcomes.put(workload, outcome);
    return outcome;
  }

  private static Outcome.Place place(String name) {
    for (Outcome.Place place : Outcome.Place.values()) {
      if (place.name().equals(name)) {
        return place;
      }
    }
    throw new MalformedRecordingException(name + " is no place");
  }
}
