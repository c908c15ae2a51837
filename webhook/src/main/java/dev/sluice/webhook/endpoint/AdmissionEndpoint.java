package dev.sluice.webhook.endpoint;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.Charge;
import dev.sluice.conversion.review.ReviewEnvelope;
import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.json.Excerpt;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.Denial;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the AdmissionReviews of one kind, at the version at which they come. */
abstract sealed class AdmissionEndpoint implements Endpoint
    permits ValidationEndpoint, MutationEndpoint, GuardEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionEndpoint.class);

  private static final Denial INTERNAL_ERROR =
      new Denial(500, "InternalError", Answer.INTERNAL_ERROR);

  private final String phase;
  private final String path;
  private final KindRules rules;
  private final ReviewContext world;
  private final JsonSyntax syntax;
  private final Counter allowed;
  private final Counter denied;
  private final Counter failed;
  private final LongAdder received = new LongAdder();

  AdmissionEndpoint(
      String phase,
      KindRules rules,
      ReviewContext world,
      JsonSyntax syntax,
      MeterRegistry registry) {
    this.phase = phase;
    this.path = path(phase, rules.kind());
    this.rules = rules;
    this.world = world;
    this.syntax = syntax;
    this.allowed = counter("allowed", registry);
    this.denied = counter("denied", registry);
    this.failed = counter("failed", registry);
  }

  private Counter counter(String verdict, MeterRegistry registry) {
    return Counter.builder("sluice.admission.reviews")
        .description("Admission reviews answered, by kind, phase and verdict")
        .tags("kind", kind().groupKind().toString(), "phase", phase, "verdict", verdict)
        .register(registry);
  }

  /** The path on which Kueue has reviews of this kind in this phase. */
  static String path(String phase, GroupVersionKind kind) {
    return "/%s-%s-%s-%s"
        .formatted(
            phase,
            kind.group().replace('.', '-'),
            kind.version(),
            kind.kind().toLowerCase(Locale.ROOT));
  }

  final GroupVersionKind kind() {
    return rules.kind();
  }

  final KindRules rules() {
    return rules;
  }

  /** The answer to a CREATE or UPDATE of an object of this kind. */
  abstract Answer check(AdmissionRequest request, RuleInput input, Deadline deadline);

  @Override
  public final String path() {
    return path;
  }

  @Override
  public final long reviewsReceived() {
    return received.sum();
  }

  @Override
  public final Probe probe() {
    return new Probe(
        """
        {"apiVersion":"%s","kind":"%s","request":{"uid":"%s","operation":"CREATE",
        "kind":{"group":"%s","version":"%s","kind":"%s"},
        "object":{"apiVersion":"%s","kind":"%s","metadata":{"name":"probe"},"spec":{}}}}
        """
            .formatted(
                AdmissionRequest.API_VERSION,
                AdmissionRequest.KIND,
                Probe.UID,
                kind().group(),
                kind().version(),
                kind().kind(),
                kind().apiVersion(),
                kind().kind()),
        "\"allowed\":");
  }

  @Override
  public final Answer answer(byte[] body, Deadline deadline) {
    return answer(body, deadline, MemoryBudget.UNBOUNDED);
  }

  @Override
  public final Answer answer(byte[] body, Deadline deadline, MemoryBudget budget) {
    try {
      Charge.take(budget, Charge.tree(body), "the body");
      return answer(AdmissionRequest.read(body, syntax), deadline);
    } catch (BadReviewException e) {
      LOG.atDebug().addKeyValue("reason", e.reason()).log("review refused: {}", e.sentence());
      return BadReviews.answer(e);
    }
  }

  private Answer answer(AdmissionRequest request, Deadline deadline) throws BadReviewException {
    try {
      return judge(request, deadline);
    } catch (OutOfMemoryError e) {
      throw e; // it is not about this request: the server ends
    } catch (RuntimeException
        | Error e) { // also for errors: the answer repeats the uid of the request
      failed.increment();
      LOG.atError().setCause(e).addKeyValue("uid", request.uid()).log("review failed");
      return AdmissionAnswer.deny(request.uid(), INTERNAL_ERROR, List.of());
    }
  }

  private Answer judge(AdmissionRequest request, Deadline deadline) throws BadReviewException {
    if (!request.uid().equals(Probe.UID)) {
      received.increment();
    }
    if (!kind().equals(request.kind())) {
      return refuse(
          request,
          "request.kind: %s (expected: %s on this path)"
              .formatted(Excerpt.of(request.kind().toString()), kind()));
    }
    return switch (request.operation()) {
      case "CREATE" -> check(request, Operation.CREATE, deadline);
      case "UPDATE" -> check(request, Operation.UPDATE, deadline);
      case "DELETE", "CONNECT" -> allow(request, List.of(), List.of());
      default ->
          throw ReviewEnvelope.malformed(
              "request.operation: unknown (expected: CREATE, UPDATE, DELETE or CONNECT)");
    };
  }

  private Answer check(AdmissionRequest request, Operation operation, Deadline deadline) {
    if (!request.object().isObject()) {
      return refuse(
          request, "request.object: missing or no object (expected: a " + kind().kind() + ")");
    }
    return check(request, request.input(operation, world), deadline);
  }

  private Answer refuse(AdmissionRequest request, String message) {
    return deny(request, new Denial(400, "BadRequest", message), List.of());
  }

  /** The answer for what was found; the edits are lost if it is a refusal. */
  final Answer conclude(
      AdmissionRequest request,
      RuleInput input,
      ValidationResult findings,
      List<PatchRecorder.Edit> edits) {
    Optional<Denial> denial = Denial.of(kind().groupKind(), input, findings);
    return denial.isPresent()
        ? deny(request, denial.get(), findings.warnings())
        : allow(request, findings.warnings(), edits);
  }

  private Answer allow(
      AdmissionRequest request, List<String> warnings, List<PatchRecorder.Edit> edits) {
    allowed.increment();
    log(request, true, "");
    return AdmissionAnswer.allow(request.uid(), warnings, edits);
  }

  private Answer deny(AdmissionRequest request, Denial denial, List<String> warnings) {
    denied.increment();
    log(request, false, denial.message());
    return AdmissionAnswer.deny(request.uid(), denial, warnings);
  }

  private void log(AdmissionRequest request, boolean verdict, String message) {
    if (!LOG.isDebugEnabled()) {
      return; // avoids composing a line that is not logged
    }
    LOG.atDebug()
        .addKeyValue("uid", request.uid())
        .addKeyValue("kind", kind().kind())
        .addKeyValue("phase", phase)
        .addKeyValue("name", request.name())
        .addKeyValue("operation", request.operation())
        .addKeyValue("allowed", verdict)
        .log("review answered{}", message.isEmpty() ? "" : ": " + message);
  }
}
