package dev.sluice.cluster.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** What an API server says with a refusal, in one line. */
final class StatusMessage {
  private static final int BRIEF = 300;
  private static final ObjectMapper MAPPER = new JsonMapper();

  private StatusMessage() {}

  static String of(int status, byte[] body) {
    String text;
    try {
      text = MAPPER.readTree(body).path("message").asText();
    } catch (IOException _) {
      text = "";
    }
    String line = text.strip().replaceAll("\\s+", " ");
    String brief = line.length() <= BRIEF ? line : line.substring(0, BRIEF) + "...";
    return brief.isEmpty() ? "HTTP status " + status : brief;
  }
}
