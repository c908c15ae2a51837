package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY;
import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_PARTITIONABLE_DEVICES;
import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;
import static dev.sluice.api.configuration.Problem.Type.TOO_MANY;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.configuration.Scheduling.Transformation;
import dev.sluice.api.names.LabelKey;
import dev.sluice.api.names.Subdomain;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what pod requests amount to. */
final class ResourcesReader {
  private static final int MAX_MAPPINGS = 16;
  private static final int MAX_CLASSES = 8;
  private static final int MAX_NAME_LENGTH = 253;

  private final FeatureGates gates;
  private final Set<String> inputs = new HashSet<>();
  private final Set<String> mapped = new HashSet<>();
  private final Set<String> classes = new HashSet<>();

  private ResourcesReader(FeatureGates gates) {
    this.gates = gates;
  }

  static Resources read(Fields fields, FeatureGates gates) {
    ResourcesReader reader = new ResourcesReader(gates);
    Resources resources =
        new Resources(
            fields.texts("excludeResourcePrefixes"),
            fields
                .choice("quotaCheckStrategy", "BlockUndeclared", "IgnoreUndeclared")
                .equals("IgnoreUndeclared"),
            fields.objects("transformations", reader::transformation),
            fields.objects("deviceClassMappings", reader::mapping));
    if (resources.deviceClassMappings().size() > MAX_MAPPINGS) {
      fields.problem(
          TOO_MANY,
          "deviceClassMappings",
          Fields.wrong(resources.deviceClassMappings().size(), "at most " + MAX_MAPPINGS));
    }
    fields.end();
    return resources;
  }

  private Optional<Transformation> transformation(Fields fields) {
    String input = resource(fields, "input", inputs);
    boolean replace = fields.choice("strategy", "Retain", "Replace").equals("Replace");
    Optional<String> multiplyBy = fields.text("multiplyBy").filter(text -> !text.isEmpty());
    Map<String, Quantity> outputs = new LinkedHashMap<>();
    fields
        .members("outputs")
        .forEach(
            (name, value) -> {
              Optional<Quantity> quantity = Quantity.parse(value.asText());
              if (quantity.isEmpty()) {
                fields.problem(
                    INVALID,
                    "outputs[" + name + "]",
                    Fields.wrong(value, "a quantity such as 50 or 2Gi"));
              }
              quantity.ifPresent(amount -> outputs.put(name, amount));
            });
    fields.end();
    return Optional.of(new Transformation(input, replace, multiplyBy, outputs));
  }

  private static String resource(Fields fields, String name, Set<String> seen) {
    String resource = fields.text(name, "");
    if (resource.isEmpty()) {
      fields.problem(REQUIRED, name, "\"\" (expected: the name of a resource)");
    } else if (!seen.add(resource)) {
      fields.problem(DUPLICATE, name, "\"" + resource + "\" is there twice (expected: once)");
    }
    return resource;
  }

  private Optional<DeviceClassMapping> mapping(Fields fields) {
    String name = resource(fields, "name", mapped);
    if (!name.isEmpty()) {
      for (String problem : LabelKey.problems(name)) {
        fields.problem(INVALID, "name", "\"" + name + "\" " + problem);
      }
      if (name.length() > MAX_NAME_LENGTH) {
        fields.problem(
            INVALID,
            "name",
            Fields.wrong(name.length() + " characters", "at most " + MAX_NAME_LENGTH));
      }
    }
    List<JsonNode> sources = fields.items("sources");
    fields.objects("sources", this::source);
    List<String> names = classNames(fields, sources.isEmpty());
    fields.end();
    return Optional.of(new DeviceClassMapping(name, names, sources));
  }

  private List<String> classNames(Fields fields, boolean mustBeNew) {
    List<String> names = fields.texts("deviceClassNames");
    if (names.isEmpty() || names.size() > MAX_CLASSES) {
      fields.problem(
          names.isEmpty() ? REQUIRED : TOO_MANY,
          "deviceClassNames",
          Fields.wrong(names.size() + " names", "1 to " + MAX_CLASSES));
    }
    for (int i = 0; i < names.size(); i++) {
      String at = "deviceClassNames[" + i + "]";
      for (String problem : Subdomain.problems(names.get(i))) {
        fields.problem(INVALID, at, "\"" + names.get(i) + "\" " + problem);
      }
      if (!classes.add(names.get(i)) && mustBeNew) { // two counters may share a class of devices
        fields.problem(
            DUPLICATE, at, "\"" + names.get(i) + "\" is there twice (expected: in one mapping)");
      }
    }
    return names;
  }

  /** What is in a source beside its driver is kept as it stands. */
  private Optional<JsonNode> source(Fields fields) {
    JsonNode counter = fields.find("counter");
    JsonNode capacity = fields.find("capacity");
    if ((counter == null) == (capacity == null)) {
      fields.problem(INVALID, "counter", "beside capacity (expected: exactly one of the two)");
    }
    if (counter != null) {
      checkSource(fields, "counter", counter, KUEUE_DRA_INTEGRATION_PARTITIONABLE_DEVICES);
    }
    if (capacity != null) {
      checkSource(fields, "capacity", capacity, KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY);
    }
    fields.end();
    return Optional.empty();
  }

  private void checkSource(Fields fields, String name, JsonNode source, FeatureGate gate) {
    if (!gates.isOn(gate)) {
      fields.problem(FORBIDDEN, name, "needs the feature gate " + gate + " (expected: it is on)");
    }
    String driver = source.path("driver").asText();
    for (String problem : Subdomain.problems(driver)) {
      fields.problem(INVALID, name + ".driver", "\"" + driver + "\" " + problem);
    }
  }
}
