package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers with JSON, which no cache keeps and no other origin reads. */
final class JsonAnswers {
  private JsonAnswers() {}

  /** That JSON, which may be empty. */
  static DashboardFiles.Answer of(int status, byte[] body, Map<String, String> more) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json");
    headers.put("Cache-Control", "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    headers.putAll(more);
    return new DashboardFiles.Answer(status, headers, body);
  }

  /** A refusal in the form of Kubernetes. */
  static DashboardFiles.Answer failure(int status, String reason, String message) {
    byte[] body =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", "Status")
            .put("apiVersion", "v1")
            .put("status", "Failure")
            .put("message", message)
            .put("reason", reason)
            .put("code", status)
            .toString()
            .getBytes(UTF_8);
    return of(status, body, Map.of());
  }
}
