package dev.sluice.webhook.rules.jobs.kinds;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.webhook.rules.Draft;
import dev.sluice.webhook.rules.Field;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.Violation;
import dev.sluice.webhook.rules.jobs.JobObject;
import dev.sluice.webhook.rules.jobs.JobReview;
import dev.sluice.webhook.rules.jobs.Keys;
import dev.sluice.webhook.rules.jobs.topology.PodSet;
import java.util.List;
import java.util.Set;

/** The RayCluster. */
final class RayCluster implements RayKind {
  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("ray.io", "v1", "RayCluster");
  }

  @Override
  public List<Field> templates(Field root) {
    return new RayClusterSpec(root.child("spec")).templates();
  }

  @Override
  public List<PodSet> podSets(JobReview review, JobObject job) {
    return new RayClusterSpec(job.spec()).podSets();
  }

  @Override
  public void setOwn(JobReview review, Draft draft) {
    RayClusterSpec.setElasticGates(review, draft, "spec");
  }

  @Override
  public void checkOwn(JobReview review, JobObject job, Findings findings) {
    if (!review.isManaged(job)) {
      return;
    }
    var cluster = new RayClusterSpec(job.spec());
    boolean isElastic = review.isElastic(job);
    cluster.checkScaling(isElastic, findings);
    if (isElastic) {
      cluster.checkGates(findings);
      checkPlace(job, cluster, findings);
    }
    cluster.checkGroups(findings);
    cluster.warnOfNames(Set.of(), findings);
  }

  private static void checkPlace(JobObject job, RayClusterSpec cluster, Findings findings) {
    boolean elsewhere = job.spec().child("managedBy").text().orElse("").equals(Keys.MULTI_KUEUE);
    if (cluster.scalesItself() && elsewhere) {
      findings.add(
          Violation.forbidden(
              cluster.autoscaling(), "must not be true for a cluster that runs elsewhere"));
    }
  }
}
