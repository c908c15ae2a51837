package dev.sluice.webhook.endpoint;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.ConversionListener;
import dev.sluice.conversion.review.ConversionRequest;
import dev.sluice.conversion.review.ReviewConverter;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.KindVersions;
import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSyntax;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers ConversionReviews on {@code /convert}. Needs no cluster and no other part of Sluice. */
public final class ConversionEndpoint implements Endpoint {
  /** The path that CRDs name. */
  public static final String PATH = "/convert";

  private static final Logger LOG = LoggerFactory.getLogger(ConversionEndpoint.class);

  private final JsonSyntax syntax;
  private final ReviewConverter converter;
  private final Probe probe;
  private final ConversionMeters meters;
  private final ObjectLog log;
  private final LongSupplier nanoTime;

  /**
   * An endpoint for Kueue's kinds within these bounds.
   *
   * @param nanoTime a clock that counts nanoseconds from anywhere
   */
  public ConversionEndpoint(
      JsonSyntax syntax, long maxAnswerBytes, ConversionMeters meters, LongSupplier nanoTime) {
    this(new Converter(Mode.CARRY), kueueProbe(), syntax, maxAnswerBytes, meters, nanoTime);
  }

  /**
   * An endpoint for the kinds of this converter within these bounds.
   *
   * @param nanoTime a clock that counts nanoseconds from anywhere
   */
  public ConversionEndpoint(
      Converter kinds,
      JsonSyntax syntax,
      long maxAnswerBytes,
      ConversionMeters meters,
      LongSupplier nanoTime) {
    this(kinds, probe(kinds.kinds().getFirst()), syntax, maxAnswerBytes, meters, nanoTime);
  }

  private ConversionEndpoint(
      Converter kinds,
      Probe probe,
      JsonSyntax syntax,
      long maxAnswerBytes,
      ConversionMeters meters,
      LongSupplier nanoTime) {
    this.syntax = syntax;
    this.converter = new ReviewConverter(kinds, maxAnswerBytes);
    this.probe = probe;
    this.meters = meters;
    this.log = new ObjectLog(nanoTime);
    this.nanoTime = nanoTime;
  }

  /** It takes an object of the oldest version to the newest one. */
  private static Probe probe(KindVersions kind) {
    return probe(
        kind.apiVersion(kind.versions().getLast()),
        """
        {"apiVersion":"%s","kind":"%s","metadata":{"name":"probe"},"spec":{}}\
        """
            .formatted(kind.apiVersion(kind.versions().getFirst()), kind.kind().kind()));
  }

  /** Its objects have what differs between the versions. */
  private static Probe kueueProbe() {
    String oldest = ApiVersion.V1ALPHA1.groupVersion();
    return probe(
        ApiVersion.V1BETA2.groupVersion(),
        """
        {"apiVersion":"%s","kind":"Topology","metadata":{"name":"probe"},"spec":{"levels":[
        {"nodeLabel":"topology.kubernetes.io/zone"},{"nodeLabel":"kubernetes.io/hostname"}]}},
        {"apiVersion":"%s","kind":"Cohort","metadata":{"name":"probe"},"spec":{"parent":"root"},
        "status":{"fairSharing":{"admissionFairSharingStatus":{},"weightedShare":1}}}\
        """
            .formatted(oldest, oldest));
  }

  private static Probe probe(String desired, String objects) {
    return new Probe(
        """
        {"apiVersion":"%s","kind":"%s","request":{"uid":"%s","desiredAPIVersion":"%s","objects":[
        %s]}}
        """
            .formatted(
                ConversionRequest.API_VERSION, ConversionRequest.KIND, Probe.UID, desired, objects),
        "\"status\":\"Success\"");
  }

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public Probe probe() {
    return probe;
  }

  @Override
  public Answer answer(byte[] body, Deadline deadline) {
    return answer(body, deadline, MemoryBudget.UNBOUNDED);
  }

  @Override
  public Answer answer(byte[] body, Deadline deadline, MemoryBudget budget) {
    try {
      ConversionRequest request = ConversionRequest.read(body, syntax, budget);
      JsonOutput review = convert(request, deadline, budget);
      LOG.atDebug()
          .addKeyValue("uid", request.uid())
          .addKeyValue("desiredAPIVersion", request.desired())
          .addKeyValue("objects", request.objects().size())
          .log("conversion answered");
      return Answer.review(review.segments());
    } catch (BadReviewException e) {
      LOG.atDebug().addKeyValue("reason", e.reason()).log("conversion refused: {}", e.sentence());
      return BadReviews.answer(e);
    }
  }

  private JsonOutput convert(ConversionRequest request, Deadline deadline, MemoryBudget budget)
      throws BadReviewException {
    try {
      return converter.answer(request, new Listener(request), deadline::expired, budget);
    } catch (OutOfMemoryError e) {
      throw e; // it is not about this request: the server ends
    } catch (RuntimeException
        | Error e) { // also for errors: the answer repeats the uid of the request
      LOG.atError().setCause(e).addKeyValue("uid", request.uid()).log("conversion failed");
      return ReviewConverter.failure(request, Answer.INTERNAL_ERROR);
    }
  }

  /** Measures and logs the objects of one review. */
  private final class Listener implements ConversionListener {
    private final ConversionRequest request;
    private final String version;
    private long began;

    private Listener(ConversionRequest request) {
      this.request = request;
      this.version = request.desired().substring(request.desired().lastIndexOf('/') + 1);
    }

    @Override
    public void starting() {
      began = nanoTime.getAsLong();
    }

    @Override
    public void finished(Outcome outcome, int bytes) {
      long nanos = nanoTime.getAsLong() - began;
      meters.converted(outcome, version, bytes, nanos);
      switch (outcome) {
        case Outcome.Converted converted -> {
          log.took(request.uid(), converted, bytes, nanos);
          for (ConversionWarning warning : converted.warnings()) {
            meters.suspect(converted.kind(), warning.reason());
            log.suspect(request.uid(), converted, warning);
          }
        }
        case Outcome.Refused refused ->
            LOG.atDebug()
                .addKeyValue("uid", request.uid())
                .log("object not converted: {}", refused.message());
      }
    }
  }
}
