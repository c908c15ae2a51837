package dev.sluice.server.dashboard;

import dev.sluice.server.reply.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Answers with JSON, which no cache keeps and no other origin reads. */
final class JsonAnswers {
  private JsonAnswers() {}

  /** That JSON, which may be empty. */
  static Reply of(int status, byte[] body, Map<String, String> more) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json");
    headers.put("Cache-Control", "no-store");
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    headers.putAll(more);
    return new Reply(status, headers, body);
  }

  /** That answer for a page of this machine. */
  static Reply of(Reply answer) {
    Map<String, String> kept = new LinkedHashMap<>(answer.headers());
    kept.keySet().retainAll(Set.of("ETag", "Retry-After"));
    return of(answer.status(), answer.body(), kept);
  }

  /** A refusal in the form of Kubernetes. */
  static Reply failure(int status, String reason, String message) {
    return of(status, Reply.failure(status, reason, message).body(), Map.of());
  }
}
