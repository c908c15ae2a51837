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
    String tag = state.tag();
    String longer = tag.substring(0, tag.length() - 1) + "-" + version.getAsLong() + "\"";
    return new QueueState(state.snapshot(), longer, state.asOf());
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
