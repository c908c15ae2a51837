package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A TrainJob of two nodes with its runtime, and the JobSet that the trainer makes of both. */
record TrainJobStory() implements KindStory {
  private static final Map<String, Integer> JOBS = Map.of("node", 1);

  @Override
  public Framework framework() {
    return Framework.TRAIN_JOB;
  }

  @Override
  public List<String> definitions() {
    return List.of(
        Resources.text("kinds/jobset.yaml"),
        runtime("TrainingRuntime", "Namespaced"),
        runtime("ClusterTrainingRuntime", "Cluster"),
        Resources.text("kinds/trainjob.yaml"));
  }

  private static String runtime(String kind, String scope) {
    return Resources.text("kinds/training-runtime.yaml")
        .replace("KIND", kind)
        .replace("PLURAL", kind.toLowerCase(Locale.ROOT) + "s")
        .replace("SCOPE", scope);
  }

  @Override
  public List<String> podSets() {
    return List.of("node=2");
  }

  /** The entry of its patches stays until its JobSet has stopped: the trainer insists on that. */
  @Override
  public boolean isRestoredAtOnce() {
    return false;
  }

  /** What the trainer merges into the runtime. */
  @Override
  public List<JsonNode> templates(KindScene scene) {
    return List.of(
        scene
            .job()
            .at("/spec/runtimePatches/0/trainingRuntimeSpec/template/spec")
            .at("/replicatedJobs/0/template/spec/template"));
  }

  /** The trainer makes the JobSet at once, suspended as the TrainJob is. */
  @Override
  public void begin(KindScene scene) {
    JsonNode job = scene.job();
    ObjectNode jobSet = JsonNodeFactory.instance.objectNode();
    jobSet.put("apiVersion", "jobset.x-k8s.io/v1alpha2").put("kind", "JobSet");
    ObjectNode metadata = jobSet.putObject("metadata");
    metadata.set("name", job.at("/metadata/name"));
    metadata.putArray("ownerReferences").add(KindScene.ownerReference(job));
    JsonNode runtime =
        scene
            .api()
            .get(
                scene.collection(framework().type(), "trainingruntimes")
                    + "/"
                    + job.at("/spec/runtimeRef/name").asText())
            .orThrow()
            .json();
    ObjectNode spec = runtime.at("/spec/template/spec").deepCopy();
    jobSet.set("spec", spec.put("suspend", job.at("/spec/suspend").asBoolean()));
    scene.create(scene.collection(Framework.JOB_SET), jobSet.toString());
  }

  @Override
  public void operate(KindScene scene, Phase phase, String message) {
    String path =
        scene.collection(Framework.JOB_SET) + "/" + scene.job().at("/metadata/name").asText();
    boolean isHeld = scene.job().at("/spec/suspend").asBoolean();
    scene.api().mergePatch(path, "{\"spec\":{\"suspend\":%s}}".formatted(isHeld)).orThrow();
    scene.await(
        "its JobSet runs as long as it is admitted",
        () -> scene.api().get(path).orThrow().json().at("/spec/suspend").asBoolean() == isHeld);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("status", JobSetStory.status(phase, message, JOBS));
    scene.api().mergePatch(path + "/status", body.toString()).orThrow();
    KindStory.super.operate(scene, phase, message);
  }

  @Override
  public ObjectNode status(Phase phase, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = status.putArray("conditions");
    switch (phase) {
      case PODS_CREATED, READY -> {}
      case STOPPED -> Conditions.add(conditions, "Suspended", true, "suspended");
      case SUCCEEDED -> Conditions.add(conditions, "Complete", true, message);
      case FAILED -> Conditions.add(conditions, "Failed", true, message);
    }
    status.set("jobsStatus", JobSetStory.jobsStatus(phase, JOBS));
    return status;
  }
}
