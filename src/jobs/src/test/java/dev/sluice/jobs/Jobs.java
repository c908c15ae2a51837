package dev.sluice.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.JobManagement;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.jobs.batch.BatchJob;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings and Jobs of tests, and what the Job controller does with Jobs. */
final class Jobs {
  static final GroupKind KIND = new GroupKind("batch", "Job");
  static final JobKey KEY = JobKey.of(KIND, TestCluster.NAMESPACE, "j");

  static final String FLAVOR =
      """
      {'apiVersion': 'kueue.x-k8s.io/v1beta2', 'kind': 'ResourceFlavor', 'metadata': {'name': 'rf'},
       'spec': {'nodeLabels': {'pool': 'p1'},
                'tolerations': [{'key': 'spot', 'operator': 'Exists', 'effect': 'NoSchedule'}]}}
      """;

  private Jobs() {}

  /** What holds by default, with all frameworks that we plan for, and one label to copy. */
  static JobSettings settings() {
    return settings(List.of(Framework.JOB, Framework.POD, Framework.STATEFUL_SET), false);
  }

  static JobSettings settings(List<Framework> frameworks, boolean withoutQueueName) {
    return settings(frameworks, withoutQueueName, List.of());
  }

  /** Jobs alone are on, and others answer for that kind. */
  static JobSettings withExternal(GroupVersionKind kind) {
    return settings(List.of(Framework.JOB), false, List.of(kind));
  }

  private static JobSettings settings(
      List<Framework> frameworks, boolean withoutQueueName, List<GroupVersionKind> external) {
    Configuration defaults = Configuration.defaults("kueue-system");
    JobSettings settings = JobSettings.of(defaults, Extensions.DEFAULT);
    JobManagement management = defaults.jobs();
    return new JobSettings(
        new JobManagement(
            withoutQueueName, management.namespaces(), frameworks, external, List.of("team")),
        settings.gates(),
        settings.watchesReadiness(),
        Optional.of(Duration.ofHours(1)),
        List.of());
  }

  static TestCluster cluster() {
    return cluster(settings());
  }

  /** One where a feature is turned. */
  static TestCluster cluster(FeatureGate gate, boolean on) {
    JobSettings plain = settings();
    return cluster(
        new JobSettings(
            plain.management(),
            plain.gates().with(gate, on),
            plain.watchesReadiness(),
            plain.afterDeactivated(),
            plain.customKinds()));
  }

  /** One where metrics take these labels from Workloads. */
  static TestCluster cluster(CustomLabel... measured) {
    JobSettings plain = settings();
    return cluster(
        new JobSettings(
            plain.management(),
            plain.gates(),
            plain.watchesReadiness(),
            plain.afterDeactivated(),
            plain.customKinds(),
            plain.external(),
            List.of(measured)));
  }

  private static TestCluster cluster(JobSettings settings) {
    var cluster = new TestCluster(settings);
    cluster.add(FLAVOR);
    return cluster;
  }

  /** The Job that the webhook lets in: suspended, as the API server completes it. */
  static String job(String name, int parallelism, int completions) {
    return """
    {'apiVersion': 'batch/v1', 'kind': 'Job',
     'metadata': {'name': '%s', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
     'spec': {'suspend': true, 'parallelism': %d, 'completions': %d, 'completionMode': 'NonIndexed',
       'template': {
         'metadata': {
           'labels': {'batch.kubernetes.io/controller-uid': 'u', 'batch.kubernetes.io/job-name': '%s',
                      'controller-uid': 'u', 'job-name': '%s', 'app': 'a'},
           'annotations': {'note': 'n'}},
         'spec': {'restartPolicy': 'Never', 'nodeSelector': {'disk': 'ssd'},
           'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '1'}}}]}}}}
    """
        .formatted(name, parallelism, completions, name, name);
  }

  /** What the Job controller makes of a Job: Pods that run, or none while it is suspended. */
  static void control(ObjectNode job) {
    ObjectNode status = job.withObject("/status");
    if (job.path("spec").path("suspend").asBoolean()) {
      status.put("active", 0).put("ready", 0).remove("startTime");
    } else {
      int pods = BatchJob.pods(job.path("spec"));
      status.put("active", pods).put("ready", pods).put("startTime", "2026-11-21T12:00:01Z");
    }
  }

  /** The Job controller says that this is so, and nothing else of that type. */
  static void say(ObjectNode job, String type, String status) {
    job.withObject("/status")
        .put("startTime", "2026-11-21T12:00:01Z")
        .putArray("conditions")
        .addObject()
        .put("type", type)
        .put("status", status);
  }

  static void complete(ObjectNode job) {
    int completions = job.path("spec").path("completions").asInt();
    job.withObject("/status").put("active", 0).put("ready", 0).put("succeeded", completions);
    Admissions.condition(job, "Complete", true, "CompletionsReached", "Reached expected number");
  }
}
