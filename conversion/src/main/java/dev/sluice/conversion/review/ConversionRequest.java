package dev.sluice.conversion.review;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.json.JsonSyntax;
import dev.sluice.conversion.json.MalformedJsonException;
import dev.sluice.conversion.review.BadReviewException.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The request of a ConversionReview, read from its text; its objects are not opened.
 *
 * @param uid what the answer must repeat
 * @param desiredText the version asked for, as it was sent
 * @param desired the version asked for, if it is one of ours
 * @param objects the objects; empty if the request names none
 */
public record ConversionRequest(
    String uid, String desiredText, Optional<ApiVersion> desired, JsonArray objects) {
  /** The only review version there is. */
  public static final String API_VERSION = "apiextensions.k8s.io/v1";

  /** The kind of a review. */
  public static final String KIND = "ConversionReview";

  /**
   * Reads a review's text.
   *
   * @throws BadReviewException if it is no review, or not one whose answer could name its uid
   */
  public static ConversionRequest read(byte[] body, JsonSyntax syntax) throws BadReviewException {
    JsonObject review = object(check(body, syntax), "the body");
    requireText(review, "kind", KIND);
    requireText(review, "apiVersion", API_VERSION);
    Json requestValue = review.open("request");
    if (requestValue == null) {
      throw malformed("request is missing (expected: an object)");
    }
    JsonObject request = object(requestValue, "request");
    String uid = request.text("uid");
    if (uid == null || uid.isEmpty()) {
      throw malformed("request.uid is missing (expected: a string that is not empty)");
    }
    String desired = request.text("desiredAPIVersion");
    if (desired == null) {
      throw malformed("request.desiredAPIVersion is missing (expected: a string)");
    }
    return new ConversionRequest(
        uid, desired, ApiVersion.findByGroupVersion(desired), objects(request.open("objects")));
  }

  private static Json check(byte[] body, JsonSyntax syntax) throws BadReviewException {
    try {
      return syntax.check(body);
    } catch (MalformedJsonException e) {
      throw new BadReviewException(
          e.overLimit() ? Reason.OVER_LIMIT : Reason.MALFORMED,
          (e.overLimit() ? "the review passes a bound: " : "the body is no JSON: ")
              + e.getMessage());
    }
  }

  private static JsonObject object(Json value, String what) throws BadReviewException {
    if (value.opened() instanceof JsonObject object) {
      return object;
    }
    throw malformed(what + " is " + value.type().words() + " (expected: an object)");
  }

  private static JsonArray objects(@Nullable Json objects) throws BadReviewException {
    if (objects == null || objects.type() == Json.Type.NULL) {
      return new JsonArray();
    }
    if (objects instanceof JsonArray array) {
      return array;
    }
    throw malformed("request.objects is " + objects.type().words() + " (expected: a list)");
  }

  private static void requireText(JsonObject review, String key, String expected)
      throws BadReviewException {
    String found = review.text(key);
    if (!expected.equals(found)) {
      String shown = found == null ? "missing" : found.substring(0, Math.min(80, found.length()));
      throw malformed("%s: %s (expected: %s)".formatted(key, shown, expected));
    }
  }

  private static BadReviewException malformed(String message) {
    return new BadReviewException(Reason.MALFORMED, message);
  }
}
