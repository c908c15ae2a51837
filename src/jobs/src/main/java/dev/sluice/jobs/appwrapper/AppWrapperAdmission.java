package dev.sluice.jobs.appwrapper;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The AppWrapper: objects of any kinds, with the places of the Pod templates in them. */
public final class AppWrapperAdmission implements SuspendableKind {
  private static final int MAX_COMPONENTS = 512;
  private static final int LONGEST_NAME = 63;

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("workload.codeflare.dev", "v1beta2", "AppWrapper");
  }

  @Override
  public String framework() {
    return "workload.codeflare.dev/appwrapper";
  }

  @Override
  public Optional<ManagedBy> managedBy() {
    return Optional.of(
        new ManagedBy(
            List.of("spec", "managedBy"), "workload.codeflare.dev/appwrapper-controller"));
  }

  @Override
  public OnUpdate onUpdate() {
    return OnUpdate.NEW_FAULTS;
  }

  @Override
  public List<Field> templates(Field root) {
    return podSets(new JobObject(root)).stream().map(PodSet::metadata).toList();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return podSets(job);
  }

  private static List<PodSet> podSets(JobObject job) {
    var all = new ArrayList<PodSet>();
    String name = job.metadata().child("name").text().orElse("");
    List<Field> components = job.spec().child("components").items(MAX_COMPONENTS);
    for (WrappedPods it : WrappedPods.of(job.root().node())) {
      if (it.component() < components.size()) {
        Field template = Paths.at(components.get(it.component()), it.path());
        all.add(PodSet.of(name + "-" + all.size(), template, it.count()));
      }
    }
    return all;
  }

  /** Kueue accepts everything here, so unusable values only give warnings. */
  @Override
  public void checkTopology(JobReview review, JobObject job, ValidationResult findings) {
    List<PodSet> all = podSets(job);
    SuspendableKind.warnOfPodSets(
        review, job, job.spec().child("components"), all.size(), findings);
    if (review.isManaged(job) && all.stream().anyMatch(it -> it.name().length() > LONGEST_NAME)) {
      findings.warn(
          "metadata.name: too long for the names of its Pod sets, so the job will not be admitted");
    }
    if (review.isOn(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)) {
      var found = new ValidationResult();
      SuspendableKind.super.checkTopology(review, job, found);
      found.violations().forEach(violation -> findings.warn(violation.text()));
    }
  }
}
