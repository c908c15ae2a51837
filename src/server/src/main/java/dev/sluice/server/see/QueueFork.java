package dev.sluice.server.see;

import dev.sluice.quota.QuotaEngine;

/** An engine in a state that is known, of which others are forked. Thread-safe. */
final class QueueFork {
  private final QuotaEngine engine;
  private final QueueState state;
  private final Object lock;

  QueueFork(QuotaEngine engine, QueueState state) {
    this(engine, state, new Object());
  }

  private QueueFork(QuotaEngine engine, QueueState state, Object lock) {
    this.engine = engine;
    this.state = state;
    this.lock = lock;
  }

  /** The same engine, whose state has another tag. */
  QueueFork as(QueueState tagged) {
    return new QueueFork(engine, tagged, lock);
  }

  /** The state that every fork begins with. */
  QueueState state() {
    return state;
  }

  /** An engine of its own in that state, for one thread. */
  QuotaEngine fork() {
    synchronized (lock) {
      return engine.fork();
    }
  }
}
