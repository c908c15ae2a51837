package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the scheduler plans what admission suspends. Its Lease tells which settings the leader
 * has; what admission suspends is read from its registration, and from a configuration if one is
 * given. A cluster without such a Lease has nothing to compare.
 */
public final class AgreementCheck {
  /** Where a scheduler outside of the cluster has its Lease, unless told otherwise. */
  private static final String SYSTEM_NAMESPACE = "kube-system";

  private static final String REGISTRATION =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sluice-mutating";

  private final Cluster cluster;
  private final ServerPlace place;

  /** A check of that cluster. */
  public AgreementCheck(Cluster cluster, ServerPlace place) {
    this.cluster = cluster;
    this.place = place;
  }

  /**
   * Adds a warning for each difference, or one finding that all is well.
   *
   * @param configuration says which Lease it is
   * @param admission the settings that admission should have; empty if they are unknown
   */
  public void check(
      Configuration configuration, Optional<RoleSettings> admission, Findings findings) {
    var election = configuration.manager().leaderElection();
    for (String namespace :
        new LinkedHashSet<>(
            List.of(place.namespace(), election.resourceNamespace(), SYSTEM_NAMESPACE))) {
      Answer lease =
          cluster.get(
              "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s"
                  .formatted(namespace, election.resourceName()));
      JsonNode annotations = lease.json().path("metadata").path("annotations");
      if (lease.isSuccess() && annotations.has(Annotations.SCHEDULED_JOB_KINDS)) {
        String object = "scheduler of lease %s/%s".formatted(namespace, election.resourceName());
        compare(object, settings(annotations), admission, findings);
        return;
      }
    }
  }

  private static RoleSettings settings(JsonNode annotations) {
    return RoleSettings.parse(
        annotations.path(Annotations.SCHEDULED_JOB_KINDS).asText(),
        annotations.path(Annotations.SCHEDULER_FEATURE_GATES).asText());
  }

  private void compare(
      String object, RoleSettings scheduler, Optional<RoleSettings> admission, Findings findings) {
    Set<String> differences = new LinkedHashSet<>(held(scheduler));
    admission.ifPresent(it -> differences.addAll(it.differencesFrom(scheduler)));
    differences.forEach(
        it ->
            findings.warning(
                object, it, "give sluice serve and sluice schedule the same --config and gates"));
    if (differences.isEmpty()) {
      findings.ok(object, "plans every job kind that admission suspends");
    }
  }

  /** The kinds that the API server sends to admission, and that nothing would start. */
  private List<String> held(RoleSettings scheduler) {
    return RoleSettings.parse(String.join(",", reviewed()), "").heldBackFrom(scheduler);
  }

  private List<String> reviewed() {
    List<String> kinds = new ArrayList<>();
    for (JsonNode webhook : cluster.get(REGISTRATION).json().path("webhooks")) {
      for (JsonNode rule : webhook.path("rules")) {
        for (Framework framework : Framework.values()) {
          if (names(rule.path("apiGroups"), framework.type().group())
              && names(rule.path("resources"), framework.plural())) {
            kinds.add(framework.frameworkName());
          }
        }
      }
    }
    return kinds;
  }

  private static boolean names(JsonNode list, String wanted) {
    return list.valueStream().anyMatch(it -> it.asText().equals(wanted));
  }
}
