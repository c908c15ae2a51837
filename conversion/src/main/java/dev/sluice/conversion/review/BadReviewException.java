package dev.sluice.conversion.review;

/**
 * A request that is no ConversionReview we can answer; the message is one sentence for the sender.
 */
public final class BadReviewException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong with the request. */
  public enum Reason {
    /** It is no JSON, or no ConversionReview of the version we speak. */
    MALFORMED,
    /** It passes a bound on its size or shape. */
    OVER_LIMIT,
    /** Other requests hold the memory that it takes; later there may be enough. */
    NO_ROOM,
    /** The time it may take was over before the last object was done. */
    OUT_OF_TIME
  }

  private final Reason reason;
  private final String sentence;

  BadReviewException(Reason reason, String sentence) {
    super(sentence);
    this.reason = reason;
    this.sentence = sentence;
  }

  /** The sentence for the sender. */
  public String sentence() {
    return sentence;
  }

  /** What is wrong with the request. */
  public Reason reason() {
    return reason;
  }
}
