package dev.sluice.conversion.review;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonSyntax;
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
   * @throws BadReviewException if it is no ConversionReview that can be answered
   */
  public static ConversionRequest read(byte[] body, JsonSyntax syntax) throws BadReviewException {
    ReviewEnvelope review = ReviewEnvelope.read(body, syntax, KIND, API_VERSION);
    String desired = review.text("desiredAPIVersion");
    return new ConversionRequest(
        review.uid(),
        desired,
        ApiVersion.findByGroupVersion(desired),
        objects(review.request().open("objects")));
  }

  private static JsonArray objects(@Nullable Json objects) throws BadReviewException {
    if (objects == null || objects.type() == Json.Type.NULL) {
      return new JsonArray();
    }
    if (objects instanceof JsonArray array) {
      return array;
    }
    throw ReviewEnvelope.malformed(
        "request.objects: " + objects.type().words() + " (expected: a list)");
  }
}
