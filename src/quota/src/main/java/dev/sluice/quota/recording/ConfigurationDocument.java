package dev.sluice.quota.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.api.configuration.Scheduling.Transformation;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.util.List;

/**
 * What an engine is configured with, as a Configuration of Kueue; scenarios have such a document,
 * too. What the engine does not read is not in it.
 */
public final class ConfigurationDocument {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ConfigurationDocument() {}

  /**
   * Reads it.
   *
   * @throws MalformedRecordingException if this version cannot obey it
   */
  public static EngineConfiguration read(JsonNode document) {
    try {
      return EngineConfiguration.of(ConfigurationReader.excerpt(document));
    } catch (IllegalArgumentException e) {
      throw new MalformedRecordingException("its configuration: " + e.getMessage(), e);
    }
  }

  /** Writes it; {@link #read} gives an equal one. */
  public static ObjectNode write(EngineConfiguration configuration) {
    ObjectNode document = JSON.objectNode();
    document
        .put("apiVersion", ApiVersion.CONFIGURATION_GROUP + "/v1beta2")
        .put("kind", "Configuration");
    WaitForPodsReady wait = configuration.waitForPodsReady();
    if (wait != null) {
      write(wait, document.putObject("waitForPodsReady"));
    }
    FairSharing fair = configuration.fairSharing();
    if (fair != null) {
      ArrayNode strategies = document.putObject("fairSharing").putArray("preemptionStrategies");
      fair.preemptionStrategies().forEach(it -> strategies.add(it.toString()));
    }
    AdmissionFairSharing sharing = configuration.admissionFairSharing();
    if (sharing != null) {
      ObjectNode own = document.putObject("admissionFairSharing");
      own.put("usageHalfLifeTime", text(sharing.usageHalfLife()));
      own.put("usageSamplingInterval", text(sharing.samplingInterval()));
      ObjectNode weights = own.putObject("resourceWeights");
      sharing.resourceWeights().forEach((resource, weight) -> weights.put(resource, weight));
    }
    if (!configuration.resources().equals(Resources.AS_THEY_ARE)) {
      write(configuration.resources(), document.putObject("resources"));
    }
    write(configuration.gates(), document);
    return document;
  }

  private static String text(Duration duration) {
    return duration.toNanosPart() == 0 ? duration.toSeconds() + "s" : duration.toNanos() + "ns";
  }

  private static void write(WaitForPodsReady wait, ObjectNode own) {
    own.put("timeout", text(wait.timeout()));
    own.put("recoveryTimeout", text(wait.recoveryTimeout()));
    own.put("blockAdmission", wait.blockAdmission());
    Requeuing requeuing = wait.requeuing();
    ObjectNode strategy = own.putObject("requeuingStrategy");
    strategy.put("timestamp", requeuing.byCreation() ? "Creation" : "Eviction");
    requeuing.backoffLimit().ifPresent(it -> strategy.put("backoffLimitCount", it));
    strategy.put("backoffBaseSeconds", requeuing.backoffBase().toSeconds());
    strategy.put("backoffMaxSeconds", requeuing.backoffMax().toSeconds());
  }

  private static void write(Resources resources, ObjectNode own) {
    ArrayNode prefixes = own.putArray("excludeResourcePrefixes");
    resources.excludedPrefixes().forEach(prefixes::add);
    own.put(
        "quotaCheckStrategy",
        resources.ignoreUndeclared() ? "IgnoreUndeclared" : "BlockUndeclared");
    ArrayNode transformations = own.putArray("transformations");
    for (Transformation it : resources.transformations()) {
      ObjectNode one = transformations.addObject();
      one.put("input", it.input()).put("strategy", it.replace() ? "Replace" : "Retain");
      it.multiplyBy().ifPresent(by -> one.put("multiplyBy", by));
      ObjectNode outputs = one.putObject("outputs");
      it.outputs().forEach((name, quantity) -> outputs.put(name, quantity.toString()));
    }
    ArrayNode mappings = own.putArray("deviceClassMappings");
    for (DeviceClassMapping it : resources.deviceClassMappings()) {
      ObjectNode mapping = mappings.addObject().put("name", it.name());
      ArrayNode names = mapping.putArray("deviceClassNames");
      it.deviceClassNames().forEach(names::add);
      if (!it.sources().isEmpty()) {
        write(it.sources(), mapping.putArray("sources"));
      }
    }
  }

  private static void write(List<DeviceSource> sources, ArrayNode own) {
    for (DeviceSource it : sources) {
      boolean isCounter = it.type() == DeviceSource.Type.COUNTER;
      ObjectNode source = own.addObject().putObject(isCounter ? "counter" : "capacity");
      source.put("name", it.name()).put("driver", it.driver());
      it.selector()
          .ifPresent(
              expression ->
                  source
                      .putObject("deviceSelector")
                      .putObject("cel")
                      .put("expression", expression.toString()));
    }
  }

  private static void write(FeatureGates gates, ObjectNode document) {
    ObjectNode own = JSON.objectNode();
    for (FeatureGate gate : FeatureGate.values()) {
      if (gates.isOn(gate) != gate.onByDefault()) {
        own.put(gate.gateName(), gates.isOn(gate));
      }
    }
    if (!own.isEmpty()) {
      document.set("featureGates", own);
    }
  }
}
