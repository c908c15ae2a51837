package dev.sluice.conversion.review;

import dev.sluice.conversion.json.Excerpt;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.json.JsonSyntax;
import dev.sluice.conversion.json.MalformedJsonException;
import dev.sluice.conversion.review.BadReviewException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What all reviews of Kubernetes have in common: a kind and version, and a request with a uid.
 *
 * @param uid what the answer must repeat
 * @param request the request; only one level of it is opened
 */
public record ReviewEnvelope(String uid, JsonObject request) {
  private static final int SHOWN = 80;

  /**
   * Reads the text of a review.
   *
   * @throws BadReviewException if it is no JSON, another kind or version of review, or one whose
   *     answer could not name its uid
   */
  public static ReviewEnvelope read(byte[] body, JsonSyntax syntax, String kind, String apiVersion)
      throws BadReviewException {
    JsonObject review = object(check(body, syntax), "the body");
    require(review, "kind", kind);
    require(review, "apiVersion", apiVersion);
    JsonObject request = object(review.open("request"), "request");
    String uid = request.text("uid");
    if (uid == null || uid.isEmpty()) {
      throw malformed("request.uid: " + shown(uid) + " (expected: a string that is not empty)");
    }
    return new ReviewEnvelope(uid, request);
  }

  /**
   * The string of this key in the request.
   *
   * @throws BadReviewException if there is none
   */
  public String text(String key) throws BadReviewException {
    String text = request.text(key);
    if (text == null) {
      throw malformed("request." + key + ": missing (expected: a string)");
    }
    return text;
  }

  /** The exception for a request that is wrong in this way. */
  public static BadReviewException malformed(String message) {
    return new BadReviewException(Reason.MALFORMED, message);
  }

  private static Json check(byte[] body, JsonSyntax syntax) throws BadReviewException {
    try {
      return syntax.check(body);
    } catch (MalformedJsonException e) {
      throw e.overLimit()
          ? new BadReviewException(Reason.OVER_LIMIT, "the body passes a bound: " + e.getMessage())
          : malformed("the body is no JSON: " + e.getMessage());
    }
  }

  private static JsonObject object(@Nullable Json value, String what) throws BadReviewException {
    if (value != null && value.opened() instanceof JsonObject object) {
      return object;
    }
    String found = value == null ? "missing" : value.type().words();
    throw malformed(what + ": " + found + " (expected: an object)");
  }

  private static void require(JsonObject review, String key, String expected)
      throws BadReviewException {
    String found = review.text(key);
    if (!expected.equals(found)) {
      throw malformed("%s: %s (expected: %s)".formatted(key, shown(found), expected));
    }
  }

  private static String shown(@Nullable String text) {
    if (text == null) {
      return "missing";
    }
    return '"' + Excerpt.of(text, SHOWN) + '"';
  }
}
