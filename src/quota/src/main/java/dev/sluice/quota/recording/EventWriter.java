package dev.sluice.quota.recording;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.time.Instant;
import java.util.Map;

/**
 * Writes events. An object is written as what differs from the one of its name before; a checkpoint
 * starts over. For one thread.
 */
final class EventWriter {
  static final int TIME = 1;
  static final int UPSERTED = 2;
  static final int ANSWERED = 3;
  static final int STORED = 4;
  static final int FAILED = 5;
  static final int DELETED = 6;
  static final int LOOKED = 7;
  static final int CYCLED = 8;
  static final int CHECKPOINT = 9;
  static final int ENDED = 10;
  static final int CYCLE_FAILED = 11;

  /** An object of a kind. */
  record Name(String kind, ObjectKey key) {}

  private final ByteWriter out = new ByteWriter();
  private final Map<Name, Object> bases = new Recent<>();
  private final Map<ObjectKey, RecordedOutcome> outcomes = new Recent<>();
  private long seconds;
  private int nanos;

  /** How many bytes are written and not taken. */
  int size() {
    return out.size();
  }

  byte[] take() {
    return out.take();
  }

  void write(Instant at, Event event) {
    if (at.getEpochSecond() != seconds || at.getNano() != nanos) {
      out.octet(TIME);
      out.signed(at.getEpochSecond() - seconds);
      out.number(at.getNano());
      seconds = at.getEpochSecond();
      nanos = at.getNano();
    }
    switch (event) {
      case Event.Applied(var change) -> write(change);
      case Event.Looked _ -> out.octet(LOOKED);
      case Event.Cycled cycled -> {
        out.octet(CYCLED);
        out.number(cycled.outcomes().size());
        cycled.outcomes().forEach(this::write);
      }
      case Event.Checkpoint checkpoint -> {
        startOver();
        out.octet(CHECKPOINT);
        out.number(checkpoint.state().size());
        checkpoint.state().forEach(this::write);
      }
      case Event.Failed(var cause) -> {
        out.octet(CYCLE_FAILED);
        out.text(cause);
      }
      case Event.Ended _ -> out.octet(ENDED);
    }
  }

  private void startOver() {
    out.forget();
    bases.clear();
    outcomes.clear();
  }

  private void write(Change change) {
    switch (change) {
      case Change.Upserted<?> upserted ->
          write(UPSERTED, upserted.kind(), upserted.key(), upserted.object());
      case Change.WorkloadAnswered(Workload workload) ->
          write(ANSWERED, ObjectKind.WORKLOAD, ObjectKey.of(workload.metadata()), workload);
      case Change.StatusStored(var key, var uid) -> {
        out.octet(STORED);
        write(key);
        out.text(uid);
      }
      case Change.StatusWriteFailed(var key, var uid) -> {
        out.octet(FAILED);
        write(key);
        out.text(uid);
      }
      case Change.Deleted(var kind, var key, var uid) -> {
        out.octet(DELETED);
        out.text(kind.id().toString());
        write(key);
        out.text(uid);
        bases.remove(new Name(kind.id().toString(), key));
        outcomes.remove(key);
      }
    }
  }

  private void write(int tag, ObjectKind<?> kind, ObjectKey key, Object object) {
    String id = kind.id().toString();
    out.octet(tag);
    out.text(id);
    write(key);
    Object redacted = Redaction.of(object);
    Object base = bases.put(new Name(id, key), redacted);
    RecordForm.of(kind.type()).writeSlot(out, redacted, base);
  }

  private void write(ObjectKey key) {
    out.text(key.namespace());
    out.text(key.name());
  }

  private void write(RecordedOutcome outcome) {
    write(outcome.workload());
    boolean same = outcome.equals(outcomes.put(outcome.workload(), outcome));
    out.octet(same ? 1 : 0);
    if (!same) {
      out.text(outcome.clusterQueue());
      out.text(outcome.decision());
      out.text(outcome.place().name());
      out.signed(outcome.digest());
    }
  }
}
