package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import java.util.stream.Stream;

/** The Configuration of a simulated cluster. */
public final class SimulatedConfiguration {
  private SimulatedConfiguration() {}

  /**
   * Reads a Configuration, or an excerpt of one. Where it does not say which kinds of jobs are
   * managed, all are; where it does not say how pods are waited for, they are not.
   *
   * @throws IllegalArgumentException with all that is wrong with it
   */
  public static Configuration read(JsonNode document) {
    ObjectNode whole = document.deepCopy();
    if (!document.path("integrations").has("frameworks")) {
      ArrayNode frameworks = whole.withObjectProperty("integrations").putArray("frameworks");
      Stream.of(Framework.values()).map(Framework::frameworkName).forEach(frameworks::add);
      turnOn(FeatureGate.SPARK_APPLICATION_INTEGRATION, whole);
    }
    if (!document.has("waitForPodsReady")) {
      turnOn(FeatureGate.DISABLE_WAIT_FOR_PODS_READY, whole);
    }
    return ConfigurationReader.excerpt(whole);
  }

  private static void turnOn(FeatureGate gate, ObjectNode configuration) {
    ObjectNode gates = configuration.withObjectProperty("featureGates");
    if (!gates.has(gate.gateName())) {
      gates.put(gate.gateName(), true);
    }
  }
}
