package dev.sluice.server.see;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** States of queues that a test chooses, without an engine. */
record KnownQueues(Supplier<Optional<QueueState>> known, Supplier<List<String>> open)
    implements QueueSource {
  @Override
  public Optional<QueueState> state() {
    return known.get();
  }

  @Override
  public List<String> missing() {
    return open.get();
  }

  @Override
  public CompletableFuture<QueueFork> fork() {
    return CompletableFuture.failedFuture(new IllegalStateException("no engine"));
  }
}
