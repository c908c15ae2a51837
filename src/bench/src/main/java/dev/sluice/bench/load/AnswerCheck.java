package dev.sluice.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.bench.objects.Expected;
import dev.sluice.bench.objects.Review;
import dev.sluice.bench.server.Yardstick;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Says what is wrong with an answer. Each is looked at briefly (status, end, length), one in
 * {@value #THOROUGHLY} whole: uid, verdict, number of objects, and the version of each. Confined to
 * one thread.
 */
final class AnswerCheck {
  private static final int THOROUGHLY = 64;
  private static final String SUCCESS = "\"result\":{\"status\":\"Success\"}}}";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Yardstick yardstick;
  private int looked;

  AnswerCheck(Yardstick yardstick) {
    this.yardstick = yardstick;
  }

  Optional<String> problem(Review review, int status, Buffer answer) {
    if (status != 200) {
      return Optional.of("status " + status + ": " + beginning(answer));
    }
    boolean thorough = looked++ % THOROUGHLY == 0;
    boolean good =
        switch (yardstick) {
          case SLUICE -> isGood(review, answer, thorough);
          case BARE -> !thorough || isAllowed(review, answer.getBytes());
          case ECHO ->
              answer.length() == review.json().length
                  && (!thorough || isParsed(review, answer.getBytes()));
        };
    return good ? Optional.empty() : Optional.of("a wrong answer: " + beginning(answer));
  }

  private static boolean isGood(Review review, Buffer answer, boolean thorough) {
    return switch (review.expected()) {
      case Expected.Converted(ApiVersion to) ->
          endsWithSuccess(answer) && (!thorough || isConverted(review, to, answer.getBytes()));
      case Expected.Allowed() -> !thorough || isAllowed(review, answer.getBytes());
    };
  }

  private static boolean isAllowed(Review review, byte[] answer) {
    JsonNode response = parse(answer).path("response");
    return response.path("uid").asText().equals(review.uid())
        && response.path("allowed").asBoolean();
  }

  private static boolean endsWithSuccess(Buffer answer) {
    int start = answer.length() - SUCCESS.length();
    return start >= 0 && answer.getString(start, answer.length(), "ISO-8859-1").equals(SUCCESS);
  }

  private static boolean isConverted(Review review, ApiVersion to, byte[] answer) {
    JsonNode response = parse(answer).path("response");
    JsonNode objects = response.path("convertedObjects");
    if (!response.path("uid").asText().equals(review.uid()) || objects.size() != review.objects()) {
      return false;
    }
    for (JsonNode object : objects) {
      if (!object.path("apiVersion").asText().equals(to.groupVersion())) {
        return false;
      }
    }
    return true;
  }

  /** As much work as for a conversion, so that both clients are equally fast. */
  private static boolean isParsed(Review review, byte[] answer) {
    return parse(answer).path("request").path("objects").size() == review.objects();
  }

  private static JsonNode parse(byte[] answer) {
    try {
      return MAPPER.readTree(answer);
    } catch (IOException e) {
      return MAPPER.missingNode();
    }
  }

  private static String beginning(Buffer answer) {
    return new String(answer.getBytes(0, Math.min(200, answer.length())), StandardCharsets.UTF_8);
  }
}
