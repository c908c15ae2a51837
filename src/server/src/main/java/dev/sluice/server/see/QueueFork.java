package dev.sluice.server.see;

import dev.sluice.quota.QuotaEngine;

/** An engine in a state that is known, of which others are forked. Thread-safe. */
final class QueueFork {
  private final QuotaEngine engine;
  private final QueueState state;

  QueueFork(QuotaEngine engine, QueueState state) {
    this.engine = engine;
    this.state = state;
  }

  /** The state that every fork begins with. */
  QueueState state() {
    return state;
  }

  /** An engine of its own in that state, for one thread. */
  synchronized QuotaEngine fork() {
    return engine.fork();
  }
}
