package dev.sluice.cli.devcluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.configuration.Reading;
import dev.sluice.manifests.Target;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import java.util.List;

/** A configuration under which every kind of jobs is managed, also those still behind a gate. */
public final class EveryKind {
  private EveryKind() {}

  /** The same with these gates on as well. */
  public static Chosen chosen(FeatureGate... further) {
    ObjectNode file = JsonNodeFactory.instance.objectNode();
    file.put("apiVersion", ApiVersion.CONFIGURATION_GROUP + "/v1beta2")
        .put("kind", "Configuration");
    var frameworks = file.withArray("/integrations/frameworks");
    for (Framework framework : Framework.values()) {
      frameworks.add(framework.frameworkName());
    }
    ObjectNode gates = file.putObject("featureGates").put("SparkApplicationIntegration", true);
    for (FeatureGate gate : further) {
      gates.put(gate.gateName(), true);
    }
    return switch (ConfigurationReader.in(Target.Service.DEFAULT.namespace()).read(List.of(file))) {
      case Reading.Accepted accepted -> new Chosen(accepted.configuration(), accepted.extensions());
      case Reading.Refused refused ->
          throw new IllegalStateException("our own configuration: " + refused.problems());
    };
  }
}
