package dev.sluice.webhook.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An answer to a request.
 *
 * @param status the HTTP status
 * @param contentType the type of the body
 * @param segments the body in pieces; they must not change afterwards
 */
public record Answer(int status, String contentType, List<byte[]> segments) {
  /**
   * The answer after an internal error: a review with its uid if that is known, otherwise a
   * sentence.
   */
  public static final String INTERNAL_ERROR = "internal error; the server's log has the details";

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  public Answer {
    segments = List.copyOf(segments);
  }

  /** A review. */
  public static Answer review(List<byte[]> segments) {
    return new Answer(200, JSON, segments);
  }

  /** A refusal of the request, in one sentence. */
  public static Answer sentence(int status, String sentence) {
    byte[] body = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
    return new Answer(status, TEXT, List.of(body));
  }

  /** The length of the body in bytes. */
  public long length() {
    long length = 0;
    for (byte[] segment : segments) {
      length += segment.length;
    }
    return length;
  }
}
