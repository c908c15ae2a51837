package dev.sluice.scheduler.engine;

import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Pending requests for a fork of the engine. Thread-safe; only the engine's thread answers. */
final class WantedForks {
  private final Queue<CompletableFuture<EngineFork>> wanted = new ConcurrentLinkedQueue<>();

  /** Adds a request. It fails at once if the engine has stopped. */
  CompletableFuture<EngineFork> add(boolean closed) {
    CompletableFuture<EngineFork> fork = new CompletableFuture<>();
    wanted.add(fork);
    if (closed) {
      refuse();
    }
    return fork;
  }

  /** Completes each pending request with a fork of its own. */
  void answer(QuotaEngine engine, Snapshot snapshot) {
    for (var fork = wanted.poll(); fork != null; fork = wanted.poll()) {
      try {
        fork.complete(new EngineFork(engine.fork(), snapshot));
      } catch (RuntimeException e) {
        fork.completeExceptionally(e); // the caller gets the error, and the loop goes on
      }
    }
  }

  /** Fails all pending requests. */
  void refuse() {
    for (var fork = wanted.poll(); fork != null; fork = wanted.poll()) {
      fork.completeExceptionally(new IllegalStateException("the engine has stopped"));
    }
  }
}
