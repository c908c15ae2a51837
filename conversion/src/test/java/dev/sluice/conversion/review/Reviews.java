package dev.sluice.conversion.review;

import static dev.sluice.conversion.Texts.json;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import java.util.List;

/** Reviews as an API server sends them, and the answers as text. */
final class Reviews {
  static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);
  private static final ObjectMapper JACKSON = new ObjectMapper();
  private static final long AMPLE = 1 << 30;

  private Reviews() {}

  /** A review of these objects; single quotes are welcome. */
  static String review(ApiVersion desired, List<String> objects) {
    return review(desired.groupVersion(), objects);
  }

  static String review(String desired, List<String> objects) {
    return json(
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':'u-1',"
            + "'desiredAPIVersion':'"
            + desired
            + "','objects':["
            + String.join(",", objects)
            + "]}}");
  }

  /** The answer to a review, odd content carried. */
  static String answer(String review) throws BadReviewException {
    return answer(Mode.CARRY, review);
  }

  static String answer(Mode mode, String review) throws BadReviewException {
    ConversionRequest request = ConversionRequest.read(review.getBytes(UTF_8), SYNTAX);
    byte[] answer =
        new ReviewConverter(new Converter(mode), AMPLE)
            .answer(request, ConversionListener.NONE, () -> false)
            .toByteArray();
    return new String(answer, UTF_8);
  }

  /** The answer that says success with these objects. */
  static String success(String... objects) {
    return json(
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','response':{'uid':'u-1',"
            + "'convertedObjects':["
            + String.join(",", objects)
            + "],'result':{'status':'Success'}}}");
  }

  /** The uid that an answer repeats. */
  static String uidOf(String answer) {
    return response(answer).get("uid").textValue();
  }

  /** What a failure says. */
  static String messageOf(String answer) {
    return response(answer).get("result").get("message").textValue();
  }

  private static JsonNode response(String answer) {
    try {
      return JACKSON.readTree(answer).get("response");
    } catch (JsonProcessingException e) {
      throw new AssertionError(answer, e);
    }
  }
}
