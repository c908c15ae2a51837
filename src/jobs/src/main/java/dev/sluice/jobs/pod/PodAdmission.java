package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.admission.Ancestors;
import dev.sluice.jobs.admission.CommonRules;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.Integrations;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.topology.TopologyRequest;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.gates.AdmissionGatedBy;
import java.util.List;

/**
 * The Pod: a job of its own, a member of a group, or queued through its owner's template. It waits
 * behind scheduling gates.
 */
public final class PodAdmission implements JobKind {
  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("", "v1", "Pod");
  }

  @Override
  public String framework() {
    return "pod";
  }

  @Override
  public List<Field> templates(Field root) {
    return List.of(root.child("metadata"));
  }

  /** Whether the Pod does not run: it waits, or it has ended. */
  static boolean isSuspended(JobObject pod) {
    String phase = pod.root().child("status").child("phase").text().orElse("");
    return phase.equals("Succeeded") || phase.equals("Failed") || isGated(pod);
  }

  private static boolean isGated(JobObject pod) {
    for (var gate : pod.spec().child("schedulingGates").node()) {
      if (gate.path("name").asText().equals(SchedulingGates.ADMISSION)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void setDefaults(JobReview review, PatchRecorder draft, ValidationResult findings) {
    if (isQueuedByOwner(review.job())) {
      hold(review, draft);
    } else if (isForQueues(review, findings)) {
      Defaults.queueName(review, draft);
      Defaults.priorityClass(review, draft);
      draft.label(Labels.MANAGED, "true");
      Defaults.finalizer(draft, Finalizers.MANAGED);
      hold(review, draft);
    }
  }

  private static boolean isQueuedByOwner(JobObject pod) {
    return pod.annotation(Annotations.POD_SUSPENDING_PARENT).isPresent();
  }

  /**
   * Whether the Pod waits in a queue of its own. Its owners are read last, so that an unmanaged Pod
   * never waits for the view to know them. If Pods are enabled only for other kinds, a Pod of its
   * own would never be ungated.
   */
  private static boolean isForQueues(JobReview review, ValidationResult findings) {
    JobObject pod = review.job();
    return !Integrations.isPodOnlyImplied(review.settings())
        && (review.isManaged(pod) || Defaults.getsQueueName(review, pod))
        && review.isManagedNamespace(!pod.queueName().isEmpty())
        && !Ancestors.leadsToManager(review, pod, findings)
        && findings.failure().isEmpty();
  }

  private static void hold(JobReview review, PatchRecorder draft) {
    Defaults.gate(draft, SchedulingGates.ADMISSION);
    if (review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      JobObject pod = Defaults.job(draft);
      if (pod.annotation(Annotations.POD_GROUP_POD_INDEX_LABEL).isPresent()) {
        draft.label(
            Labels.POD_GROUP_POD_INDEX,
            pod.labelText(pod.annotationText(Annotations.POD_GROUP_POD_INDEX_LABEL)));
      }
      Defaults.gate(draft, SchedulingGates.TOPOLOGY);
    }
    if (!Defaults.job(draft).annotation(Annotations.ROLE_HASH).isPresent()) {
      draft.annotation(Annotations.ROLE_HASH, PodShape.hash(draft.root().child("spec").node()));
    }
  }

  @Override
  public void check(JobReview review, ValidationResult findings) {
    JobObject pod = review.job();
    review
        .oldJob()
        .ifPresentOrElse(
            old -> checkChange(review, old, pod, findings), () -> checkNew(review, pod, findings));
    checkManaged(pod, findings);
    PodGroupRules.check(review, pod, findings);
    TopologyRequest.check(
        pod.metadata(), review.isOn(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY), findings);
    PodGroupRules.checkPrebuilt(review, pod, findings);
    review.oldJob().ifPresent(old -> PodGroupRules.checkChange(review, old, pod, findings));
    warn(review, pod, findings);
  }

  private static void checkNew(JobReview review, JobObject pod, ValidationResult findings) {
    CommonRules.checkNew(review, pod, findings);
    AdmissionGatedBy.check(review.input(), findings);
  }

  private static void checkChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    Ratchet.check(
        review.input(),
        findings,
        (root, found) -> CommonRules.checkNew(review, new JobObject(root), found));
    CommonRules.checkChange(
        new CommonRules.Change(review, old, now, isSuspended(old), isSuspended(now)), findings);
    if (old.labelText(Labels.MANAGED).equals("true")
        && now.label(Labels.MANAGED).node().isMissingNode()
        && isGated(now)) {
      findings.warn(
          now.label(Labels.MANAGED).path() + ": removed, so nobody will let this Pod start");
    }
    if (isGated(old) && !isGated(now) && review.isStartedByHand(now)) {
      findings.warn(
          "%s: %s taken away by hand: the Pod starts whether or not there is quota for it"
              .formatted(now.spec().child("schedulingGates").path(), SchedulingGates.ADMISSION));
    }
  }

  private static void checkManaged(JobObject pod, ValidationResult findings) {
    Field managed = pod.label(Labels.MANAGED);
    if (!managed.node().isMissingNode() && !managed.text().orElse("").equals("true")) {
      findings.add(FieldError.forbidden(managed, "must be true where it is set"));
    }
  }

  private static void warn(JobReview review, JobObject pod, ValidationResult findings) {
    boolean isQueuedByOwner = isQueuedByOwner(pod);
    if (pod.label(Labels.MANAGED).node().equals(TextNode.valueOf("true"))
        && review.isLedByManager(pod)
        && !(review.oldJob().isPresent() && isQueuedByOwner)) {
      findings.warn(
          pod.label(Labels.MANAGED).path()
              + ": set on a Pod whose owner is queued itself, so it would wait twice");
    }
    if (isQueuedByOwner && pod.controller().isEmpty() && review.oldJob().isEmpty()) {
      findings.warn(
          pod.annotation(Annotations.POD_SUSPENDING_PARENT).path()
              + ": set on a Pod that no owner controls, so nobody will let it start");
    }
  }
}
