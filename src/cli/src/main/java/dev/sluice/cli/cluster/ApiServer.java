package dev.sluice.cli.cluster;

import static dev.sluice.cli.cluster.ClusterException.Reason.INTERRUPTED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNEXPECTED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNREACHABLE;

import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One API server, with the credentials of one user.
 *
 * <p>A call waits for its answer within its timeout, and is never repeated here. An answer that is
 * no success is an {@link Answer} like any other. Safe for many threads.
 */
public final class ApiServer implements AutoCloseable {
  /** A merge patch as of RFC 7386. */
  public static final String MERGE_PATCH = "application/merge-patch+json";

  /** A server-side apply; its YAML may be JSON. */
  public static final String APPLY = "application/apply-patch+yaml";

  /** Plain JSON. */
  public static final String JSON = "application/json";

  /** Asks for the metadata of objects only; a server that cannot answers with all of them. */
  public static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  /** Asks for a list of which only the metadata of the items is needed. */
  public static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

  private final Connection connection;
  private final ClusterAccess access;
  private final Duration longest;

  /**
   * A call.
   *
   * @param method the HTTP method
   * @param path path and query, encoded
   * @param accept what is wanted back
   * @param contentType what is sent; null for nothing
   * @param body what is sent; null for nothing
   * @param bound how long an answer may take
   */
  public record Call(
      String method,
      String path,
      String accept,
      @Nullable String contentType,
      @Nullable String body,
      Duration bound) {
    /** A GET. */
    public static Call get(String path, Duration bound) {
      return new Call("GET", path, JSON, null, null, bound);
    }

    /** A POST of JSON. */
    public static Call post(String path, String body, Duration bound) {
      return new Call("POST", path, JSON, JSON, body, bound);
    }

    /** A merge patch. */
    public static Call mergePatch(String path, String patch, Duration bound) {
      return new Call("PATCH", path, JSON, MERGE_PATCH, patch, bound);
    }

    /** The same, asking for something else back. */
    public Call accepting(String wanted) {
      return new Call(method, path, wanted, contentType, body, bound);
    }
  }

  /**
   * The API server of that access; nothing is sent yet.
   *
   * @param longest what no call may exceed, whatever its own bound is; zero for no such time
   */
  ApiServer(ClusterAccess access, Duration longest) {
    connection = Connection.to(access);
    this.access = access;
    this.longest = longest;
  }

  /** The API server of that access; nothing is sent yet. */
  public static ApiServer to(ClusterAccess access) {
    return new ApiServer(access, Duration.ZERO);
  }

  /** Scheme, host and port, and maybe a path. */
  public URI base() {
    return access.server();
  }

  /** The authorities that are named for it; empty if those of the system are trusted. */
  public List<X509Certificate> authorities() {
    return access.authorities();
  }

  /** The name of its certificate, where it is not the one of the address. */
  public Optional<String> serverName() {
    return access.serverName();
  }

  /**
   * Calls the server.
   *
   * @throws ClusterException with reason UNREACHABLE if no answer comes, with UNEXPECTED if a web
   *     page does: another server is at this address, or a proxy that wants a login is in between
   */
  public Answer send(Call call) {
    try {
      Answer answer =
          Answer.of(
              connection.call(
                  call.method(),
                  call.path(),
                  call.accept(),
                  call.contentType(),
                  call.body(),
                  bound(call)));
      if (answer.isSuccess() && answer.body().stripLeading().startsWith("<")) {
        throw new ClusterException(
            UNEXPECTED, base() + " is not an API server: it answers with a web page");
      }
      return answer;
    } catch (ConnectionException e) {
      throw e.reason() == ConnectionException.Reason.INTERRUPTED
          ? new ClusterException(INTERRUPTED, "interrupted", e)
          : new ClusterException(
              UNREACHABLE, "the API server " + base() + " cannot be reached: " + e.getMessage(), e);
    }
  }

  private Duration bound(Call call) {
    return longest.isZero() || call.bound().compareTo(longest) <= 0 ? call.bound() : longest;
  }

  @Override
  public void close() {
    connection.close();
  }
}
