package dev.sluice.jobs;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.jobs.admission.Integrations;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.JobWarnings;
import dev.sluice.jobs.appwrapper.AppWrapperIntegration;
import dev.sluice.jobs.batch.BatchJobIntegration;
import dev.sluice.jobs.custom.CustomJobIntegration;
import dev.sluice.jobs.deployment.DeploymentIntegration;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.jobset.JobSetIntegration;
import dev.sluice.jobs.kubeflow.KubeflowJobAdmission;
import dev.sluice.jobs.kubeflow.KubeflowJobIntegration;
import dev.sluice.jobs.leaderworkerset.LeaderWorkerSetIntegration;
import dev.sluice.jobs.mpi.MpiJobIntegration;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.pod.PodIntegration;
import dev.sluice.jobs.ray.RayClusterIntegration;
import dev.sluice.jobs.ray.RayJobIntegration;
import dev.sluice.jobs.ray.RayServiceIntegration;
import dev.sluice.jobs.remote.ExternalJobs;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.spark.SparkApplicationIntegration;
import dev.sluice.jobs.statefulset.StatefulSetIntegration;
import dev.sluice.jobs.train.TrainJobIntegration;
import dev.sluice.rules.KindRules;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** All kinds of jobs: the one place where a kind is added. */
public final class JobKinds {
  private static final List<JobIntegration> STANDARD =
      Stream.of(
              List.of(
                  new BatchJobIntegration(),
                  new PodIntegration(),
                  new DeploymentIntegration(),
                  new StatefulSetIntegration(),
                  new LeaderWorkerSetIntegration(),
                  new JobSetIntegration(),
                  new MpiJobIntegration()),
              KubeflowJobAdmission.all().stream().map(KubeflowJobIntegration::new).toList(),
              List.of(
                  new RayClusterIntegration(),
                  new RayJobIntegration(),
                  new RayServiceIntegration(),
                  new AppWrapperIntegration(),
                  new SparkApplicationIntegration(),
                  new TrainJobIntegration()))
          .<JobIntegration>flatMap(List::stream)
          .toList();

  private JobKinds() {}

  /** The kinds that need no configuration to be known. */
  public static List<JobIntegration> standard() {
    return STANDARD;
  }

  /** The standard kinds, and the custom kinds of a configuration. */
  public static List<JobIntegration> with(Collection<CustomKind> custom) {
    return Stream.concat(STANDARD.stream(), custom.stream().map(CustomJobIntegration::new))
        .toList();
  }

  /** How jobs of each kind run on other clusters, of all kinds that can, whether on or not. */
  public static Map<GroupVersionKind, RemoteJobs> remote(JobSettings settings) {
    return remote(with(settings.customKinds()), settings);
  }

  /** The same of the kinds that these settings turn on. */
  public static Map<GroupVersionKind, RemoteJobs> remoteOfEnabled(JobSettings settings) {
    return remote(
        with(settings.customKinds()).stream().filter(it -> it.isEnabled(settings)).toList(),
        settings);
  }

  /** The kinds beside the jobs that define Pods of the kinds that these settings turn on. */
  public static Set<GroupVersionKind> runtimesOfEnabled(JobSettings settings) {
    Set<GroupVersionKind> runtimes = new LinkedHashSet<>();
    with(settings.customKinds()).stream()
        .filter(it -> it.isEnabled(settings))
        .forEach(it -> runtimes.addAll(it.runtimes()));
    return runtimes;
  }

  private static Map<GroupVersionKind, RemoteJobs> remote(
      List<JobIntegration> kinds, JobSettings settings) {
    Map<GroupVersionKind, RemoteJobs> remote = new LinkedHashMap<>();
    kinds.forEach(it -> it.remote(settings).ifPresent(jobs -> remote.put(it.kind(), jobs)));
    settings.external().forEach(it -> remote.putIfAbsent(it, new ExternalJobs()));
    return remote;
  }

  /** The rules for reviews of all known kinds, in the order of the kinds. */
  public static List<KindRules> rules(Collection<CustomKind> custom) {
    return rulesOf(with(custom));
  }

  /** The rules for reviews of these kinds. */
  public static List<KindRules> rulesOf(List<JobIntegration> kinds) {
    List<JobKind> all = kinds.stream().map(JobIntegration::admission).toList();
    Integrations integrations = new Integrations(all);
    return all.stream().map(kind -> rules(kind, integrations)).toList();
  }

  /** The endpoints of a disabled kind exist, and allow everything. */
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
            JobWarnings.give(review, findings);
          }
        });
  }
}
