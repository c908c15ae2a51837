package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY;
import static dev.sluice.api.configuration.FeatureGate.KUEUE_DRA_INTEGRATION_PARTITIONABLE_DEVICES;
import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;
import static dev.sluice.api.configuration.Problem.Type.TOO_MANY;

import dev.sluice.api.cel.CelException;
import dev.sluice.api.cel.CelExpression;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.names.LabelKey;
import dev.sluice.api.names.Subdomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads what devices count as. For one thread, and one configuration. */
final class DeviceMappingsReader {
  private static final String FIELD = "deviceClassMappings";
  private static final int MAX_MAPPINGS = 16;
  private static final int MAX_CLASSES = 8;
  private static final int MAX_SOURCES = 16;
  private static final int MAX_NAME_LENGTH = 253;
  private static final Set<String> VARIABLES = Set.of("device");

  private final FeatureGates gates;
  private final Set<String> mapped = new HashSet<>();
  private final Map<String, List<List<DeviceSource>>> classes = new HashMap<>();

  DeviceMappingsReader(FeatureGates gates) {
    this.gates = gates;
  }

  /** The mappings of the field of that object. */
  List<DeviceClassMapping> read(Fields fields) {
    List<DeviceClassMapping> mappings = fields.objects(FIELD, this::mapping);
    if (mappings.size() > MAX_MAPPINGS) {
      fields.problem(TOO_MANY, FIELD, Fields.wrong(mappings.size(), "at most " + MAX_MAPPINGS));
    }
    return mappings;
  }

  private Optional<DeviceClassMapping> mapping(Fields fields) {
    String name = ResourcesReader.resource(fields, "name", mapped);
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
    List<DeviceSource> sources = sources(fields);
    List<String> names = classNames(fields, sources);
    fields.end();
    return Optional.of(new DeviceClassMapping(name, names, sources));
  }

  private List<DeviceSource> sources(Fields fields) {
    List<DeviceSource> sources = fields.objects("sources", this::source);
    if (sources.size() > MAX_SOURCES) {
      fields.problem(TOO_MANY, "sources", Fields.wrong(sources.size(), "at most " + MAX_SOURCES));
    }
    if (sources.stream().map(DeviceSource::type).distinct().count() > 1) {
      fields.problem(
          INVALID, "sources", "both counters and capacities (expected: one type in a mapping)");
    }
    return sources;
  }

  private Optional<DeviceSource> source(Fields fields) {
    Fields counter = fields.object("counter");
    Fields capacity = fields.object("capacity");
    DeviceSource ofCounter = source(DeviceSource.Type.COUNTER, counter);
    DeviceSource ofCapacity = source(DeviceSource.Type.CAPACITY, capacity);
    fields.end();
    if (counter.present() == capacity.present()) {
      fields.problem(
          counter.present() ? INVALID : REQUIRED,
          "counter",
          "%s of counter and capacity (expected: exactly one)"
              .formatted(counter.present() ? "both" : "none"));
      return Optional.empty();
    }
    if (counter.present()) {
      needs(KUEUE_DRA_INTEGRATION_PARTITIONABLE_DEVICES, fields, "counter");
      return Optional.of(ofCounter);
    }
    needs(KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY, fields, "capacity");
    return Optional.of(ofCapacity);
  }

  private void needs(FeatureGate gate, Fields fields, String name) {
    if (!gates.isOn(gate)) {
      fields.problem(
          FORBIDDEN, name, "the gate is off (expected: feature gate %s)".formatted(gate));
    }
  }

  private static DeviceSource source(DeviceSource.Type type, Fields fields) {
    String name =
        required(
            fields, "name", "a name that the driver has in ResourceSlices", LabelKey::problems);
    String driver = required(fields, "driver", "the name of a driver", Subdomain::problems);
    Optional<CelExpression> selector = selector(fields.object("deviceSelector"));
    fields.end();
    return new DeviceSource(type, name, driver, selector);
  }

  private static String required(
      Fields fields, String name, String expected, Function<String, List<String>> problems) {
    String text = fields.text(name, "");
    if (fields.present() && text.isEmpty()) {
      fields.problem(REQUIRED, name, "\"\" (expected: %s)".formatted(expected));
    } else if (!text.isEmpty()) {
      for (String problem : problems.apply(text)) {
        fields.problem(INVALID, name, "\"" + text + "\" " + problem);
      }
    }
    return text;
  }

  private static Optional<CelExpression> selector(Fields fields) {
    Fields cel = fields.object("cel");
    Optional<String> text = cel.text("expression");
    if (fields.present() && text.isEmpty()) {
      cel.problem(REQUIRED, "expression", "\"\" (expected: an expression in CEL)");
    }
    cel.end();
    fields.end();
    try {
      return text.map(it -> CelExpression.parse(it, VARIABLES));
    } catch (CelException e) {
      cel.problem(INVALID, "expression", "CEL compilation failed: " + e.getMessage());
      return Optional.empty();
    }
  }

  private List<String> classNames(Fields fields, List<DeviceSource> sources) {
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
      List<List<DeviceSource>> others =
          classes.computeIfAbsent(names.get(i), _ -> new ArrayList<>());
      if (!others.stream().allMatch(other -> isDistinct(sources, other))) {
        fields.problem(
            DUPLICATE,
            at,
            "\"%s\" is there twice (expected: in one mapping, or with distinct sources)"
                .formatted(names.get(i)));
      }
      others.add(sources);
    }
    return names;
  }

  /** A device may count as several resources by different counters, or capacities. */
  private static boolean isDistinct(List<DeviceSource> sources, List<DeviceSource> others) {
    return !sources.isEmpty()
        && !others.isEmpty()
        && sources.stream().noneMatch(it -> others.stream().anyMatch(other -> isSame(it, other)));
  }

  private static boolean isSame(DeviceSource one, DeviceSource other) {
    return one.type() == other.type()
        && one.name().equals(other.name())
        && one.driver().equals(other.driver());
  }
}
