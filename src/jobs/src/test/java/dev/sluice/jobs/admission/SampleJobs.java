package dev.sluice.jobs.admission;

import static dev.sluice.rules.Reviews.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobIntegration;
import java.util.List;

/** One plain job of each kind, named {@code a} in namespace {@code ns}, not suspended. */
public final class SampleJobs {
  private static final String POD =
      "{'metadata':{},'spec':{'containers':[{'name':'c','image':'i'}]}}";

  private SampleJobs() {}

  /** A job of that framework. */
  public static JsonNode of(String framework) {
    JobIntegration kind =
        JobKinds.standard().stream()
            .filter(it -> it.framework().equals(framework))
            .findFirst()
            .orElseThrow();
    ObjectNode job = json("{'apiVersion':'','kind':'','metadata':{}}").deepCopy();
    job.put("apiVersion", kind.kind().apiVersion()).put("kind", kind.kind().kind());
    job.withObject("/metadata").put("name", "a").put("namespace", "ns").put("uid", "u-a");
    job.set("spec", json(spec(framework).replace("POD", POD)));
    return job;
  }

  private static String spec(String framework) {
    return switch (framework) {
      case "batch/job" -> "{'parallelism':3,'completions':5,'template':POD}";
      case "pod" -> "{'containers':[{'name':'c','image':'i'}]}";
      case "deployment", "statefulset" -> "{'replicas':2,'template':POD}";
      case "leaderworkerset.x-k8s.io/leaderworkerset" ->
          "{'replicas':1,'leaderWorkerTemplate':{'size':4,'leaderTemplate':POD,'workerTemplate':POD}}";
      case "jobset.x-k8s.io/jobset" ->
          "{'replicatedJobs':[{'name':'lead','replicas':1,'template':{'spec':{'template':POD}}},"
              + "{'name':'work','replicas':2,'template':{'spec':{'parallelism':2,'template':POD}}}]}";
      case "kubeflow.org/mpijob" ->
          "{'mpiReplicaSpecs':{'Launcher':{'template':POD},'Worker':{'replicas':4,'template':POD}}}";
      case "kubeflow.org/pytorchjob" -> roles("pytorchReplicaSpecs", "Master");
      case "kubeflow.org/tfjob" -> roles("tfReplicaSpecs", "Chief");
      case "kubeflow.org/paddlejob" -> roles("paddleReplicaSpecs", "Master");
      case "kubeflow.org/xgboostjob" -> roles("xgbReplicaSpecs", "Master");
      case "kubeflow.org/jaxjob" -> "{'jaxReplicaSpecs':{'Worker':{'replicas':4,'template':POD}}}";
      case "ray.io/raycluster" -> cluster();
      case "ray.io/rayjob" ->
          "{'shutdownAfterJobFinishes':true,'rayClusterSpec':" + cluster() + "}";
      case "ray.io/rayservice" -> "{'rayClusterConfig':" + cluster() + "}";
      case "workload.codeflare.dev/appwrapper" ->
          "{'components':[{'podSets':[{'path':'template.spec.template','replicas':2}],"
              + "'template':{'spec':{'template':POD}}}]}";
      case "sparkoperator.k8s.io/sparkapplication" ->
          "{'mode':'cluster','driver':{},'executor':{'instances':4}}";
      case "trainer.kubeflow.org/trainjob" -> "{'runtimeRef':{'name':'torch'}}";
      default -> throw new IllegalArgumentException(framework + " (expected: a sample for it)");
    };
  }

  private static String roles(String field, String first) {
    return "{'%s':{'%s':{'template':POD},'Worker':{'replicas':4,'template':POD}}}"
        .formatted(field, first);
  }

  private static String cluster() {
    return "{'headGroupSpec':{'template':POD},'workerGroupSpecs':["
        + "{'groupName':'gpu','replicas':2,'numOfHosts':2,'template':POD}]}";
  }

  /** The frameworks of the kinds that have a switch that suspends them. */
  public static List<String> suspendable() {
    return JobKinds.standard().stream()
        .map(JobIntegration::framework)
        .filter(it -> !it.equals("pod") && !serving().contains(it))
        .toList();
  }

  /** The frameworks whose Pods wait one by one. */
  public static List<String> serving() {
    return List.of("deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset");
  }

  /** The object with a value at a JSON pointer; objects on the way come to be. */
  public static JsonNode with(JsonNode object, String pointer, String value) {
    ObjectNode copy = object.deepCopy();
    int slash = pointer.lastIndexOf('/');
    String parent = pointer.substring(0, slash);
    JsonNode place = copy.at(parent);
    ObjectNode owner = place instanceof ObjectNode found ? found : copy.withObject(parent);
    owner.set(pointer.substring(slash + 1).replace("~1", "/"), json(value));
    return copy;
  }

  /** The job with its switch on or off, wherever the kind has it; a Pod gets or loses its gate. */
  public static JsonNode suspended(JsonNode job, boolean suspended) {
    String pointer =
        switch (job.path("kind").asText()) {
          case "MPIJob", "PyTorchJob", "TFJob", "PaddleJob", "XGBoostJob", "JAXJob" ->
              "/spec/runPolicy/suspend";
          case "RayService" -> "/spec/rayClusterConfig/suspend";
          default -> "/spec/suspend";
        };
    if (job.path("kind").asText().equals("Pod")) {
      String gates = suspended ? "[{'name':'kueue.x-k8s.io/admission'}]" : "[]";
      return with(job, "/spec/schedulingGates", gates);
    }
    return with(job, pointer, String.valueOf(suspended));
  }
}
