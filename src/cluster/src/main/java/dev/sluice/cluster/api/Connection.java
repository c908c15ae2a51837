package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.BUSY;
import static dev.sluice.cluster.api.ConnectionException.Reason.FORBIDDEN;
import static dev.sluice.cluster.api.ConnectionException.Reason.GONE;
import static dev.sluice.cluster.api.ConnectionException.Reason.NOT_SERVED;
import static dev.sluice.cluster.api.ConnectionException.Reason.REFUSED;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREACHABLE;
import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.cluster.access.ApiHttpClient;
import dev.sluice.cluster.access.ClusterAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * One API server, with the credentials of one user. Only ever calls the server that its
 * configuration names. Every call throws a {@link ConnectionException} if there is no answer or no
 * success. Safe for many threads.
 */
public final class Connection implements AutoCloseable {
  /** Plain JSON. */
  public static final String JSON = "application/json";

  /** What TLS hands over at once. */
  private static final int PART = 16 << 10;

  private static final int LONGEST_REFUSAL = 1 << 20;

  private final ClusterAccess access;
  private final Optional<AnswerBudget> budget;

  @GuardedBy("this")
  private @Nullable ApiHttpClient opened;

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

  /** A connection with this access. Nothing is sent before the first call. */
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

  private synchronized ApiHttpClient opened() {
    if (closed) {
      throw new ConnectionException(UNREACHABLE, "the connection was closed");
    }
    ApiHttpClient known = opened;
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
    return get(path, accept, bound, Integer.MAX_VALUE).orElseThrow();
  }

  /**
   * The same, if the answer is not longer than that; if it is, the rest is not read.
   *
   * @param most bytes of the answer
   * @return empty if it is longer
   */
  public Optional<byte[]> get(String path, String accept, Duration bound, int most) {
    Answer answer;
    try {
      answer = call(request("GET", path, accept), bound, most);
    } catch (BodyTooLongException _) {
      return Optional.empty();
    }
    if (!answer.isSuccess()) {
      throw refusal(answer.status(), answer.body());
    }
    return Optional.of(answer.body());
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
    HttpUriRequestBase request = request(method, path, JSON);
    request.setEntity(entity(body, contentType));
    return call(request, bound);
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
    HttpUriRequestBase request = request(method, path, accept);
    if (body != null) {
      request.setEntity(entity(body.getBytes(UTF_8), contentType));
    }
    return call(request, bound);
  }

  private static HttpEntity entity(byte[] body, @Nullable String contentType) {
    return new ByteArrayEntity(body, contentType == null ? null : ContentType.parse(contentType));
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
    HttpUriRequestBase request = request("GET", path, JSON);
    if (!knownTags.isEmpty()) {
      request.setHeader("If-None-Match", knownTags);
    }
    return call(request, bound);
  }

  private HttpUriRequestBase request(String method, String path, String accept) {
    HttpUriRequestBase request = new HttpUriRequestBase(method, URI.create(access.server() + path));
    request.setHeader("Accept", accept);
    return request;
  }

  private Answer call(HttpUriRequestBase request, Duration bound) {
    return call(request, bound, Integer.MAX_VALUE);
  }

  private Answer call(HttpUriRequestBase request, Duration bound, int most) {
    return new Exchange<>(opened(), request, (response, _) -> answer(response, most))
        .await(bound, () -> "no answer within " + bound.toMillis() + " ms");
  }

  private Answer answer(ClassicHttpResponse response, int most) throws IOException {
    return new Answer(
        response.getCode(),
        body(response.getEntity(), most),
        header(response, "Retry-After"),
        header(response, "Date"),
        header(response, "ETag"));
  }

  private byte[] body(@Nullable HttpEntity entity, int most) throws IOException {
    if (entity == null) {
      return new byte[0];
    }
    InputStream content = entity.getContent();
    if (budget.isEmpty()) {
      byte[] body = content.readNBytes(most);
      if (content.read() >= 0) {
        throw new BodyTooLongException();
      }
      return body;
    }
    try (BoundedBody body = new BoundedBody(budget.get())) {
      return body.read(content, most);
    }
  }

  private static Optional<String> header(ClassicHttpResponse response, String name) {
    return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
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
   * Blocks until then.
   *
   * @param opened called once the API server has accepted the request
   * @param listener called by the thread that reads; it takes no more before the listener returns
   */
  public void follow(
      String path, String accept, Duration silence, Runnable opened, LineListener listener) {
    LineBuffer lines = new LineBuffer(listener);
    new Exchange<>(
            opened(),
            request("GET", path, accept),
            (response, deadline) -> {
              if (response.getCode() / 100 != 2) {
                throw refusal(response.getCode(), beginning(response.getEntity()));
              }
              opened.run();
              follow(response.getEntity(), lines, deadline);
              return lines;
            })
        .await(silence, () -> "no data for " + silence.toSeconds() + " s on an open watch");
  }

  private static void follow(@Nullable HttpEntity entity, LineBuffer lines, Deadline deadline)
      throws IOException {
    if (entity == null) {
      return;
    }
    byte[] part = new byte[PART];
    InputStream content = entity.getContent();
    for (int length = content.read(part); length >= 0; length = content.read(part)) {
      deadline.extend();
      lines.take(part, length);
    }
  }

  private static byte[] beginning(@Nullable HttpEntity entity) throws IOException {
    return entity == null ? new byte[0] : entity.getContent().readNBytes(LONGEST_REFUSAL);
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
    ApiHttpClient closing;
    synchronized (this) {
      closed = true;
      closing = opened;
    }
    if (closing != null) {
      closing.close();
    }
  }
}
