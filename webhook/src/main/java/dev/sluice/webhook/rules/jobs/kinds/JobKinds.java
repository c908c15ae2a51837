package dev.sluice.webhook.rules.jobs.kinds;

import dev.sluice.api.configuration.CustomKind;
import dev.sluice.rules.KindRules;
import dev.sluice.webhook.rules.jobs.Advice;
import dev.sluice.webhook.rules.jobs.Integrations;
import dev.sluice.webhook.rules.jobs.JobKind;
import dev.sluice.webhook.rules.jobs.JobReview;
import dev.sluice.webhook.rules.jobs.pods.PodKind;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** All kinds of jobs: the one place where a kind is added. */
public final class JobKinds {
  private static final List<JobKind> STANDARD =
      Stream.of(
              List.of(
                  new BatchJob(),
                  new PodKind(),
                  new Deployment(),
                  new StatefulSet(),
                  new LeaderWorkerSet(),
                  new JobSet(),
                  new MpiJob()),
              KubeflowJob.all(),
              List.of(
                  new RayCluster(),
                  new RayJob(),
                  new RayService(),
                  new AppWrapper(),
                  new SparkApplication(),
                  new TrainJob()))
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
        Stream.concat(STANDARD.stream(), custom.stream().map(CustomJob::new)).toList();
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
