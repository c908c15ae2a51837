package dev.sluice.server.see;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * States whose tags also change when there are new forecasts, so that a client that polls sees
 * them.
 *
 * @param version grows with each forecast
 */
record TaggedQueues(QueueSource queues, LongSupplier version) implements QueueSource {
  @Override
  public Optional<QueueState> state() {
    return queues.state().map(this::tagged);
  }

  private QueueState tagged(QueueState state) {
    return state.marked("-" + version.getAsLong());
  }

  @Override
  public List<String> missing() {
    return queues.missing();
  }

  @Override
  public CompletableFuture<QueueFork> fork() {
    return queues.fork().thenApply(it -> it.as(tagged(it.state())));
  }
}
