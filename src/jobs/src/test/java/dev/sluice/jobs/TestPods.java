package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.pod.Pods;

/** Pods of tests, as the webhook lets them in, and what a kubelet does with them. */
final class TestPods {
  private TestPods() {}

  static JobKey key(String name) {
    return JobKey.of(JobKey.POD, TestCluster.NAMESPACE, name);
  }

  /** A Pod that is a job of its own. */
  static ObjectNode pod(String name) {
    return json(
        """
        {'apiVersion': 'v1', 'kind': 'Pod',
         'metadata': {'name': '%s', 'namespace': 'ns', 'finalizers': ['kueue.x-k8s.io/managed'],
           'labels': {'kueue.x-k8s.io/queue-name': 'lq', 'kueue.x-k8s.io/managed': 'true'},
           'annotations': {'kueue.x-k8s.io/role-hash': '4b0469f7'}},
         'spec': {'restartPolicy': 'Never',
           'containers': [{'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': '1'}}}],
           'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}, {'name': 'kueue.x-k8s.io/topology'}]},
         'status': {'phase': 'Pending'}}
        """
            .formatted(name));
  }

  /** A Pod of a group. */
  static ObjectNode member(String name, int total) {
    ObjectNode pod = pod(name);
    pod.withObject("/metadata/labels").put("kueue.x-k8s.io/pod-group-name", "g");
    pod.withObject("/metadata/annotations")
        .put("kueue.x-k8s.io/pod-group-total-count", Integer.toString(total));
    return pod;
  }

  /** A Pod of a group that is of this team; a dash for none. */
  static ObjectNode member(String name, int total, String team) {
    ObjectNode pod = member(name, total);
    if (!team.equals("-")) {
      pod.withObject("/metadata/labels").put("team", team);
    }
    return pod;
  }

  /** What a kubelet does with a Pod that nothing holds. */
  static void run(ObjectNode pod) {
    if (!Pods.isGated(pod) && !Pods.isTerminal(pod)) {
      pod.withObject("/spec").put("nodeName", "n");
      pod.withObject("/status").put("phase", "Running");
      Admissions.condition(pod, "Ready", true, "", "");
    }
  }

  static void end(ObjectNode pod, String phase) {
    pod.withObject("/status").put("phase", phase).put("message", "m");
    Admissions.condition(pod, "Ready", false, "", "");
  }
}
