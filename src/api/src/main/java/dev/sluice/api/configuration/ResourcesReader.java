package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;
import static dev.sluice.api.configuration.Problem.Type.TOO_MANY;

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
  private static final String SOURCES =
      "cannot be obeyed: Sluice counts whole devices, and neither counters nor capacities of"
          + " ResourceSlices (expected: a mapping without sources)";

  private final Set<String> inputs = new HashSet<>();
  private final Set<String> mapped = new HashSet<>();
  private final Set<String> classes = new HashSet<>();

  static Resources read(Fields fields) {
    ResourcesReader reader = new ResourcesReader();
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
    if (!fields.items("sources").isEmpty()) {
      fields.problem(INVALID, "sources", SOURCES);
    }
    List<String> names = classNames(fields);
    fields.end();
    return Optional.of(new DeviceClassMapping(name, names));
  }

  private List<String> classNames(Fields fields) {
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
      if (!classes.add(names.get(i))) {
        fields.problem(
            DUPLICATE, at, "\"" + names.get(i) + "\" is there twice (expected: in one mapping)");
      }
    }
    return names;
  }
}
