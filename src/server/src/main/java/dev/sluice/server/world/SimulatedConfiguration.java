package dev.sluice.server.world;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Reading;
import dev.sluice.rules.ValueText;
import java.util.List;
import java.util.stream.Stream;

/**
 * The configuration of a simulated cluster.
 *
 * @param configuration what Kueue's file says
 * @param extensions what our own document says
 */
public record SimulatedConfiguration(Configuration configuration, Extensions extensions) {
  private static final String INTEGRATIONS = "integrations";
  private static final String GATES = "featureGates";

  public SimulatedConfiguration {
    requireNonNull(configuration, "configuration");
    requireNonNull(extensions, "extensions");
  }

  /**
   * Reads a Configuration and an Extensions document, or excerpts of them; an empty object stands
   * for a document that is not there. Where the Configuration does not say which kinds of jobs are
   * managed, all are; where it does not say how pods are waited for, they are not.
   *
   * @throws IllegalArgumentException with all that is wrong with them
   */
  public static SimulatedConfiguration read(JsonNode configuration, JsonNode extensions) {
    Reading.Accepted accepted =
        ConfigurationReader.excerpts(
            List.of(completeConfiguration(configuration), completeExtensions(extensions)));
    return new SimulatedConfiguration(accepted.configuration(), accepted.extensions());
  }

  private static ObjectNode completeConfiguration(JsonNode document) {
    ObjectNode whole = object(document);
    if (!document.path(INTEGRATIONS).has("frameworks") && mayComplete(whole, INTEGRATIONS)) {
      ArrayNode frameworks = whole.withObjectProperty(INTEGRATIONS).putArray("frameworks");
      Stream.of(Framework.values()).map(Framework::frameworkName).forEach(frameworks::add);
      turnOn(FeatureGate.SPARK_APPLICATION_INTEGRATION, whole);
    }
    if (!document.has("waitForPodsReady")) {
      turnOn(FeatureGate.DISABLE_WAIT_FOR_PODS_READY, whole);
    }
    return whole;
  }

  private static ObjectNode object(JsonNode document) {
    if (document.deepCopy() instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException(
        "configuration: %s (expected: an object)".formatted(ValueText.of(document)));
  }

  /** Of another type the reader says so. */
  private static boolean mayComplete(ObjectNode configuration, String member) {
    JsonNode present = configuration.path(member);
    return present.isMissingNode() || present.isNull() || present.isObject();
  }

  private static void turnOn(FeatureGate gate, ObjectNode configuration) {
    if (!mayComplete(configuration, GATES)) {
      return;
    }
    ObjectNode gates = configuration.withObjectProperty(GATES);
    if (!gates.has(gate.gateName())) {
      gates.put(gate.gateName(), true);
    }
  }

  private static ObjectNode completeExtensions(JsonNode document) {
    ObjectNode whole = object(document);
    if (!document.has("apiVersion")) {
      whole.put("apiVersion", Extensions.API_VERSION);
    }
    if (!document.has("kind")) {
      whole.put("kind", Extensions.KIND);
    }
    return whole;
  }

  /** Whether objects of this kind are jobs, of a built-in kind or of one that is configured. */
  public boolean isJob(GroupKind kind) {
    return Framework.find(kind.group(), kind.kind()).isPresent()
        || extensions.customKinds().stream().anyMatch(it -> it.type().groupKind().equals(kind));
  }
}
