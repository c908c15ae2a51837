package dev.sluice.webhook.endpoint;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.json.JsonSyntax;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.ReviewEnvelope;
import dev.sluice.webhook.rules.Denial;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.RuleBook;
import dev.sluice.webhook.rules.RuleInput;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the AdmissionReviews of one kind by its rules; they come at the hub version. */
public final class ValidationEndpoint implements Endpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ValidationEndpoint.class);

  private final ApiKind kind;
  private final RuleBook rules;
  private final JsonSyntax syntax;
  private final Counter allowed;
  private final Counter denied;

  /** The endpoint of this kind. */
  public ValidationEndpoint(
      ApiKind kind, RuleBook rules, JsonSyntax syntax, MeterRegistry registry) {
    this.kind = kind;
    this.rules = rules;
    this.syntax = syntax;
    this.allowed = counter(kind, "allowed", registry);
    this.denied = counter(kind, "denied", registry);
  }

  private static Counter counter(ApiKind kind, String verdict, MeterRegistry registry) {
    return Counter.builder("sluice.admission.reviews")
        .description("Admission reviews answered, by kind and verdict")
        .tags("kind", kind.kind(), "verdict", verdict)
        .register(registry);
  }

  /** The path on which reviews of this kind come, as Kueue has it. */
  public static String path(ApiKind kind) {
    return "/validate-%s-%s-%s"
        .formatted(
            ApiVersion.GROUP.replace('.', '-'),
            ApiVersion.HUB.text(),
            kind.kind().toLowerCase(Locale.ROOT));
  }

  @Override
  public String path() {
    return path(kind);
  }

  @Override
  public Probe probe() {
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
                ApiVersion.GROUP,
                ApiVersion.HUB.text(),
                kind,
                ApiVersion.HUB.groupVersion(),
                kind),
        "\"allowed\":");
  }

  @Override
  public Answer answer(byte[] body, Deadline deadline) {
    try {
      return answer(AdmissionRequest.read(body, syntax));
    } catch (BadReviewException e) {
      LOG.atDebug().addKeyValue("reason", e.reason()).log("review refused: {}", e.sentence());
      return BadReviews.answer(e);
    }
  }

  private Answer answer(AdmissionRequest request) throws BadReviewException {
    if (!isOurs(request.kind())) {
      return refuse(
          request,
          "request.kind: %s (expected: %s of %s on this path)"
              .formatted(request.kind(), kind, ApiVersion.HUB.groupVersion()));
    }
    return switch (request.operation()) {
      case "CREATE" -> check(request, RuleInput.Operation.CREATE);
      case "UPDATE" -> check(request, RuleInput.Operation.UPDATE);
      case "DELETE", "CONNECT" -> conclude(request, Optional.empty(), List.of());
      default ->
          throw ReviewEnvelope.malformed(
              "request.operation: unknown (expected: CREATE, UPDATE, DELETE or CONNECT)");
    };
  }

  private Answer check(AdmissionRequest request, RuleInput.Operation operation) {
    if (!request.object().isObject()) {
      return refuse(request, "request.object: missing or no object (expected: a " + kind + ")");
    }
    RuleInput input =
        new RuleInput(
            operation,
            request.object(),
            request.oldObject().isObject() ? request.oldObject() : null);
    Findings findings = rules.check(kind, input);
    return conclude(request, Denial.of(kind, input, findings), findings.warnings());
  }

  private Answer refuse(AdmissionRequest request, String message) {
    return conclude(request, Optional.of(new Denial(400, "BadRequest", message)), List.of());
  }

  private Answer conclude(
      AdmissionRequest request, Optional<Denial> denial, List<String> warnings) {
    denial.map(_ -> denied).orElse(allowed).increment();
    LOG.atDebug()
        .addKeyValue("uid", request.uid())
        .addKeyValue("kind", kind.kind())
        .addKeyValue("name", request.name())
        .addKeyValue("operation", request.operation())
        .addKeyValue("allowed", denial.isEmpty())
        .log("review answered{}", denial.map(d -> ": " + d.message()).orElse(""));
    return denial
        .map(d -> AdmissionAnswer.deny(request.uid(), d, warnings))
        .orElseGet(() -> AdmissionAnswer.allow(request.uid(), warnings));
  }

  private boolean isOurs(AdmissionRequest.GroupVersionKind found) {
    return found.kind().equals(kind.kind())
        && found.group().equals(ApiVersion.GROUP)
        && found.version().equals(ApiVersion.HUB.text());
  }
}
