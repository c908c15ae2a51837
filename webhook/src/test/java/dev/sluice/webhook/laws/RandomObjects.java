package dev.sluice.webhook.laws;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.admission.SampleJobs;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.manifests.Manifests;
import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.random.Mutations;
import dev.sluice.testkit.random.SchemaObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Objects of all kinds that have rules: those of our group from their schemas, jobs from a plain
 * one of their kind with labels, annotations and fields that matter; some with wild edits. For one
 * thread.
 */
final class RandomObjects {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Map<ApiKind, JsonNode> SCHEMAS = new ConcurrentHashMap<>();
  private static final Map<GroupKind, String> FRAMEWORKS =
      JobKinds.standard().stream()
          .collect(Collectors.toMap(kind -> kind.kind().groupKind(), JobIntegration::framework));
  private static final Set<String> IDENTITY = Set.of("apiVersion", "kind");
  private static final int WILD_ONE_IN = 4;
  private static final int MOST_SPICES = 6;

  private static final List<String> LABELS =
      List.of(
          Labels.QUEUE_NAME,
          Labels.PRIORITY_CLASS,
          Labels.MAX_EXEC_TIME,
          Labels.PREBUILT_WORKLOAD,
          Labels.MANAGED,
          Labels.POD_GROUP_NAME,
          Labels.POD_GROUP_POD_INDEX);
  private static final List<String> ANNOTATIONS =
      List.of(
          Labels.PREBUILT_WORKLOAD,
          Annotations.ELASTIC_JOB,
          Annotations.ADMISSION_GATED_BY,
          Annotations.POD_SUSPENDING_PARENT,
          Annotations.JOB_MIN_PARALLELISM,
          Annotations.JOB_SYNC_COMPLETIONS,
          Annotations.STOPPING,
          Labels.POD_GROUP_NAME,
          Annotations.POD_GROUP_TOTAL_COUNT,
          Annotations.POD_GROUP_SERVING,
          Annotations.POD_GROUP_POD_INDEX_LABEL,
          Annotations.POD_INDEX_OFFSET,
          Annotations.ROLE_HASH,
          Annotations.RETRIABLE_IN_GROUP,
          Annotations.REQUIRED_TOPOLOGY,
          Annotations.PREFERRED_TOPOLOGY,
          Annotations.UNCONSTRAINED_TOPOLOGY,
          Annotations.SLICE_REQUIRED_TOPOLOGY,
          Annotations.SLICE_SIZE,
          Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS,
          Annotations.POD_SET_GROUP_NAME);
  private static final List<String> VALUES =
      List.of(
          "default",
          "queue",
          "other",
          "true",
          "false",
          "1",
          "2",
          "3",
          "0",
          "-1",
          "rack",
          "cloud.example.com/rack",
          "kubernetes.io/hostname",
          "example.com/gate",
          "example.com/gate,example.com/other",
          "[{\"topology\":\"rack\",\"size\":2}]",
          "[{\"topology\":\"rack\",\"size\":4},{\"topology\":\"host\",\"size\":2}]",
          "job",
          "",
          "Bad Name",
          "é",
          "2147483648",
          "x".repeat(64),
          "{");
  private static final List<String> SPEC_FIELDS =
      List.of(
          "{'suspend':true}",
          "{'suspend':false}",
          "{'managedBy':'kueue.x-k8s.io/multikueue'}",
          "{'managedBy':'example.com/own'}",
          "{'parallelism':1}",
          "{'completions':1}",
          "{'completions':3,'parallelism':3,'completionMode':'Indexed'}",
          "{'replicas':0}",
          "{'priorityClassName':'high'}",
          "{'schedulingGates':[{'name':'kueue.x-k8s.io/admission'},{'name':'example.com/g'}]}",
          "{'nodeName':'n'}",
          "{'runPolicy':{'suspend':true,'managedBy':'kueue.x-k8s.io/multikueue'}}",
          "{'enableInTreeAutoscaling':true}",
          "{'shutdownAfterJobFinishes':false}",
          "{'clusterSelector':{'a':'b'}}",
          "{'dynamicAllocation':{'enabled':true}}",
          "{'mode':'client'}");
  private static final List<String> OWNERS =
      List.of(
          "{'apiVersion':'batch/v1','kind':'CronJob','name':'c','uid':'u-c','controller':true}",
          "{'apiVersion':'batch/v1','kind':'Job','name':'j','uid':'u-j','controller':true}",
          "{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r','uid':'u-r','controller':true}",
          "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','name':'s','uid':'u-s',"
              + "'controller':true}",
          "{'apiVersion':'example.com/v1','kind':'External','name':'e','uid':'u-e',"
              + "'controller':true}");

  private final RandomGenerator random;

  RandomObjects(RandomGenerator random) {
    this.random = random;
  }

  /** An object of this kind, in one case of four with edits that no schema allows. */
  JsonNode draw(GroupVersionKind kind) {
    JsonNode object =
        kind.group().equals(ApiVersion.GROUP)
            ? parse(ours(ApiKind.find(kind.kind()).orElseThrow()).write())
            : job(requireNonNull(FRAMEWORKS.get(kind.groupKind()), kind::toString));
    return random.nextInt(WILD_ONE_IN) == 0 ? wild(object) : object;
  }

  private JsonObject ours(ApiKind kind) {
    JsonNode schema =
        SCHEMAS.computeIfAbsent(kind, it -> new Manifests().schema(it, ApiVersion.HUB));
    return SchemaObjects.draw(random, schema, ApiVersion.HUB.groupVersion(), kind.kind());
  }

  private JsonNode job(String framework) {
    JsonNode job = SampleJobs.of(framework).deepCopy();
    for (int i = random.nextInt(MOST_SPICES); i > 0; i--) {
      spice((ObjectNode) job);
    }
    return random.nextInt(3) == 0 ? SampleJobs.suspended(job, random.nextBoolean()) : job;
  }

  private void spice(ObjectNode job) {
    List<ObjectNode> places = new ArrayList<>();
    collectMetadata(job, places);
    ObjectNode metadata = random.nextBoolean() ? job.withObject("/metadata") : pick(places);
    switch (random.nextInt(6)) {
      case 0, 1 -> metadata.withObject("/labels").put(pick(LABELS), pick(VALUES));
      case 2, 3 -> metadata.withObject("/annotations").put(pick(ANNOTATIONS), pick(VALUES));
      case 4 -> job.withObject("/spec").setAll((ObjectNode) parse(quoted(pick(SPEC_FIELDS))));
      default ->
          job.withObject("/metadata")
              .withArray("/ownerReferences")
              .removeAll()
              .add(parse(quoted(pick(OWNERS))));
    }
  }

  private static void collectMetadata(JsonNode node, List<ObjectNode> places) {
    if (node.get("metadata") instanceof ObjectNode metadata) {
      places.add(metadata);
    }
    node.forEach(below -> collectMetadata(below, places));
  }

  private JsonNode wild(JsonNode object) {
    JsonObject spelled = (JsonObject) SpelledJson.parse(object.toString());
    return parse(Mutations.mutateKeeping(random, spelled, IDENTITY).write());
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }

  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }
}
