package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.INTERRUPTED;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREACHABLE;

import dev.sluice.cluster.access.ApiHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;

/**
 * One request and its response, within a bound. An interrupt ends it: the socket of a virtual
 * thread reacts to one. That of a platform thread does not, so another thread makes the call for
 * it.
 *
 * @param <T> what is read of the response
 */
final class Exchange<T> {
  private final ApiHttpClient client;
  private final HttpUriRequestBase request;
  private final Reader<T> reader;

  /** Reads a response. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * What the response has.
     *
     * @param deadline ends the exchange unless it is extended
     * @throws IOException if the connection breaks
     */
    T read(ClassicHttpResponse response, Deadline deadline) throws IOException;
  }

  Exchange(ApiHttpClient client, HttpUriRequestBase request, Reader<T> reader) {
    this.client = client;
    this.request = request;
    this.reader = reader;
  }

  /**
   * What the reader returns.
   *
   * @param bound how long it may take, or how long it may be silent if the reader extends it
   * @param late what to say if it takes longer
   * @throws ConnectionException if there is no response
   */
  T await(Duration bound, Supplier<String> late) {
    if (Thread.currentThread().isInterrupted()) {
      throw new ConnectionException(INTERRUPTED, "interrupted");
    }
    return Thread.currentThread().isVirtual() ? here(bound, late) : elsewhere(bound, late);
  }

  private T here(Duration bound, Supplier<String> late) {
    Deadline deadline = Deadline.in(bound, request::cancel);
    try (deadline) {
      return send(deadline);
    } catch (IOException e) {
      throw failure(e, deadline, late);
    }
  }

  private T elsewhere(Duration bound, Supplier<String> late) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Deadline deadline =
        Deadline.in(
            bound,
            () -> {
              request.cancel();
              result.cancel(false);
            });
    try (deadline) {
      Thread.ofPlatform().daemon().name("sluice-call").start(() -> complete(result, deadline));
      return result.get();
    } catch (InterruptedException e) {
      request.cancel();
      Thread.currentThread().interrupt();
      throw new ConnectionException(INTERRUPTED, "interrupted", e);
    } catch (CancellationException e) {
      throw new ConnectionException(UNREACHABLE, late.get(), e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case null, default -> throw failure(e, deadline, late);
      }
    }
  }

  private void complete(CompletableFuture<T> result, Deadline deadline) {
    try {
      result.complete(send(deadline));
    } catch (IOException | RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private T send(Deadline deadline) throws IOException {
    return client.send(request, response -> reader.read(response, deadline));
  }

  private static ConnectionException failure(
      Exception e, Deadline deadline, Supplier<String> late) {
    if (deadline.isExpired()) {
      return new ConnectionException(UNREACHABLE, late.get(), e);
    }
    if (Thread.currentThread().isInterrupted()) {
      return new ConnectionException(INTERRUPTED, "interrupted", e);
    }
    return new ConnectionException(UNREACHABLE, "no connection: " + DeepestCause.of(e), e);
  }
}
