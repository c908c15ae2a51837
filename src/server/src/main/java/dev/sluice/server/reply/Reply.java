package dev.sluice.server.reply;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer of HTTP.
 *
 * @param status the HTTP status
 * @param headers beside the length
 * @param body empty where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // written once, to the network
public record Reply(int status, Map<String, String> headers, byte[] body) {
  /** The media type of JSON. */
  public static final String JSON = "application/json";

  private static final Map<String, String> RETRY_SOON =
      Map.of("Content-Type", JSON, "Retry-After", "1");

  public Reply {
    headers = Map.copyOf(headers);
  }

  /** Its ETag; null for none. */
  public @Nullable String tag() {
    return headers.get("ETag");
  }

  /** That JSON with that ETag; a client that has it need not read it again. */
  public static Reply tagged(String tag, byte[] json) {
    return new Reply(
        200, Map.of("Content-Type", JSON, "ETag", tag, "Cache-Control", "no-cache"), json);
  }

  /** A client has the answer with that ETag. */
  public static Reply unchanged(String tag) {
    return new Reply(304, Map.of("ETag", tag), new byte[0]);
  }

  /** That JSON, with the status 200. */
  public static Reply ok(ObjectNode body) {
    return ok(JSON, body);
  }

  /** The same as another media type of JSON. */
  public static Reply ok(String type, ObjectNode body) {
    return new Reply(
        200, Map.of("Content-Type", type, "Vary", "Accept"), body.toString().getBytes(UTF_8));
  }

  /** A sentence for people and probes. */
  public static Reply sentence(int status, String sentence) {
    return new Reply(
        status, Map.of("Content-Type", "text/plain; charset=utf-8"), sentence.getBytes(UTF_8));
  }

  /** A refusal in the form of Kubernetes. */
  public static Reply failure(int code, String reason, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Failure").put("message", message);
    status.put("reason", reason).put("code", code);
    boolean passes = code == 429 || code == 503;
    return new Reply(
        code,
        passes ? RETRY_SOON : Map.of("Content-Type", JSON),
        status.toString().getBytes(UTF_8));
  }
}
