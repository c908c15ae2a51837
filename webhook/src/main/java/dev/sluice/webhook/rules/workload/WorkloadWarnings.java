package dev.sluice.webhook.rules.workload;

import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.webhook.rules.references.References;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What is allowed in a Workload and is seldom meant. Looks only at what a write has changed. */
final class WorkloadWarnings {

  private final RuleInput input;
  private final WorkloadView workload;
  private final Optional<WorkloadView> old;
  private final ValidationResult findings;

  private WorkloadWarnings(RuleInput input, ValidationResult findings) {
    this.input = input;
    this.workload = new WorkloadView(input.root());
    this.old = input.oldRoot().map(WorkloadView::new);
    this.findings = findings;
  }

  static void check(RuleInput input, ValidationResult findings) {
    var warnings = new WorkloadWarnings(input, findings);
    if (!input.hasSameSpec()) {
      warnings.warnOfSpec();
    }
    warnings.old.ifPresent(warnings::warnOfAnnotations);
    warnings.old.ifPresent(warnings::warnOfCluster);
    warnings.warnOfAllowedFlavor();
    if (warnings.isNew(workload -> workload.admission())) {
      warnings.warnOfAdmission();
    }
    if (warnings.isNew(workload -> workload.status().child("reclaimablePods"))) {
      warnings.warnOfReclaimablePods();
    }
    if (warnings.isNew(workload -> workload.status().child("admissionChecks"))) {
      warnings.warnOfUpdates();
    }
  }

  private boolean isNew(Function<WorkloadView, Field> part) {
    Field now = part.apply(workload);
    return now.isPresent()
        && old.filter(it -> SameValue.of(part.apply(it).node(), now.node())).isEmpty();
  }

  private void warnOfSpec() {
    Field podSets = workload.podSetList();
    if (podSets.node().isEmpty()) {
      findings.warn(podSets.path() + ": none, so there is nothing to reserve quota for");
    }
    workload.podSets().forEach(podSet -> PodSetWarnings.check(podSet, findings));
    PodSetWarnings.checkGroups(workload.podSets(), findings);
    warnOfQueue(workload.root().child("spec").child("queueName"));
    QuotaRules.warnOfTooMuch(input, workload, findings);
    warnOfPriorityClass(workload.root().child("spec").child("priorityClassRef"));
    old.filter(WorkloadView::isReserved).ifPresent(this::warnOfChange);
  }

  private void warnOfQueue(Field name) {
    ClusterView view = input.world().view();
    String text = name.text().orElse("");
    if (!text.isEmpty()
        && view.knows(ApiKind.LOCAL_QUEUE.groupKind())
        && view.find(ApiKind.LOCAL_QUEUE.groupKind(), input.namespace(), text).isEmpty()) {
      findings.warn(
          "%s: there is no LocalQueue %s in this namespace: the workload waits until it exists"
              .formatted(name.path(), ValueText.quoted(text)));
    }
  }

  private void warnOfPriorityClass(Field reference) {
    if (reference.child("kind").text().orElse("").equals(ApiKind.WORKLOAD_PRIORITY_CLASS.kind())) {
      References.of(input)
          .warnIfMissing(
              reference.child("name"),
              ApiKind.WORKLOAD_PRIORITY_CLASS,
              "spec.priority counts alone",
              findings);
    }
  }

  private void warnOfChange(WorkloadView before) {
    List<Field> olds = before.podSets();
    List<Field> nows = workload.podSets();
    for (int i = 0; i < Math.min(olds.size(), nows.size()); i++) {
      if (!workload.isElastic(input.world().settings())
          && WorkloadView.count(nows.get(i)) < WorkloadView.count(olds.get(i))) {
        findings.warn(
            nows.get(i).path()
                + ".count: becomes less while quota is reserved: that quota is given back although"
                + " the workload is not elastic");
      }
    }
    Field gates = workload.root().child("spec").child("preemptionGates");
    Field gatesBefore = before.root().child("spec").child("preemptionGates");
    if (!SameValue.of(gatesBefore.node(), gates.node())) {
      findings.warn(gates.path() + ": changed while quota is reserved");
    }
  }

  private void warnOfAnnotations(WorkloadView before) {
    if (input.world().settings().isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)) {
      warnOfChange(before.elasticAnnotation(), workload.elasticAnnotation());
      warnOfChange(before.replacementAnnotation(), workload.replacementAnnotation());
    }
  }

  private void warnOfCluster(WorkloadView before) {
    Field cluster = workload.status().child("clusterName");
    String left = before.status().child("clusterName").text().orElse("");
    if (!left.isEmpty()
        && !left.equals(cluster.text().orElse(""))
        && workload.isReserved()
        && !workload.isEvicted()) {
      findings.warn(
          "%s: no longer %s while quota is reserved and the workload is not evicted: it may run on there"
              .formatted(cluster.path(), ValueText.quoted(left)));
    }
  }

  private void warnOfAllowedFlavor() {
    Field flavor = workload.annotation(Annotations.ALLOWED_RESOURCE_FLAVORS);
    String before =
        old.flatMap(it -> it.annotation(Annotations.ALLOWED_RESOURCE_FLAVORS).text()).orElse("");
    if (!flavor.text().orElse("").equals(before)) {
      References.of(input)
          .warnIfMissing(
              flavor,
              ApiKind.RESOURCE_FLAVOR,
              "the workload is not admitted until it exists",
              findings);
    }
  }

  private void warnOfChange(Field before, Field after) {
    if (!before.text().equals(after.text())) {
      findings.warn(after.path() + ": is meant to stay as it was when the workload was created");
    }
  }

  private void warnOfAdmission() {
    if (!workload.isReserved()) {
      var early = new ValidationResult();
      AdmissionRulesOfStatus.checkAssignments(workload, early);
      early.violations().forEach(it -> findings.warn(it.text()));
    }
    new AdmissionWarnings(input, workload, findings).check();
  }

  private void warnOfReclaimablePods() {
    Field list = workload.status().child("reclaimablePods");
    for (Field entry : list.items(WorkloadView.MAX_ITEMS)) {
      for (Field assignment : workload.assignments()) {
        Optional<Long> admitted = assignment.child("count").integer();
        if (WorkloadView.name(assignment).equals(WorkloadView.name(entry))
            && admitted.isPresent()
            && entry.child("count").integer().orElse(0L) > admitted.get()) {
          findings.warn(
              "%s: more than the %d pods that were admitted"
                  .formatted(
                      WorkloadView.named(list, entry).child("count").path(), admitted.get()));
        }
      }
    }
  }

  private void warnOfUpdates() {
    for (Field check : CheckUpdates.checks(workload)) {
      Set<String> seen = new HashSet<>();
      for (Field update : CheckUpdates.updates(check).items(WorkloadView.MAX_ITEMS)) {
        if (!seen.add(WorkloadView.name(update))) {
          findings.warn(update.child("name").path() + ": names a pod set for the second time");
        }
      }
    }
  }
}
