package dev.sluice.cli.migrate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What must be there in the end: every Workload as it was first stored, with what was written to it
 * since, and none that was deleted. Safe for many threads.
 */
final class WorkloadLedger {
  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonSyntax SYNTAX = new JsonSyntax(JsonLimits.DEFAULT);
  private static final Converter CONVERTER = new Converter(Mode.CARRY);

  /** Whole objects as text, at the version at which they came, by namespace and name. */
  private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

  private final Map<String, Integer> times = new ConcurrentHashMap<>();

  /** An object is there. */
  void has(String key, byte[] object) {
    objects.put(key, object);
  }

  /** Records that a client wrote how long a Workload ran. */
  void ran(String key, int seconds) {
    times.put(key, seconds);
  }

  /** An object is no longer there. */
  void lost(String key) {
    objects.remove(key);
  }

  int size() {
    return objects.size();
  }

  int written() {
    return times.size();
  }

  /** The field of that time, which the older version misspells. */
  static String timeField(ApiVersion version) {
    return version == ApiVersion.V1BETA1
        ? "accumulatedPastExexcutionTimeSeconds"
        : "accumulatedPastExecutionTimeSeconds";
  }

  /** A comparison that must see every object once. */
  final class Audit {
    private final Set<String> seen = new HashSet<>();

    /** An object is there, at whatever version: converted, it is what it should be. */
    void see(String key, byte[] object) {
      assertThat(seen.add(key)).as("%s: first time", key).isTrue();
      assertThat(objects).containsKey(key);
      byte[] stored = requireNonNull(objects.get(key));
      ApiVersion version = version(tree(stored));
      JsonNode expected = settled(expected(key, tree(stored), version), key);
      assertThat(settled(tree(converted(object, version)), key)).as(key).isEqualTo(expected);
    }

    /** Nothing is missing. */
    void end() {
      assertThat(seen).containsExactlyInAnyOrderElementsOf(objects.keySet());
    }
  }

  private JsonNode expected(String key, JsonNode stored, ApiVersion version) {
    Integer seconds = times.get(key);
    if (seconds != null) {
      ((ObjectNode) stored).withObject("/status").put(timeField(version), seconds);
    }
    return stored;
  }

  private static ApiVersion version(JsonNode object) {
    return ApiVersion.findByGroupVersion(object.path("apiVersion").asText()).orElseThrow();
  }

  /** Without the fields that a write changes; of an object without writes, all but its number. */
  private JsonNode settled(JsonNode object, String key) {
    ObjectNode metadata = (ObjectNode) object.path("metadata");
    metadata.remove("resourceVersion");
    if (times.containsKey(key)) {
      metadata.remove("managedFields");
    }
    return object;
  }

  private static byte[] converted(byte[] object, ApiVersion version) {
    try {
      Outcome outcome = CONVERTER.convert(SYNTAX.check(object), version);
      assertThat(outcome).isInstanceOf(Outcome.Converted.class);
      JsonOutput out = new JsonOutput();
      ((Outcome.Converted) outcome).object().writeTo(out);
      return out.toByteArray();
    } catch (MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode tree(byte[] object) {
    try {
      return JSON.readTree(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
