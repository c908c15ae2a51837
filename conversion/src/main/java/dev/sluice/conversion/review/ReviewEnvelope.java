package dev.sluice.conversion.review;

import dev.sluice.conversion.review.BadReviewException.Reason;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * What all reviews of Kubernetes have in common: a kind and version, and a request with a uid.
 *
 * @param uid what the answer must repeat
 * @param request the request; only one level of it is opened
 */
public record ReviewEnvelope(String uid, JsonObject request) {
  private static final int SHOWN = 80;

  /** Those of an API server have 36; no name in Kubernetes is longer than this. */
  private static final int LONGEST_UID = 253;

  /** Members of a review, and of its request, of which an API server sends some twenty. */
  private static final int MOST_MEMBERS = 256;

  /**
   * Reads the text of a review.
   *
   * @throws BadReviewException if it is no JSON, another kind or version of review, or one whose
   *     answer could not name its uid
   */
  public static ReviewEnvelope read(byte[] body, JsonSyntax syntax, String kind, String apiVersion)
      throws BadReviewException {
    JsonObject review = object(bounded(check(body, syntax), "the body"), "the body");
    require("kind", review.text("kind"), kind);
    require("apiVersion", review.text("apiVersion"), apiVersion);
    JsonObject request = object(bounded(review.get("request"), "request"), "request");
    return new ReviewEnvelope(requireUid(request.text("uid")), request);
  }

  /**
   * The string of this key in the request.
   *
   * @throws BadReviewException if there is none
   */
  public String text(String key) throws BadReviewException {
    return requireText(key, request.text(key));
  }

  /** The value, if opening it makes no more than a few members. */
  private static @Nullable Json bounded(@Nullable Json value, String what)
      throws BadReviewException {
    if (value instanceof JsonSlice slice
        && slice.type() == Json.Type.OBJECT
        && slice.countChildren() > MOST_MEMBERS) {
      throw new BadReviewException(
          Reason.OVER_LIMIT,
          "%s: has more than %d members (expected: fewer)".formatted(what, MOST_MEMBERS));
    }
    return value;
  }

  private static Json check(byte[] body, JsonSyntax syntax) throws BadReviewException {
    try {
      return syntax.check(body);
    } catch (MalformedJsonException e) {
      throw unreadable(e);
    }
  }

  /** The object; a list is refused without being opened, which takes memory for each item. */
  private static JsonObject object(@Nullable Json value, String what) throws BadReviewException {
    if (value != null
        && value.type() == Json.Type.OBJECT
        && value.opened() instanceof JsonObject object) {
      return object;
    }
    throw noObject(what, value == null ? "missing" : value.type().words());
  }

  /**
   * Holds a member of the review against the only text it may have.
   *
   * @param found null if there is no text
   */
  public static void require(String key, @Nullable String found, String expected)
      throws BadReviewException {
    if (!expected.equals(found)) {
      throw malformed("%s: %s (expected: %s)".formatted(key, shown(found), expected));
    }
  }

  /**
   * The uid of a request, which must not be empty nor longer than 253 characters: it is answered
   * and logged as it came.
   *
   * @param found null if there is no text
   */
  public static String requireUid(@Nullable String found) throws BadReviewException {
    if (found == null || found.isEmpty()) {
      throw malformed("request.uid: " + shown(found) + " (expected: a string that is not empty)");
    }
    if (found.length() > LONGEST_UID) {
      throw malformed(
          "request.uid: %d characters (expected: at most %d)"
              .formatted(found.length(), LONGEST_UID));
    }
    return found;
  }

  /**
   * The text of a member of the request.
   *
   * @param found null if there is no text
   */
  public static String requireText(String key, @Nullable String found) throws BadReviewException {
    if (found == null) {
      throw malformed("request." + key + ": missing (expected: a string)");
    }
    return found;
  }

  /** The exception for a body that did not pass the door. */
  public static BadReviewException unreadable(MalformedJsonException e) {
    return e.overLimit()
        ? new BadReviewException(Reason.OVER_LIMIT, "the body passes a bound: " + e.getMessage())
        : malformed("the body is no JSON: " + e.getMessage());
  }

  /** The exception for a part of a review that is no object. */
  public static BadReviewException noObject(String what, String found) {
    return malformed(what + ": " + found + " (expected: an object)");
  }

  /** The exception for a request that is wrong in this way. */
  public static BadReviewException malformed(String message) {
    return new BadReviewException(Reason.MALFORMED, message);
  }

  private static String shown(@Nullable String text) {
    if (text == null) {
      return "missing";
    }
    return '"' + Excerpt.of(text, SHOWN) + '"';
  }
}
