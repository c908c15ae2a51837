package dev.sluice.conversion.review;

import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.review.BadReviewException.Reason;
import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.conversion.step.Work;
import dev.sluice.conversion.step.WorkStopped;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /** Bytes of an answer for which memory is taken at once when it grows beyond what is expected. */
  private static final int STEP = 1 << 20;

  private static final String ANSWER = "the answer";

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
    return answer(request, listener, expired, MemoryBudget.UNBOUNDED);
  }

  /**
   * Converts all objects of the request within bounds of memory, which is taken before it is used:
   * for the answer as it grows, and for one object at a time.
   *
   * @param expired asked between objects, and on the way in large ones, whether the time for the
   *     answer is over
   * @param budget gives the memory
   * @return the review to answer with: a success with every object in its place, or a failure that
   *     says of the first few bad objects what is wrong
   * @throws BadReviewException if time or room for the answer ran out
   */
  public JsonOutput answer(
      ConversionRequest request,
      ConversionListener listener,
      BooleanSupplier expired,
      MemoryBudget budget)
      throws BadReviewException {
    Optional<String> desired = converter.version(request.desired());
    if (desired.isEmpty()) {
      return failure(request, List.of(unknownVersion(request)));
    }
    int expected = expectedLength(request.objects());
    Charge.take(budget, expected, ANSWER);
    JsonOutput out = new JsonOutput(expected);
    begin(request, out);
    out.writeAscii(",\"convertedObjects\":[");
    Conversion conversion =
        new Conversion(request.objects(), desired.get(), listener, expired, budget, out);
    List<String> problems = conversion.run(expected);
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

  /** The way of one review's objects into its answer. */
  private final class Conversion {
    private final JsonArray objects;
    private final String desired;
    private final ConversionListener listener;
    private final BooleanSupplier expired;
    private final MemoryBudget budget;
    private final JsonOutput out;
    private long taken;

    private Conversion(
        JsonArray objects,
        String desired,
        ConversionListener listener,
        BooleanSupplier expired,
        MemoryBudget budget,
        JsonOutput out) {
      this.objects = objects;
      this.desired = desired;
      this.listener = listener;
      this.expired = expired;
      this.budget = budget;
      this.out = out;
    }

    /**
     * Converts all, and gives up after a few problems.
     *
     * @param expected bytes of the answer for which memory is taken already
     */
    private List<String> run(long expected) throws BadReviewException {
      List<String> problems = new ArrayList<>();
      taken = expected;
      for (int i = 0; i < objects.size() && problems.size() < MESSAGES; i++) {
        if (expired.getAsBoolean()) {
          throw new BadReviewException(
              Reason.OUT_OF_TIME,
              "time was over after %d of %d objects".formatted(i, objects.size()));
        }
        if (i > 0) {
          out.writeAscii(",");
        }
        convertOne(i, problems);
        if (out.length() > maxAnswerBytes) {
          throw new BadReviewException(
              Reason.OVER_LIMIT,
              "the converted objects take more than %d bytes".formatted(maxAnswerBytes));
        }
      }
      return problems;
    }

    private void convertOne(int index, List<String> problems) throws BadReviewException {
      Json object = objects.get(index);
      int length = object instanceof JsonSlice slice ? slice.length() : 0;
      Work work = new Work(budget, expired);
      try {
        if (object instanceof JsonSlice slice && length > Charge.SMALL) {
          work.take(Charge.object(slice.valuesAtMost(), length), 0);
        }
        listener.starting();
        Outcome outcome = converter.convert(object, desired, work);
        switch (outcome) {
          case Outcome.Converted converted -> {
            makeRoom(out.length() + length + work.expanded());
            converted.object().writeTo(out);
          }
          case Outcome.Refused refused ->
              problems.add("objects[%d]: %s".formatted(index, refused.message()));
        }
        listener.finished(outcome, length);
      } catch (WorkStopped e) {
        throw stopped(e.at("objects[" + index + "]"));
      } finally {
        work.done();
      }
    }

    /** Takes memory for an answer of so many bytes, as far as it is not taken yet. */
    private void makeRoom(long answer) throws BadReviewException {
      if (answer > taken) {
        long more = Math.max(answer - taken, Math.min(taken, STEP));
        Charge.take(budget, more, ANSWER);
        taken += more;
      }
    }
  }

  private static BadReviewException stopped(WorkStopped e) {
    Reason reason =
        switch (e.reason()) {
          case NO_ROOM -> Reason.NO_ROOM;
          case TOO_MUCH -> Reason.OVER_LIMIT;
          case OUT_OF_TIME -> Reason.OUT_OF_TIME;
        };
    return new BadReviewException(reason, e.sentence());
  }

  private String unknownVersion(ConversionRequest request) {
    return "desiredAPIVersion: %s (expected: %s/ and one of %s)"
        .formatted(Excerpt.of(request.desired(), SHOWN), converter.group(), converter.versions());
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
