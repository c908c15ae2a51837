package dev.sluice.bench.micro;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.ConversionListener;
import dev.sluice.conversion.review.ConversionRequest;
import dev.sluice.conversion.review.ReviewConverter;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A review of 500 objects: read and answered, only checked, or parsed and written by Jackson. */
@State(Scope.Thread)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class ReviewBenchmark {
  private static final int OBJECTS = 500;

  /** The kind of the objects, at v1beta1. */
  @Param({"Topology", "Cohort"})
  public String kind;

  private final JsonSyntax syntax = new JsonSyntax(JsonLimits.DEFAULT);
  private final ReviewConverter converter =
      new ReviewConverter(new Converter(Mode.CARRY), Long.MAX_VALUE);
  private final ObjectMapper mapper = new ObjectMapper();
  private byte[] review;
  private ConversionRequest request;

  /** Makes the review. */
  @Setup
  public void makeReview() throws BadReviewException {
    review = Objects.review(kind, OBJECTS);
    request = ConversionRequest.read(review, syntax);
  }

  /** All of Sluice's work but measuring and logging. */
  @Benchmark
  public long readAndAnswer() throws BadReviewException {
    return converter
        .answer(ConversionRequest.read(review, syntax), ConversionListener.NONE, () -> false)
        .length();
  }

  /** The answer to a review that was read before. */
  @Benchmark
  public long answer() throws BadReviewException {
    return converter.answer(request, ConversionListener.NONE, () -> false).length();
  }

  /** The check of the syntax. */
  @Benchmark
  public JsonSlice checkSyntax() throws MalformedJsonException {
    return syntax.check(review);
  }

  /** What Sluice is compared with. */
  @Benchmark
  public byte[] jacksonParseAndWrite() throws IOException {
    return mapper.writeValueAsBytes(mapper.readTree(review));
  }
}
