package dev.sluice.jobs.leaderworkerset;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.ServingKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.pod.PodShape;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.jobs.topology.PodSetGroups;
import dev.sluice.jobs.topology.SliceBounds;
import dev.sluice.jobs.topology.TopologyRequest;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.List;

/** The LeaderWorkerSet: groups of a leader and its workers; each group waits as one. */
public final class LeaderWorkerSetAdmission implements ServingKind {
  private static final int MAX_REPLICAS = 1_000_000;
  private static final String SET = "leaderWorkerTemplate";
  private static final String LEADER = "leaderTemplate";
  private static final String WORKER = "workerTemplate";
  private static final String QUEUED = "must not change while the LeaderWorkerSet is queued";

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet");
  }

  @Override
  public String framework() {
    return "leaderworkerset.x-k8s.io/leaderworkerset";
  }

  private static Field set(Field root) {
    return root.child("spec").child(SET);
  }

  private static long size(JobObject job) {
    return Paths.count(set(job.root()).child("size"), 1);
  }

  /** The templates that are there. */
  private static List<PodSet> podSets(JobObject job) {
    Field leader = set(job.root()).child(LEADER);
    Field worker = set(job.root()).child(WORKER);
    if (!leader.isPresent()) {
      return List.of(PodSet.of("main", worker, size(job)));
    }
    return List.of(PodSet.of("leader", leader, 1), PodSet.of("worker", worker, size(job) - 1));
  }

  @Override
  public List<Field> templates(Field root) {
    return podSets(new JobObject(root)).stream().map(PodSet::metadata).toList();
  }

  @Override
  public void setTemplates(JobReview review, PatchRecorder draft) {
    Field set = set(draft.root());
    for (String name : List.of(LEADER, WORKER)) {
      String[] template = {"spec", SET, name};
      ServingKind.copyLabels(draft, template);
      setParent(draft, template);
      Defaults.templateAnnotation(draft, Annotations.POD_GROUP_SERVING, "true", template);
    }
    Field worker = set.child(WORKER);
    if (review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && set.child(LEADER).isPresent()
        && !new JobObject(worker).annotation(Annotations.POD_SET_GROUP_NAME).isPresent()) {
      Defaults.templateAnnotation(draft, Annotations.POD_INDEX_OFFSET, "1", "spec", SET, WORKER);
    }
  }

  @Override
  public boolean changesItsGateLast() {
    return true;
  }

  @Override
  public void checkSize(JobObject job, ValidationResult findings) {
    Field replicas = job.spec().child("replicas");
    long count = Paths.count(replicas, 1);
    if (count < 0 || count > MAX_REPLICAS) {
      findings.add(FieldError.invalid(replicas, "must be between 0 and " + MAX_REPLICAS));
    }
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
    if (review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      List<PodSet> all = podSets(job);
      for (PodSet pods : all) {
        TopologyRequest.check(
            pods.metadata(), review.isOn(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY), findings);
        SliceBounds.check(pods, findings);
      }
      PodSetGroups.check(all, findings);
    }
  }

  @Override
  public void checkOwnChange(
      JobReview review, JobObject old, JobObject now, ValidationResult findings) {
    if (!review.mustBeSuspended(now, findings)) {
      return;
    }
    Field before = set(old.root());
    Field after = set(now.root());
    checkTemplates(before, after, findings);
    if (review.isOn(FeatureGate.LWS_IMMUTABLE_GROUP_SIZE) && size(old) != size(now)) {
      findings.add(FieldError.invalid(after.child("size"), QUEUED));
    }
  }

  private static void checkTemplates(Field before, Field after, ValidationResult findings) {
    var same = new ArrayList<>(List.of(WORKER));
    if (before.child(LEADER).isPresent() != after.child(LEADER).isPresent()) {
      findings.add(
          FieldError.invalid(
              after.child(LEADER),
              "must not be added or removed while the LeaderWorkerSet is queued"));
    } else if (after.child(LEADER).isPresent()) {
      same.addFirst(LEADER);
    }
    for (String name : same) {
      PodShape.checkSame(
          before.child(name).child("spec"), after.child(name).child("spec"), QUEUED, findings);
    }
  }
}
