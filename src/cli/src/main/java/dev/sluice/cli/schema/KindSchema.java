package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.rules.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a kind at one version. Any thread may use it.
 *
 * <p>Lists are equal for CEL when their items are, in order; the API server also takes list maps
 * and sets in another order for equal, which no rule of ours asks for.
 */
public final class KindSchema {
  private final Schema schema;
  private final boolean hasStatus;
  private final CelPrograms programs;

  /**
   * An object as the API server reads it.
   *
   * @param object a tree of its own: without unknown fields, with the defaults of the schema
   * @param unknown what was dropped
   * @param violations what cannot be read
   */
  public record Received(
      ObjectNode object, List<UnknownField> unknown, List<FieldError> violations) {}

  /**
   * What schema and rules say.
   *
   * @param violations what the API server would refuse the object for
   * @param leftOutRules whether rules in CEL were not evaluated because of what is wrong
   */
  public record Verdict(List<FieldError> violations, boolean leftOutRules) {}

  KindSchema(Schema schema, boolean hasStatus, CelPrograms programs) {
    this.schema = schema;
    this.hasStatus = hasStatus;
    this.programs = programs;
  }

  /** The expressions of all rules. */
  List<String> rules() {
    List<String> rules = new ArrayList<>();
    collectRules(schema, rules);
    return rules;
  }

  private static void collectRules(Schema schema, List<String> rules) {
    schema.rules().forEach(rule -> rules.add(rule.expression()));
    schema.below().forEach(below -> collectRules(below, rules));
  }

  /** Reads an object of this kind and version, which is not changed. */
  public Received receive(JsonNode object) {
    var reading = new Reading();
    ObjectNode read = reading.root(schema, object);
    List<UnknownField> unknown = new ArrayList<>(reading.unknown());
    unknown.addAll(MetadataCheck.unknown(object.path("metadata")));
    return new Received(read, unknown, reading.faults().stream().map(Fault::violation).toList());
  }

  /**
   * What a request would store: where the status has an endpoint of its own, that of the request is
   * dropped, and the stored one stays.
   *
   * @param received an object as it was {@linkplain #receive received}
   * @param old the stored object, received likewise; null for a creation
   */
  public ObjectNode withStoredStatus(ObjectNode received, @Nullable JsonNode old) {
    if (!hasStatus) {
      return received;
    }
    ObjectNode object = received.deepCopy();
    object.remove("status");
    if (old != null && old.has("status")) {
      object.set("status", old.get("status"));
    }
    return object;
  }

  /**
   * What the API server says to an object.
   *
   * @param object an object as it was {@linkplain #receive received}
   * @param old the stored object, received likewise; null for a creation
   */
  public Verdict check(JsonNode object, @Nullable JsonNode old) {
    List<Fault> faults = new ArrayList<>();
    new MetadataCheck(faults).check(object.path("metadata"));
    new ValueCheck(faults).check(schema, object, old, "");
    checkUniqueness(object, old, faults);
    List<FieldError> violations = new ArrayList<>();
    faults.forEach(fault -> violations.add(fault.violation()));
    boolean stopped = faults.stream().anyMatch(Fault::stopsRules);
    if (!stopped && schema.hasRules()) {
      new RuleCheck(programs, violations).checkRoot(schema, object, old);
    }
    return new Verdict(violations, stopped && schema.hasRules());
  }

  /** An object that has something twice already may keep it. */
  private void checkUniqueness(JsonNode object, @Nullable JsonNode old, List<Fault> faults) {
    List<Fault> known = new ArrayList<>();
    if (old != null) {
      new ListCheck(known).check(schema, old, "");
    }
    if (known.isEmpty()) {
      new ListCheck(faults).check(schema, object, "");
    }
  }
}
