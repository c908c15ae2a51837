package dev.sluice.conversion.step;

import java.io.Serial;

/**
 * The conversion of an object stops because memory or time ran out. Unchecked, since it leaves
 * functions between values that know neither; {@code ReviewConverter} makes an answer of it.
 */
public final class WorkStopped extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** What ran out. */
  public enum Reason {
    /** Other requests hold the memory now. */
    NO_ROOM,
    /** More memory than a request can ever have. */
    TOO_MUCH,
    /** The time for the answer is over. */
    OUT_OF_TIME
  }

  private final Reason reason;
  private final String where;
  private final long wanted;
  private final long most;

  WorkStopped(Reason reason, long wanted, long most) {
    this(reason, "", wanted, most);
  }

  private WorkStopped(Reason reason, String where, long wanted, long most) {
    super(null, null, false, false); // an answer, not an accident: no stack trace
    this.reason = reason;
    this.where = where;
    this.wanted = wanted;
    this.most = most;
  }

  /** What ran out. */
  public Reason reason() {
    return reason;
  }

  /** The same, at this place: a field, or the object that has it. */
  public WorkStopped at(String place) {
    return new WorkStopped(reason, where.isEmpty() ? place : place + ": " + where, wanted, most);
  }

  /** One sentence for the sender. */
  public String sentence() {
    String what = where.isEmpty() ? "the object" : where;
    return switch (reason) {
      case OUT_OF_TIME -> what + ": time was over before it was converted";
      case NO_ROOM ->
          "%s: takes %d bytes to convert, and other requests hold the memory now (expected: fewer at a time)"
              .formatted(what, wanted);
      case TOO_MUCH ->
          "%s: takes %d bytes to convert (expected: at most %d for all of a request)"
              .formatted(what, wanted, most);
    };
  }

  @Override
  public String getMessage() {
    return sentence();
  }
}
