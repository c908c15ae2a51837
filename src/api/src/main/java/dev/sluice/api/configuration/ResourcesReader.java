package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;

import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.configuration.Scheduling.Transformation;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what pod requests amount to. */
final class ResourcesReader {
  private final Set<String> inputs = new HashSet<>();

  static Resources read(Fields fields, FeatureGates gates) {
    ResourcesReader reader = new ResourcesReader();
    Resources resources =
        new Resources(
            fields.texts("excludeResourcePrefixes"),
            fields
                .choice("quotaCheckStrategy", "BlockUndeclared", "IgnoreUndeclared")
                .equals("IgnoreUndeclared"),
            fields.objects("transformations", reader::transformation),
            new DeviceMappingsReader(gates).read(fields));
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

  /** The resource that a field names, and that no other names. */
  static String resource(Fields fields, String name, Set<String> seen) {
    String resource = fields.text(name, "");
    if (resource.isEmpty()) {
      fields.problem(REQUIRED, name, "\"\" (expected: the name of a resource)");
    } else if (!seen.add(resource)) {
      fields.problem(DUPLICATE, name, "\"" + resource + "\" is there twice (expected: once)");
    }
    return resource;
  }
}
