package dev.sluice.server.see;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where the states of the queues come from. Safe for many threads; nothing here blocks. */
interface QueueSource {
  /**
   * The state to show, which may be a quarter of a second old; empty while something is missing.
   */
  Optional<QueueState> state();

  /** What is not known yet, a phrase each; empty once all was known. */
  List<String> missing();

  /**
   * An engine in the present state. It is made by the thread of the engine, so let an executor do
   * what depends on it.
   */
  CompletableFuture<QueueFork> fork();
}
