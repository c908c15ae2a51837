package dev.sluice.jobs;

import dev.sluice.api.configuration.CustomKind;
import dev.sluice.jobs.admission.Advice;
import dev.sluice.jobs.admission.Integrations;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.appwrapper.AppWrapperAdmission;
import dev.sluice.jobs.batch.BatchJobAdmission;
import dev.sluice.jobs.custom.CustomJobAdmission;
import dev.sluice.jobs.deployment.DeploymentAdmission;
import dev.sluice.jobs.jobset.JobSetAdmission;
import dev.sluice.jobs.kubeflow.KubeflowJobAdmission;
import dev.sluice.jobs.leaderworkerset.LeaderWorkerSetAdmission;
import dev.sluice.jobs.mpi.MpiJobAdmission;
import dev.sluice.jobs.pod.PodAdmission;
import dev.sluice.jobs.ray.RayClusterAdmission;
import dev.sluice.jobs.ray.RayJobAdmission;
import dev.sluice.jobs.ray.RayServiceAdmission;
import dev.sluice.jobs.spark.SparkApplicationAdmission;
import dev.sluice.jobs.statefulset.StatefulSetAdmission;
import dev.sluice.jobs.train.TrainJobAdmission;
import dev.sluice.rules.KindRules;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** All kinds of jobs: the one place where a kind is added. */
public final class JobKinds {
  private static final List<JobKind> STANDARD =
      Stream.of(
              List.of(
                  new BatchJobAdmission(),
                  new PodAdmission(),
                  new DeploymentAdmission(),
                  new StatefulSetAdmission(),
                  new LeaderWorkerSetAdmission(),
                  new JobSetAdmission(),
                  new MpiJobAdmission()),
              KubeflowJobAdmission.all(),
              List.of(
                  new RayClusterAdmission(),
                  new RayJobAdmission(),
                  new RayServiceAdmission(),
                  new AppWrapperAdmission(),
                  new SparkApplicationAdmission(),
                  new TrainJobAdmission()))
          .<JobKind>flatMap(List::stream)
          .toList();

  private JobKinds() {}

  /** The kinds that need no configuration to be known. */
  public static List<JobKind> standard() {
    return STANDARD;
  }

  /** The rules of all kinds that are known, and of these. */
  public static List<KindRules> rules(Collection<CustomKind> custom) {
    List<JobKind> all =
        Stream.concat(STANDARD.stream(), custom.stream().map(CustomJobAdmission::new)).toList();
    Integrations integrations = new Integrations(all);
    return all.stream().map(kind -> rules(kind, integrations)).toList();
  }

  /** The endpoints of a kind that is off are served all the same: they let everything pass. */
  private static KindRules rules(JobKind kind, Integrations integrations) {
    return new KindRules(
        kind.kind(),
        kind.defaultedOn(),
        (input, draft, findings) -> {
          if (kind.isOn(input.world().settings())) {
            kind.setDefaults(new JobReview(kind, input, integrations), draft, findings);
          }
        },
        (input, findings) -> {
          if (kind.isOn(input.world().settings())) {
            JobReview review = new JobReview(kind, input, integrations);
            kind.check(review, findings);
            Advice.give(review, findings);
          }
        });
  }
}
