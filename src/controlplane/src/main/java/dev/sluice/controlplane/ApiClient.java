package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.INTERRUPTED;
import static dev.sluice.controlplane.ControlPlaneException.Reason.REFUSED;
import static dev.sluice.controlplane.ControlPlaneException.Reason.TIMED_OUT;
import static dev.sluice.controlplane.ControlPlaneException.Reason.UNREACHABLE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A thin client of an API server: JSON text goes out and comes back byte for byte as it is, with no
 * typed objects between.
 *
 * <p>Paths are those of the Kubernetes API, for example {@code /api/v1/namespaces/default}. A call
 * takes at most thirty seconds. An answer that is not a success is a {@link Response} like any
 * other; {@link Response#orThrow} is for callers who expect success. Every call throws a {@link
 * ControlPlaneException} with reason UNREACHABLE if no answer comes. Safe for many threads.
 */
public final class ApiClient implements AutoCloseable {
  private static final String APPLY = "application/apply-patch+yaml";

  private static final Duration CALL = Duration.ofSeconds(30);
  private static final Duration OPEN = Duration.ofMinutes(5);
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http;
  private final URI server;
  private final String token;

  /**
   * What the server said.
   *
   * @param status the HTTP status
   * @param body the text as it came; empty if there was none
   * @param warnings what it warned of
   */
  public record Response(int status, String body, List<String> warnings) {
    public Response {
      warnings = List.copyOf(warnings);
    }

    /** An answer without warnings. */
    public Response(int status, String body) {
      this(status, body, List.of());
    }

    /** Parses the body on each call. */
    public JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (JsonProcessingException e) {
        throw new ControlPlaneException(REFUSED, "not JSON: " + body, e);
      }
    }

    /** Whether the status is one of the 2xx. */
    public boolean isSuccess() {
      return status / 100 == 2;
    }

    /**
     * This response, if it is a success.
     *
     * @throws ControlPlaneException with reason REFUSED, status and body if it is not
     */
    public Response orThrow() {
      if (!isSuccess()) {
        throw refused();
      }
      return this;
    }

    private ControlPlaneException refused() {
      return new ControlPlaneException(REFUSED, status + " (expected: success): " + body);
    }
  }

  /**
   * A client of one server.
   *
   * @param server scheme, host and port, as a kubeconfig has it
   * @param token the bearer token sent with each call
   * @param caPem the certificates trusted to have signed the server's; nothing else is trusted
   */
  public ApiClient(URI server, String token, String caPem) {
    this.server = server;
    this.token = token;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // docs/contributing/decisions/0010-http.md
            .connectTimeout(CONNECT)
            .sslContext(trust(caPem))
            .build();
  }

  /** A token of a ServiceAccount that is there, good for an hour. */
  public String serviceAccountToken(String namespace, String name) {
    return create(
            "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name + "/token",
            """
            {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest",
            "spec":{"expirationSeconds":3600}}\
            """)
        .orThrow()
        .json()
        .at("/status/token")
        .asText();
  }

  public Response get(String path) {
    return send("GET", path, null, null);
  }

  /**
   * The body of a successful answer as it comes: for lists that are too large for one piece of
   * text, and for watches. It begins within five minutes and may then take any time; the caller
   * closes it.
   *
   * @throws ControlPlaneException with reason REFUSED, status and body if the answer is no success
   */
  public InputStream open(String path) {
    var answer = send(request(path, OPEN).GET().build(), BodyHandlers.ofInputStream());
    if (answer.statusCode() / 100 == 2) {
      return answer.body();
    }
    try (InputStream body = answer.body()) {
      throw new Response(answer.statusCode(), new String(body.readAllBytes(), UTF_8)).refused();
    } catch (IOException e) {
      throw new ControlPlaneException(UNREACHABLE, path + ": " + e, e);
    }
  }

  /** The whole collection in one answer: those objects that the label selector matches. */
  public Response list(String path, String labelSelector) {
    return get(path + "?labelSelector=" + URLEncoder.encode(labelSelector, UTF_8));
  }

  /** Posts a new object to its collection. */
  public Response create(String collection, String body) {
    return send("POST", collection, "application/json", body);
  }

  /** Replaces the object. */
  public Response put(String path, String body) {
    return send("PUT", path, "application/json", body);
  }

  public Response mergePatch(String path, String patch) {
    return send("PATCH", path, "application/merge-patch+json", patch);
  }

  public Response jsonPatch(String path, String patch) {
    return send("PATCH", path, "application/json-patch+json", patch);
  }

  /** Applies the object as the given field manager, taking over fields that others own. */
  public Response serverSideApply(String path, String fieldManager, String body) {
    String query = "?force=true&fieldManager=" + URLEncoder.encode(fieldManager, UTF_8);
    return apply(path + query, body);
  }

  /** Applies the object with the options that the path has; conflicts are refused. */
  public Response apply(String pathWithOptions, String body) {
    return send("PATCH", pathWithOptions, APPLY, body);
  }

  /** Deletes the object; what it owns is deleted in the background. */
  public Response delete(String path) {
    return send("DELETE", path + "?propagationPolicy=Background", null, null);
  }

  /** Deletes a Pod immediately, without a grace period. */
  public Response deleteNow(String path) {
    return send("DELETE", path + "?gracePeriodSeconds=0", null, null);
  }

  /**
   * Reads the object again and again until a successful answer satisfies the condition.
   *
   * @return the answer that did
   * @throws ControlPlaneException with reason TIMED_OUT and the last answer if none does within the
   *     bound
   */
  public Response await(String path, Duration bound, Predicate<JsonNode> condition) {
    var last = new AtomicReference<>(new Response(0, "no answer"));
    boolean came =
        Poll.until(
            bound,
            PAUSE,
            () -> {
              Response answer = get(path);
              last.set(answer);
              return answer.isSuccess() && condition.test(answer.json());
            });
    if (!came) {
      throw new ControlPlaneException(
          TIMED_OUT, path + " did not become as expected within " + bound + ": " + last.get());
    }
    return last.get();
  }

  /** Waits until the API server serves the custom resource of that CRD. */
  public Response awaitEstablished(String crd, Duration bound) {
    return await(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + crd,
        bound,
        node -> hasCondition(node, "Established"));
  }

  /** Whether {@code status.conditions} has the type with status True. */
  public static boolean hasCondition(JsonNode object, String type) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /** Ends the calls under way and closes the connections. */
  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }

  /**
   * Sends a call as it is given.
   *
   * @param type the media type of the body; null if it has none
   */
  public Response send(
      String method, String path, @Nullable String type, @Nullable String requestBody) {
    var body =
        requestBody == null ? BodyPublishers.noBody() : BodyPublishers.ofString(requestBody, UTF_8);
    var request = request(path, CALL).method(method, body);
    if (type != null) {
      request.header("Content-Type", type);
    }
    var answer = send(request.build(), BodyHandlers.ofString(UTF_8));
    List<String> warnings =
        answer.headers().allValues("Warning").stream().map(ApiClient::warning).toList();
    return new Response(answer.statusCode(), answer.body(), warnings);
  }

  /** The text of a header such as {@code 299 - "text"}. */
  private static String warning(String header) {
    int from = header.indexOf('"') + 1;
    int to = Math.max(from, header.lastIndexOf('"'));
    return header.substring(from, to).replace("\\\"", "\"");
  }

  private HttpRequest.Builder request(String path, Duration bound) {
    return HttpRequest.newBuilder(server.resolve(path))
        .timeout(bound)
        .header("Authorization", "Bearer " + token)
        .header("Accept", "application/json");
  }

  private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      String call = request.method() + " " + request.uri();
      throw new ControlPlaneException(UNREACHABLE, call + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ControlPlaneException(INTERRUPTED, "interrupted while calling " + request.uri(), e);
    }
  }

  private static SSLContext trust(String caPem) {
    try {
      var keys = KeyStore.getInstance(KeyStore.getDefaultType());
      keys.load(null, null);
      int number = 0;
      for (var certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(caPem.getBytes(UTF_8)))) {
        keys.setCertificateEntry("ca-" + number++, certificate);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(keys);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("caPem (expected: PEM certificates): " + e, e);
    }
  }
}
