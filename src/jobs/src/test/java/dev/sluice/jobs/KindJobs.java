package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;

/** Jobs of the kinds that are one object with one Workload, as their integration reads them. */
final class KindJobs {
  /** A Pod template with a label and a container. */
  static final String TEMPLATE =
      """
      {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}
      """;

  private KindJobs() {}

  /** A cluster where that kind is on, with a flavor. */
  static TestCluster cluster(Framework framework) {
    var cluster = new TestCluster(Jobs.settings(List.of(framework), false));
    cluster.add(Jobs.FLAVOR);
    return cluster;
  }

  /** A suspended job {@code j} of queue {@code lq}, with this spec. */
  static ObjectNode object(Framework framework, String spec) {
    ObjectNode job =
        json(
            "{'metadata': {'name': 'j', 'namespace': 'ns',"
                + " 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}}}");
    job.put("apiVersion", framework.type().apiVersion()).put("kind", framework.type().kind());
    job.set("spec", json(spec));
    return job;
  }

  static JobKey key(Framework framework) {
    return JobKey.of(framework.type().groupKind(), TestCluster.NAMESPACE, "j");
  }

  /** The job that the integration makes of an object. */
  static Job read(Framework framework, JsonNode object) {
    JobIntegration integration =
        JobKinds.standard().stream()
            .filter(it -> it.framework().equals(framework.frameworkName()))
            .findFirst()
            .orElseThrow();
    TestCluster cluster = cluster(framework);
    var context = new PlanContext(cluster, Jobs.settings(), cluster.now());
    return switch (integration.life()) {
      case JobLife.OneWorkload(JobLife.Reader reader) -> reader.read(object, context).orElseThrow();
      default -> throw new IllegalArgumentException(framework + ": " + integration.life());
    };
  }

  /** The job with this status. */
  static Job read(Framework framework, String spec, String status) {
    ObjectNode object = object(framework, spec);
    object.set("status", json(status));
    return read(framework, object);
  }

  /** Names and counts, such as {@code worker=2}. */
  static List<String> counts(List<PodSetShape> podSets) {
    return podSets.stream().map(it -> it.name() + "=" + it.count()).toList();
  }

  /** How the job stands, in a few words: what a reconciler asks of it. */
  static String state(Job job) {
    return (job.isActive() ? "active" : "inactive")
        + (job.isReady(new WorkloadView(json("{}"))) ? " ready" : "")
        + job.finish()
            .map(it -> (it.succeeded() ? " succeeded: " : " failed: ") + it.message())
            .orElse("");
  }
}
