package dev.sluice.cluster.api;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of answers may be held at once, over all calls of a connection. Thread-safe. */
final class AnswerBudget {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  AnswerBudget(long most) {
    this.most = most;
  }

  /** Holds some more, unless that is too much. */
  boolean take(int bytes) {
    if (held.addAndGet(bytes) <= most) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  /** Holds so many less. */
  void giveBack(long bytes) {
    held.addAndGet(-bytes);
  }

  long most() {
    return most;
  }
}
