package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.sluice.webhook.endpoint.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The contract of every answer: a review with the uid of the request, or a refusal in one sentence.
 * Never a 500, not even within a review.
 */
final class Answered {
  private static final Set<Integer> REFUSALS =
      Set.of(400, 404, 405, 408, 411, 413, 414, 415, 417, 429, 431, 503);
  private static final Pattern SENTENCE = Pattern.compile("[^\\p{Cntrl}\\p{Zl}\\p{Zp}]{5,2000}\n?");
  private static final int SHOWN = 300;
  private static final int DEEPEST = 3;
  private static final String REQUEST_UID = "/request/uid";
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(10_000)
                  .maxNumberLength(1 << 20)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Answered() {}

  /** Whether an answer of this status means that the body was looked at and answered. */
  static boolean isReview(int status) {
    return status == 200;
  }

  /** What is wrong with the answer; empty if nothing is. Reads all of it. */
  static Optional<String> breach(Body body, int status, InputStream answer) throws IOException {
    if (isReview(status)) {
      return breachOfReview(body, answer);
    }
    byte[] start = answer.readNBytes(1 << 16);
    String text = new String(start, UTF_8);
    if (!REFUSALS.contains(status)) {
      return Optional.of("status " + status + " (expected: 200 or a refusal): " + brief(text));
    }
    return SENTENCE.matcher(text).matches()
        ? Optional.empty()
        : Optional.of("status " + status + " without one sentence: " + brief(text));
  }

  private static Optional<String> breachOfReview(Body body, InputStream answer) throws IOException {
    Map<String, String> said;
    try {
      said = members(answer);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      return Optional.of("the answer is no JSON: " + e.getMessage());
    }
    String asked = askedUid(body.bytes());
    String uid = said.get("/response/uid");
    if (asked == null || !asked.equals(uid)) {
      return Optional.of("uid " + brief("" + uid) + " (expected: " + brief("" + asked) + ")");
    }
    String message =
        said.getOrDefault("/response/status/message", "") + said.get("/response/result/message");
    if ("500".equals(said.get("/response/status/code"))
        || message.contains(Answer.INTERNAL_ERROR)) {
      return Optional.of("an internal error: " + brief(message));
    }
    boolean isComplete =
        body.path().equals(Review.CONVERT)
            ? said.containsKey("/response/result/status")
            : said.containsKey("/response/allowed");
    return isComplete ? Optional.empty() : Optional.of("no verdict: " + brief(said.toString()));
  }

  /** The uid of the request; looks no further. Null if there is none. */
  private static @Nullable String askedUid(byte[] body) throws IOException {
    Map<String, String> members = new HashMap<>();
    read(new ByteArrayInputStream(body), members, REQUEST_UID);
    return members.get(REQUEST_UID);
  }

  /** The plain members of the first three levels of objects, by path; all of the text is read. */
  private static Map<String, String> members(InputStream json) throws IOException {
    Map<String, String> members = new HashMap<>();
    read(json, members, "");
    return members;
  }

  /**
   * Reads the plain members of the first three levels.
   *
   * @param last the path of a member after which the rest is of no interest
   */
  private static void read(InputStream json, Map<String, String> members, String last)
      throws IOException {
    String[] paths = new String[DEEPEST + 1]; // of the structures that are open
    int depth = 0;
    try (JsonParser parser = JSON.createParser(json)) {
      for (JsonToken token = parser.nextToken();
          token != null && !members.containsKey(last);
          token = parser.nextToken()) {
        if (token.isStructStart()) {
          if (++depth <= DEEPEST) {
            paths[depth] = depth == 1 ? "" : paths[depth - 1] + "/" + parser.currentName();
          }
        } else if (token.isStructEnd()) {
          depth--;
        } else if (token.isScalarValue() && depth <= DEEPEST && parser.currentName() != null) {
          members.put(paths[depth] + "/" + parser.currentName(), parser.getText());
        }
      }
    }
  }

  static String brief(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "... of " + text.length();
  }
}
