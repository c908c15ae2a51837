package dev.sluice.webhook.rules.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.rules.view.ClusterView;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Warnings about an admission that contradicts the queues or the Workload itself. */
final class AdmissionWarnings {
  private final RuleInput input;
  private final WorkloadView workload;
  private final ValidationResult findings;

  AdmissionWarnings(RuleInput input, WorkloadView workload, ValidationResult findings) {
    this.input = input;
    this.workload = workload;
    this.findings = findings;
  }

  void check() {
    Field clusterQueue = workload.admission().child("clusterQueue");
    warnOfQueue(clusterQueue);
    Optional<Set<String>> flavors = flavors(clusterQueue.text().orElse(""));
    Map<String, Field> podSets = workload.podSetsByName();
    for (Field assignment : workload.assignments()) {
      Field podSet = podSets.get(WorkloadView.name(assignment));
      if (podSet != null) {
        warnOfCount(assignment, podSet);
      }
      flavors.ifPresent(known -> warnOfFlavors(assignment.child("flavors"), known));
    }
  }

  private ClusterView view() {
    return input.world().view();
  }

  private void warnOfQueue(Field clusterQueue) {
    String queue = workload.root().child("spec").child("queueName").text().orElse("");
    Optional<String> expected = input.clusterQueueOf(queue);
    if (expected.isPresent() && !clusterQueue.text().equals(expected)) {
      findings.warn(
          "%s: LocalQueue %s belongs to %s"
              .formatted(
                  clusterQueue.path(), ValueText.quoted(queue), ValueText.quoted(expected.get())));
    }
  }

  private Optional<Set<String>> flavors(String clusterQueue) {
    Optional<JsonNode> queue = view().find(ApiKind.CLUSTER_QUEUE.groupKind(), "", clusterQueue);
    return queue.map(
        it -> {
          Set<String> names = new HashSet<>();
          for (JsonNode group : it.path("spec").path("resourceGroups")) {
            group.path("flavors").forEach(flavor -> names.add(flavor.path("name").asText()));
          }
          return names;
        });
  }

  private void warnOfFlavors(Field flavors, Set<String> known) {
    for (var entry : flavors.node().properties()) {
      if (!known.contains(entry.getValue().asText())) {
        findings.warn(
            "%s: %s is no flavor of the ClusterQueue"
                .formatted(flavors.key(entry.getKey()).path(), ValueText.of(entry.getValue())));
      }
    }
  }

  private void warnOfCount(Field assignment, Field podSet) {
    Optional<Long> count = assignment.child("count").integer();
    long max = WorkloadView.count(podSet);
    long min = Math.min(max, podSet.child("minCount").integer().orElse(max));
    boolean elastic = workload.isElastic(input.world().settings());
    if (!elastic && count.filter(it -> it > max || it < min).isPresent()) {
      findings.warn(
          "%s: %d, but the pod set asks for %s"
              .formatted(
                  assignment.child("count").path(),
                  count.get(),
                  min == max ? "" + max : min + " to " + max));
    }
  }
}
