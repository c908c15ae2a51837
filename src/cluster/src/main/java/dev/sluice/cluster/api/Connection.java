package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.BUSY;
import static dev.sluice.cluster.api.ConnectionException.Reason.FORBIDDEN;
import static dev.sluice.cluster.api.ConnectionException.Reason.GONE;
import static dev.sluice.cluster.api.ConnectionException.Reason.INTERRUPTED;
import static dev.sluice.cluster.api.ConnectionException.Reason.NOT_SERVED;
import static dev.sluice.cluster.api.ConnectionException.Reason.REFUSED;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREACHABLE;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.cluster.access.ClusterAccess;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One API server, with the credentials of one user. Only ever calls the server that its
 * configuration names. Every call throws a {@link ConnectionException} if there is no answer or no
 * success. Safe for many threads.
 */
public final class Connection implements AutoCloseable {
  /** Plain JSON. */
  public static final String JSON = "application/json";

  private final ClusterAccess access;
  private final Optional<AnswerBudget> budget;

  @GuardedBy("this")
  private @Nullable HttpClient opened;

  @GuardedBy("this")
  private boolean closed;

  private Connection(ClusterAccess access, Optional<AnswerBudget> budget) {
    this.access = access;
    this.budget = budget;
  }

  /**
   * A connection to the cluster of this kubeconfig, or to the one that {@link ClusterAccess} finds
   * without.
   *
   * @throws dev.sluice.cluster.access.AccessException if the configuration cannot be used
   */
  public static Connection to(@Nullable Path kubeconfig) {
    return to(ClusterAccess.of(kubeconfig));
  }

  /**
   * A connection with this access. Nothing is sent before the first call: the client library takes
   * a second to load.
   */
  public static Connection to(ClusterAccess access) {
    return new Connection(access, Optional.empty());
  }

  /**
   * The same for a server that is not trusted: all answers together that are under way take at most
   * so many bytes, and a call that takes more fails.
   */
  public static Connection bounded(ClusterAccess access, long bytes) {
    return new Connection(access, Optional.of(new AnswerBudget(bytes)));
  }

  private synchronized HttpClient opened() {
    if (closed) {
      throw new ConnectionException(UNREACHABLE, "the connection was closed");
    }
    HttpClient known = opened;
    if (known == null) {
      known = access.httpClient();
      opened = known;
    }
    return known;
  }

  /**
   * What is at that path, whole.
   *
   * @param path path and query, encoded
   * @param accept what is wanted
   * @param bound how long it may take
   */
  public byte[] get(String path, String accept, Duration bound) {
    Answer answer = call("GET", path, accept, null, null, bound);
    if (!answer.isSuccess()) {
      throw refusal(answer.status(), answer.body());
    }
    return answer.body();
  }

  /**
   * Sends a request to the API server and returns its answer, whatever the status.
   *
   * @param method POST, PUT, PATCH or DELETE
   * @param path path and query, encoded
   * @param contentType what the body is
   * @param bound how long it may take; after a timeout the server may still have carried it out
   * @throws ConnectionException if there was no answer
   */
  public Answer send(String method, String path, String contentType, byte[] body, Duration bound) {
    return call(method, path, JSON, contentType, new String(body, UTF_8), bound);
  }

  /**
   * Any call, and what the API server says to it, be it yes or no.
   *
   * @param method the HTTP method
   * @param path path and query, encoded
   * @param accept what is wanted back
   * @param contentType what the body is; null where nothing is sent
   * @param body what is sent; null for nothing
   * @param bound how long it may take; when it is over, it may have been done all the same
   * @throws ConnectionException if there was no answer
   */
  public Answer call(
      String method,
      String path,
      String accept,
      @Nullable String contentType,
      @Nullable String body,
      Duration bound) {
    HttpClient to = opened();
    return call(to, request(to, path, accept).method(method, contentType, body), bound);
  }

  /**
   * Reads JSON, unless the caller has it.
   *
   * @param path path and query, encoded
   * @param knownTags what the caller has, as a value of If-None-Match; empty for nothing
   * @param bound how long it may take
   * @return with the status 304 and no body if the caller has it
   * @throws ConnectionException if there was no answer
   */
  public Answer getUnlessKnown(String path, String knownTags, Duration bound) {
    HttpClient to = opened();
    HttpRequest.Builder request = request(to, path, JSON);
    return call(
        to, knownTags.isEmpty() ? request : request.header("If-None-Match", knownTags), bound);
  }

  private Answer call(HttpClient to, HttpRequest.Builder builder, Duration bound) {
    HttpRequest request = builder.timeout(bound.toMillis(), TimeUnit.MILLISECONDS).build();
    if (budget.isPresent()) {
      return boundedCall(to, request, bound, budget.get());
    }
    HttpResponse<byte[]> response = await(to.sendAsync(request, byte[].class), bound);
    byte[] answered = response.body();
    return answer(response, answered == null ? new byte[0] : answered);
  }

  private static Answer boundedCall(
      HttpClient to, HttpRequest request, Duration bound, AnswerBudget budget) {
    long began = System.nanoTime();
    try (BoundedBody body = new BoundedBody(budget)) {
      HttpResponse<AsyncBody> response = await(to.consumeBytes(request, body::take), bound);
      response.body().consume();
      try {
        await(response.body().done(), bound.minusNanos(System.nanoTime() - began));
      } finally {
        response.body().cancel();
        rethrow(body.failure());
      }
      return answer(response, body.bytes());
    }
  }

  private static Answer answer(HttpResponse<?> response, byte[] body) {
    return new Answer(
        response.code(),
        body,
        Optional.ofNullable(response.header("Retry-After")),
        Optional.ofNullable(response.header("Date")),
        Optional.ofNullable(response.header("ETag")));
  }

  /**
   * The answer of an API server.
   *
   * @param status the HTTP status
   * @param body the current object, or a Status with the reason
   * @param retryAfter the seconds of the Retry-After header, if present
   * @param date the server's clock by the Date header, if present
   * @param tag the ETag header, if present
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, by the caller
  public record Answer(
      int status,
      byte[] body,
      Optional<String> retryAfter,
      Optional<String> date,
      Optional<String> tag) {
    /** Whether it was done. */
    public boolean isSuccess() {
      return status / 100 == 2;
    }

    /** Why not, in one line. */
    public String message() {
      return StatusMessage.of(status, body);
    }
  }

  /**
   * Follows a stream until it ends, which is at the latest after {@code silence} without data.
   * Blocks until then; the listener is called on other threads, one at a time.
   *
   * @param opened called once the API server has accepted the request
   */
  public void follow(
      String path, String accept, Duration silence, Runnable opened, LineListener listener) {
    HttpClient to = opened();
    LineBuffer lines = new LineBuffer(listener);
    CompletableFuture<HttpResponse<AsyncBody>> answer =
        to.consumeBytes(request(to, path, accept).forStreaming().build(), lines::take);
    HttpResponse<AsyncBody> response = await(answer, silence);
    AsyncBody body = response.body();
    boolean success = response.code() / 100 == 2;
    if (success) {
      opened.run();
    } else {
      lines.collectOnly();
    }
    body.consume();
    try {
      awaitEnd(body, lines, success ? silence : Duration.ofSeconds(5));
    } finally {
      lines.close();
      body.cancel();
    }
    rethrow(lines.failure());
    if (!success) {
      throw refusal(response.code(), lines.collected());
    }
  }

  private static void awaitEnd(AsyncBody body, LineBuffer lines, Duration silence) {
    while (true) {
      long patience = silence.toNanos() - (System.nanoTime() - lines.lastHeard());
      if (patience <= 0) {
        throw new ConnectionException(
            UNREACHABLE, "no data for " + silence.toSeconds() + " s on an open watch");
      }
      try {
        body.done().get(patience, TimeUnit.NANOSECONDS);
        return;
      } catch (TimeoutException _) {
        // the next round shows whether something arrived in the meantime
      } catch (ExecutionException | CancellationException e) {
        rethrow(lines.failure());
        throw failure(e);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new IllegalStateException(failure);
    }
  }

  private HttpRequest.Builder request(HttpClient to, String path, String accept) {
    HttpRequest.Builder request = to.newHttpRequestBuilder().uri(access.server() + path);
    request.header("Accept", accept);
    return request;
  }

  private static <T> T await(CompletableFuture<T> answer, Duration bound) {
    try {
      return answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new ConnectionException(UNREACHABLE, "no answer within " + bound.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw interrupted(e);
    }
  }

  private static ConnectionException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ConnectionException(INTERRUPTED, "interrupted", e);
  }

  private static ConnectionException failure(Throwable e) {
    return new ConnectionException(UNREACHABLE, "no connection: " + DeepestCause.of(e), e);
  }

  private static ConnectionException refusal(int status, byte[] body) {
    return refusal(status, StatusMessage.of(status, body));
  }

  /** What a status of the API server amounts to. */
  public static ConnectionException refusal(int status, String message) {
    return new ConnectionException(
        switch (status) {
          case 401, 403 -> FORBIDDEN;
          case 404 -> NOT_SERVED;
          case 410 -> GONE;
          case 429 -> BUSY;
          default -> REFUSED;
        },
        message);
  }

  /** An answer that makes no sense. */
  public static ConnectionException unreadable(Exception e) {
    String why =
        e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
    return new ConnectionException(UNREADABLE, "the API server's answer cannot be read: " + why, e);
  }

  @Override
  public void close() {
    HttpClient closing;
    synchronized (this) {
      closed = true;
      closing = opened;
    }
    if (closing != null) {
      closing.close(); // waits for its thread, and calls that find it closed do not
    }
  }
}
