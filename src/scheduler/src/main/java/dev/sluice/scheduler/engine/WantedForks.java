package dev.sluice.scheduler.engine;

import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Who waits for a fork of the engine. Thread-safe; only the engine's thread answers. */
final class WantedForks {
  private final Queue<CompletableFuture<EngineFork>> wanted = new ConcurrentLinkedQueue<>();

  /** Waits for the next answer; it fails at once where nobody will answer. */
  CompletableFuture<EngineFork> add(boolean closed) {
    CompletableFuture<EngineFork> fork = new CompletableFuture<>();
    wanted.add(fork);
    if (closed) {
      refuse();
    }
    return fork;
  }

  /** Gives each who waits a fork of its own. */
  void answer(QuotaEngine engine, Snapshot snapshot) {
    for (var fork = wanted.poll(); fork != null; fork = wanted.poll()) {
      try {
        fork.complete(new EngineFork(engine.fork(), snapshot));
      } catch (RuntimeException e) {
        fork.completeExceptionally(e); // who asked hears of it, and the loop goes on
      }
    }
  }

  /** Tells all that nothing will come. */
  void refuse() {
    for (var fork = wanted.poll(); fork != null; fork = wanted.poll()) {
      fork.completeExceptionally(new IllegalStateException("the engine has stopped"));
    }
  }
}
