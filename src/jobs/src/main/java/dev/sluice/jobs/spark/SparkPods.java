package dev.sluice.jobs.spark;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The Pods of a role of a Spark application as a Pod set: what Spark and its operator make of the
 * fields of the role and of its template, as far as queueing needs it.
 *
 * @param application the spec of the application
 * @param role {@code driver} or {@code executor}
 */
record SparkPods(JsonNode application, String role) {
  static final String DRIVER = "driver";
  static final String EXECUTOR = "executor";
  static final List<String> ROLES = List.of(DRIVER, EXECUTOR);
  static final String NODE_SELECTOR = "nodeSelector";
  static final String TOLERATIONS = "tolerations";
  private static final String CONTAINERS = "containers";
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");

  SparkPods {
    requireNonNull(application, "application");
    requireNonNull(role, "role");
  }

  private JsonNode own() {
    return application.path(role);
  }

  /** One driver; as many executors as the application asks for, 1 by the operator's default. */
  int count() {
    if (role.equals(DRIVER)) {
      return 1;
    }
    String stated = application.path("sparkConf").path("spark.executor.instances").asText("");
    int instances = COUNT.matcher(stated).matches() ? Integer.parseInt(stated) : 1;
    return own().path("instances").asInt(instances);
  }

  PodSetShape podSet() {
    return new PodSetShape(
        role,
        template(),
        count(),
        OptionalInt.empty(),
        PodSetTopology.request(own().path("annotations")));
  }

  /** Labels and annotations are those of the role, which it has beside its template. */
  private ObjectNode template() {
    ObjectNode template = Patches.object();
    for (String map : List.of("annotations", "labels")) {
      if (own().path(map).isObject()) {
        Patches.child(template, "metadata").set(map, own().path(map).deepCopy());
      }
    }
    template.set("spec", spec());
    return template;
  }

  private JsonNode spec() {
    ObjectNode spec =
        PodSetShape.storable(own().path("template").path("spec")) instanceof ObjectNode it
            ? it
            : Patches.object();
    setMain(Patches.list(spec, CONTAINERS));
    addAll(spec, CONTAINERS, own().path("sidecars"));
    addAll(spec, "initContainers", own().path("initContainers"));
    addAll(spec, TOLERATIONS, own().path(TOLERATIONS));
    addNodeSelector(spec, application.path(NODE_SELECTOR));
    addNodeSelector(spec, own().path(NODE_SELECTOR));
    for (String member : List.of("affinity", "priorityClassName", "schedulerName")) {
      if (own().hasNonNull(member)) {
        spec.set(member, own().path(member).deepCopy());
      }
    }
    return PodSetShape.podSpec(spec);
  }

  private static void addAll(ObjectNode spec, String member, JsonNode items) {
    if (items instanceof ArrayNode list) {
      Patches.list(spec, member).addAll(list.deepCopy());
    }
  }

  private static void addNodeSelector(ObjectNode spec, JsonNode selector) {
    if (selector instanceof ObjectNode labels) {
      Patches.child(spec, NODE_SELECTOR).setAll(labels);
    }
  }

  /** The container of the template with Spark's name for it, else the first, runs Spark. */
  private void setMain(ArrayNode containers) {
    String name = "spark-kubernetes-" + role;
    ObjectNode main =
        containers
            .valueStream()
            .filter(it -> it.path("name").asText().equals(name))
            .findFirst()
            .or(() -> containers.valueStream().findFirst())
            .filter(ObjectNode.class::isInstance)
            .map(ObjectNode.class::cast)
            .orElseGet(containers::addObject);
    if (!main.hasNonNull("name")) {
      main.put("name", name);
    }
    String image = own().path("image").asText(application.path("image").asText(""));
    if (!image.isEmpty()) {
      main.put("image", image);
    }
    ObjectNode resources = Patches.child(main, "resources");
    ObjectNode made = new SparkResources(application, role).tree();
    for (String kind : List.of("requests", "limits")) {
      Patches.child(resources, kind).setAll((ObjectNode) made.path(kind));
    }
  }
}
