package dev.sluice.bench.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Collection;

/** The objects of a run, as JSON. */
final class DispatchObjects {
  static final String HOME = "kueue-system";
  static final String API = "/apis/kueue.x-k8s.io/v1beta2";
  static final String NAMESPACES = "/api/v1/namespaces";
  static final String SECRETS = NAMESPACES + "/" + HOME + "/secrets";
  static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  static final String WORKLOADS = API + "/namespaces/default/workloads";
  static final String LOCAL_QUEUES = API + "/namespaces/default/localqueues";
  static final String WORKER = "worker";

  private DispatchObjects() {}

  private static String kueue(String kind, String name, String more) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"}%s}\
    """
        .formatted(kind, name, more);
  }

  static String namespace(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
        .formatted(name);
  }

  static String flavor() {
    return kueue("ResourceFlavor", "default", "");
  }

  static String check() {
    return kueue(
        "AdmissionCheck",
        "multikueue",
        """
        ,"spec":{"controllerName":"kueue.x-k8s.io/multikueue","parameters":{
        "apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"workers"}}\
        """);
  }

  static String config(Collection<String> workers) {
    return kueue(
        "MultiKueueConfig",
        "workers",
        ",\"spec\":{\"clusters\":[\"%s\"]}".formatted(String.join("\",\"", workers)));
  }

  static String cluster(String name) {
    return kueue(
        "MultiKueueCluster",
        name,
        """
        ,"spec":{"clusterSource":{"kubeConfig":{"locationType":"Secret","location":"%s"}}}\
        """
            .formatted(name));
  }

  static String secret(String name, String kubeconfig) {
    return """
    {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s"},"data":{"kubeconfig":"%s"}}\
    """
        .formatted(name, Base64.getEncoder().encodeToString(kubeconfig.getBytes(UTF_8)));
  }

  /** The patch that keeps a ClusterQueue from admitting. */
  static String held() {
    return "{\"spec\":{\"stopPolicy\":\"Hold\"}}";
  }

  /** The patch that lets a ClusterQueue go that is on hold. */
  static String released() {
    return "{\"spec\":{\"stopPolicy\":\"None\"}}";
  }

  /** The status of a Job whose Pod has succeeded. */
  static String succeeded() {
    return """
    {"status":{"startTime":"2026-01-01T00:00:00Z","completionTime":"2026-01-01T00:00:01Z",
    "succeeded":1,"ready":0,"terminating":0,"uncountedTerminatedPods":{},"conditions":[
    {"type":"SuccessCriteriaMet","status":"True","reason":"CompletionsReached","message":"",
    "lastProbeTime":"2026-01-01T00:00:01Z","lastTransitionTime":"2026-01-01T00:00:01Z"},
    {"type":"Complete","status":"True","reason":"CompletionsReached","message":"",
    "lastProbeTime":"2026-01-01T00:00:01Z","lastTransitionTime":"2026-01-01T00:00:01Z"}]}}\
    """;
  }

  /** A queue on hold with room for all Jobs of a run. */
  static String clusterQueue(String name, int jobs, boolean isSending) {
    return kueue(
        "ClusterQueue",
        name,
        """
        ,"spec":{"namespaceSelector":{},"stopPolicy":"Hold","resourceGroups":[{
        "coveredResources":["cpu"],"flavors":[{"name":"default","resources":[{"name":"cpu",
        "nominalQuota":"%d"}]}]}]%s}\
        """
            .formatted(
                jobs,
                isSending
                    ? """
                    ,"admissionChecksStrategy":{"admissionChecks":[{"name":"multikueue"}]}\
                    """
                    : ""));
  }

  /** What the scheduler of a worker says of a queue that it uses. */
  static String active() {
    return """
    {"status":{"conditions":[{"type":"Active","status":"True","reason":"Ready","message":"",
    "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
    """;
  }

  static String localQueue(String name) {
    return kueue("LocalQueue", name, ",\"spec\":{\"clusterQueue\":\"%s\"}".formatted(name));
  }

  static String job(String queue, int number, boolean isSent) {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%1$s-%2$d","labels":{
    "kueue.x-k8s.io/queue-name":"%1$s"}},"spec":{"suspend":true,%3$s"template":{"spec":{
    "restartPolicy":"Never","containers":[{"name":"c","image":"none","resources":{"requests":{
    "cpu":"1"}}}]}}}}\
    """
        .formatted(queue, number, isSent ? "\"managedBy\":\"kueue.x-k8s.io/multikueue\"," : "");
  }
}
