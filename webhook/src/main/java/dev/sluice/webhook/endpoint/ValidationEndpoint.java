package dev.sluice.webhook.endpoint;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** Asks of objects of one kind what its rules ask. */
public final class ValidationEndpoint extends AdmissionEndpoint {
  private static final String PHASE = "validate";

  private final boolean mayWaitBriefly;

  /** The endpoint of this kind. */
  public ValidationEndpoint(
      KindRules rules, ReviewContext world, JsonSyntax syntax, MeterRegistry registry) {
    super(PHASE, rules, world, syntax, registry);
    this.mayWaitBriefly =
        rules.kind().groupKind().equals(ApiKind.CLUSTER_QUEUE.groupKind())
            && world.quota().foreseesLosses();
  }

  /** The path on which reviews of this kind come, as Kueue has it. */
  public static String path(GroupVersionKind kind) {
    return path(PHASE, kind);
  }

  /** The effect of an edit of a ClusterQueue is tried out on another thread. */
  @Override
  public boolean mayWaitBriefly() {
    return mayWaitBriefly;
  }

  @Override
  Answer check(AdmissionRequest request, RuleInput input, Deadline deadline) {
    return conclude(request, input, rules().check(input), List.of());
  }
}
