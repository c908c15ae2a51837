package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.jobset.JobSetAdmission;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Paths;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.rules.Field;
import java.util.List;
import java.util.Set;

/**
 * The JobSet that the trainer makes of a TrainJob: the one of the runtime, with the patches of the
 * TrainJob, its number of nodes, and its settings of containers. Environment variables that only
 * the trainer knows are left out, as are our own changes.
 */
final class TrainerJobSet {
  private static final String STEP = "trainer.kubeflow.org/trainjob-ancestor-step";
  private static final String TRAINER = "trainer";
  private static final String NODE = "node";
  private static final String LAUNCHER = "launcher";
  private static final String SUFFIX = "-initializer";
  private static final List<String> INITIALIZERS = List.of("dataset", "model");
  private static final String NUM_NODES = "numNodes";
  private static final String SPEC = "spec";
  private static final String TEMPLATE = "template";

  private final JsonNode policy;
  private final JsonNode job;

  private TrainerJobSet(JsonNode runtime, JsonNode job) {
    this.policy = runtime.path(SPEC).path("mlPolicy");
    this.job = job.path(SPEC);
  }

  /** The spec of the JobSet. */
  static ObjectNode spec(JsonNode runtime, JsonNode trainJob) {
    var maker = new TrainerJobSet(runtime, trainJob);
    JsonNode template = runtime.path(SPEC).path(TEMPLATE).path(SPEC);
    ObjectNode spec = template.deepCopy() instanceof ObjectNode it ? it : Patches.object();
    if (spec.path("replicatedJobs") instanceof ArrayNode jobs) {
      maker.patch(jobs);
      for (JsonNode replicated : jobs) {
        if (replicated instanceof ObjectNode it) {
          maker.fill(it);
        }
      }
    }
    return spec;
  }

  private void patch(ArrayNode jobs) {
    for (JsonNode patch : job.path(RuntimePatch.LIST)) {
      if (!RuntimePatch.isOurs(patch)) {
        RuntimePatch.jobs(patch).forEach(it -> patch(jobs, it));
      }
    }
  }

  private static void patch(ArrayNode jobs, JsonNode patch) {
    for (JsonNode replicated : jobs) {
      if (name(replicated).equals(name(patch)) && replicated instanceof ObjectNode it) {
        TemplateMerge.merge(Patches.child(it, TEMPLATE), patch.path(TEMPLATE));
      }
    }
  }

  private static String name(JsonNode replicated) {
    return JobSetAdmission.name(Field.root(replicated));
  }

  private void fill(ObjectNode replicated) {
    String step = JobObject.of(replicated.path(TEMPLATE)).labelText(STEP);
    ObjectNode spec = Patches.child(Patches.child(replicated, TEMPLATE), SPEC);
    long count = pods(replicated, step, spec);
    spec.put("parallelism", count).put("completions", count);
    if (Set.of(TRAINER, "dataset-initializer", "model-initializer").contains(step)) {
      replicated.put("replicas", 1);
    }
    for (JsonNode container :
        replicated.path(TEMPLATE).path(SPEC).path(TEMPLATE).path(SPEC).path("containers")) {
      if (container instanceof ObjectNode it) {
        fillContainer(it, step);
      }
    }
  }

  /** How many Pods run at a time, by the number of nodes where it counts. */
  private long pods(ObjectNode replicated, String step, JsonNode spec) {
    Field wanted = Field.root(job.path(TRAINER).path(NUM_NODES));
    boolean counts = isMpi() ? name(replicated).equals(NODE) : step.equals(TRAINER);
    if (counts && wanted.isPresent()) {
      long nodes = Paths.count(wanted, 1);
      return runsLauncherAsNode() ? Math.max(nodes - 1, 1) : nodes;
    }
    boolean byPolicy = step.equals(TRAINER) && policy.isObject();
    return Paths.count(Field.root(byPolicy ? policy.path(NUM_NODES) : spec.path("parallelism")), 1);
  }

  private boolean isMpi() {
    return policy.path("mpi").isObject();
  }

  private boolean runsLauncherAsNode() {
    return policy.path("mpi").path("runLauncherAsNode").asBoolean();
  }

  private void fillContainer(ObjectNode container, String step) {
    String name = container.path("name").asText();
    if (name.equals(NODE) || (name.equals(LAUNCHER) && runsLauncherAsNode())) {
      fillTrainer(container);
    }
    for (String initializer : INITIALIZERS) {
      if (step.equals(initializer + SUFFIX) && name.equals(step)) {
        fillInitializer(container, job.path("initializer").path(initializer));
      }
    }
  }

  private void fillTrainer(ObjectNode container) {
    JsonNode trainer = job.path(TRAINER);
    for (String member : List.of("image", "command", "args")) {
      if (Field.root(trainer.path(member)).isPresent()) {
        container.set(member, trainer.path(member).deepCopy());
      }
    }
    ObjectNode resources = Patches.object();
    for (String member : List.of("limits", "requests")) {
      if (trainer.path("resourcesPerNode").path(member).isObject()) {
        resources.set(member, trainer.path("resourcesPerNode").path(member).deepCopy());
      }
    }
    if (!resources.isEmpty()) {
      container.set("resources", resources);
    }
    addVariables(container, trainer);
  }

  private static void fillInitializer(ObjectNode container, JsonNode initializer) {
    JsonNode uri = initializer.path("storageUri");
    if (uri.isTextual()) {
      ObjectNode variable = Patches.object().put("name", "STORAGE_URI");
      variable.set("value", uri);
      ObjectNode with = Patches.object();
      with.putArray("env").add(variable);
      addVariables(container, with);
    }
    addVariables(container, initializer);
    JsonNode secret = initializer.path("secretRef").path("name");
    if (secret.isTextual()) {
      Patches.list(container, "envFrom").addObject().putObject("secretRef").set("name", secret);
    }
  }

  /** A variable that is there already gets the new value as a whole. */
  private static void addVariables(ObjectNode container, JsonNode from) {
    for (JsonNode variable : from.path("env")) {
      ArrayNode env = Patches.list(container, "env");
      env.removeIf(it -> it.path("name").equals(variable.path("name")));
      env.add(variable.deepCopy());
    }
  }
}
