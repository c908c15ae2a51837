package dev.sluice.conversion.review;

import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.TextCounts;

/**
 * The request of a ConversionReview, read from its text; its objects are not opened.
 *
 * @param uid what the answer must repeat
 * @param desired the {@code apiVersion} asked for, as it was sent
 * @param objects the objects; empty if the request names none
 */
public record ConversionRequest(String uid, String desired, JsonArray objects) {
  /** The only review version there is. */
  public static final String API_VERSION = "apiextensions.k8s.io/v1";

  /** The kind of a review. */
  public static final String KIND = "ConversionReview";

  private static final String OBJECTS = "objects";

  /**
   * Reads a review's text.
   *
   * @throws BadReviewException if it is no ConversionReview that can be answered
   */
  public static ConversionRequest read(byte[] body, JsonSyntax syntax) throws BadReviewException {
    return read(body, syntax, MemoryBudget.UNBOUNDED);
  }

  /**
   * Reads a review's text.
   *
   * @param budget gives the memory for what is made of the text
   * @throws BadReviewException if it is no ConversionReview that can be answered, or if there is no
   *     room for it
   */
  public static ConversionRequest read(byte[] body, JsonSyntax syntax, MemoryBudget budget)
      throws BadReviewException {
    if (body.length > Charge.SMALL) {
      Charge.take(budget, Charge.index(body, TextCounts.of(body)), "the body");
    }
    ReviewEnvelope review = ReviewEnvelope.read(body, syntax, KIND, API_VERSION);
    return new ConversionRequest(
        review.uid(), review.text("desiredAPIVersion"), objects(review.request(), budget));
  }

  private static JsonArray objects(JsonObject request, MemoryBudget budget)
      throws BadReviewException {
    if (request.get(OBJECTS) instanceof JsonSlice slice && slice.length() > Charge.SMALL) {
      Charge.take(budget, Charge.listed(slice.countChildren()), "request.objects");
    }
    Json objects = request.open(OBJECTS);
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
