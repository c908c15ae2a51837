package dev.sluice.webhook.endpoint;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.Denial;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.webhook.guard.PodGuard;
import dev.sluice.webhook.guard.Surplus;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks the {@link PodGuard} about Pods that are created. It may wait for the API server. */
public final class GuardEndpoint extends AdmissionEndpoint {
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final String PHASE = "guard";

  /** What is left of the time a caller gives, for the way back. */
  private static final Duration RESERVE = Duration.ofMillis(300);

  private static final Duration LONGEST = Duration.ofSeconds(2);

  private final PodGuard guard;

  /** The endpoint of this guard. */
  public GuardEndpoint(
      PodGuard guard, ReviewContext world, JsonSyntax syntax, MeterRegistry registry) {
    super(PHASE, KindRules.of(POD, (_, _) -> {}), world, syntax, registry);
    this.guard = guard;
  }

  /** Its path. */
  public static String servedPath() {
    return path(PHASE, POD);
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  Answer check(AdmissionRequest request, RuleInput input, Deadline deadline) {
    ValidationResult findings = new ValidationResult();
    if (input.operation() == Operation.CREATE) {
      surplus(input, deadline).ifPresent(surplus -> report(surplus, findings));
    }
    return conclude(request, input, findings, List.of());
  }

  private Optional<Surplus> surplus(RuleInput input, Deadline deadline) {
    Duration bound = deadline.left().minus(RESERVE);
    return guard.judge(
        input.object(),
        input.namespace(),
        input.request().dryRun(),
        bound.compareTo(LONGEST) < 0 ? bound : LONGEST);
  }

  private void report(Surplus surplus, ValidationResult findings) {
    if (guard.mode() == GuardMode.DENY) {
      findings.fail(new Denial(403, "Forbidden", surplus.sentence()));
    } else {
      findings.warn(surplus.sentence());
    }
  }
}
