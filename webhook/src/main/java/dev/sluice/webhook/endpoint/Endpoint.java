package dev.sluice.webhook.endpoint;

import dev.sluice.conversion.step.MemoryBudget;

/** Answers the requests of one path. Thread-safe: bodies of any number of requests at a time. */
public interface Endpoint {
  /** The path, such as {@code /convert}. */
  String path();

  /** A review that this endpoint answers well, to see that it does. */
  Probe probe();

  /** How many admission reviews others than this server sent here; 0 where none are answered. */
  default long reviewsReceived() {
    return 0;
  }

  /** Whether an answer may wait for something else than the processor. */
  default boolean mayWait() {
    return false;
  }

  /**
   * Whether an answer may wait for another thread for some milliseconds. A worker then answers even
   * small bodies.
   */
  default boolean mayWaitBriefly() {
    return false;
  }

  /** Answers a request; never throws for what is in the body. */
  Answer answer(byte[] body, Deadline deadline);

  /**
   * Answers a request within bounds of memory.
   *
   * @param budget charged before something larger than the body is created; if it is exhausted, the
   *     answer is a refusal
   */
  default Answer answer(byte[] body, Deadline deadline, MemoryBudget budget) {
    return answer(body, deadline);
  }
}
