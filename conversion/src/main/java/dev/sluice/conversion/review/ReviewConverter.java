package dev.sluice.conversion.review;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.json.Excerpt;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonArray;
import dev.sluice.conversion.json.JsonOutput;
import dev.sluice.conversion.json.JsonSlice;
import dev.sluice.conversion.review.BadReviewException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Answers a ConversionReview: objects are opened, converted and written one after the other, so
 * that at any time only one of them is in memory as a tree.
 *
 * <p>Thread-safe.
 */
public final class ReviewConverter {
  private static final int MESSAGES = 5;
  private static final int SHOWN = 80;
  private static final int ENVELOPE = 256;

  private final Converter converter;
  private final long maxAnswerBytes;

  /**
   * A converter of reviews.
   *
   * @param maxAnswerBytes the size beyond which an answer is given up, since some conversions make
   *     objects larger
   */
  public ReviewConverter(Converter converter, long maxAnswerBytes) {
    this.converter = converter;
    this.maxAnswerBytes = maxAnswerBytes;
  }

  /**
   * Converts all objects of the request.
   *
   * @param expired asked between objects whether the time for the answer is over
   * @return the review to answer with: a success with every object in its place, or a failure that
   *     says of the first few bad objects what is wrong
   * @throws BadReviewException if time or room for the answer ran out
   */
  public JsonOutput answer(
      ConversionRequest request, ConversionListener listener, BooleanSupplier expired)
      throws BadReviewException {
    if (request.desired().isEmpty()) {
      return failure(request, List.of(unknownVersion(request)));
    }
    JsonOutput out = new JsonOutput(expectedLength(request.objects()));
    begin(request, out);
    out.writeAscii(",\"convertedObjects\":[");
    List<String> problems = convertAll(request, request.desired().get(), listener, expired, out);
    if (!problems.isEmpty()) {
      return failure(request, problems);
    }
    out.writeAscii("],\"result\":{\"status\":\"Success\"}}}");
    return out;
  }

  /** Converting makes most objects a little shorter or longer; a guess that fits saves copies. */
  private static int expectedLength(JsonArray objects) {
    long length = 0;
    for (int i = 0; i < objects.size(); i++) {
      length += objects.get(i) instanceof JsonSlice slice ? slice.length() : 0;
    }
    return Math.clamp(length + length / 8 + ENVELOPE, 0, Integer.MAX_VALUE);
  }

  private List<String> convertAll(
      ConversionRequest request,
      ApiVersion desired,
      ConversionListener listener,
      BooleanSupplier expired,
      JsonOutput out)
      throws BadReviewException {
    JsonArray objects = request.objects();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < objects.size() && problems.size() < MESSAGES; i++) {
      if (expired.getAsBoolean()) {
        throw new BadReviewException(
            Reason.OUT_OF_TIME,
            "time was over after %d of %d objects".formatted(i, objects.size()));
      }
      if (i > 0) {
        out.writeAscii(",");
      }
      convertOne(objects.get(i), i, desired, listener, out, problems);
      if (out.length() > maxAnswerBytes) {
        throw new BadReviewException(
            Reason.OVER_LIMIT,
            "the converted objects take more than %d bytes".formatted(maxAnswerBytes));
      }
    }
    return problems;
  }

  private void convertOne(
      Json object,
      int index,
      ApiVersion desired,
      ConversionListener listener,
      JsonOutput out,
      List<String> problems) {
    listener.starting();
    Outcome outcome = converter.convert(object, desired);
    switch (outcome) {
      case Outcome.Converted converted -> converted.object().writeTo(out);
      case Outcome.Refused refused ->
          problems.add("objects[%d]: %s".formatted(index, refused.message()));
    }
    listener.finished(outcome, object instanceof JsonSlice slice ? slice.length() : 0);
  }

  private static String unknownVersion(ConversionRequest request) {
    String desired = request.desiredText();
    return "desiredAPIVersion: %s (expected: %s/ and one of %s)"
        .formatted(Excerpt.of(desired, SHOWN), ApiVersion.GROUP, List.of(ApiVersion.values()));
  }

  private static JsonOutput failure(ConversionRequest request, List<String> problems) {
    String message = String.join("; ", problems);
    return failure(request, problems.size() < MESSAGES ? message : message + "; there may be more");
  }

  /** The review that says of the whole request why it was not converted. */
  public static JsonOutput failure(ConversionRequest request, String message) {
    JsonOutput out = new JsonOutput();
    begin(request, out);
    out.writeAscii(",\"convertedObjects\":[],\"result\":{\"status\":\"Failure\",\"message\":");
    out.writeText(message);
    out.writeAscii("}}}");
    return out;
  }

  private static void begin(ConversionRequest request, JsonOutput out) {
    out.writeAscii("{\"apiVersion\":\"" + ConversionRequest.API_VERSION + "\"");
    out.writeAscii(",\"kind\":\"" + ConversionRequest.KIND + "\",\"response\":{\"uid\":");
    out.writeText(request.uid());
  }
}
