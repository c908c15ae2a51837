package dev.sluice.cli.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGatesFlag;
import dev.sluice.api.configuration.Problem;
import dev.sluice.api.configuration.Reading;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.server.JobKindCheck;
import dev.sluice.manifests.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether Sluice can read the Configuration of Kueue and have the same on: feature gates, kinds of
 * jobs, the name of the Lease.
 */
final class ConfigurationsCheck implements Check {
  private static final String CONFIG_MAP = "kueue-manager-config";
  private static final String GATES = "--feature-gates=";
  private static final String RELEASE = "v0.19";

  private final Cluster cluster;
  private final Side kueue;
  private final Optional<Configuration> given;

  /**
   * A check.
   *
   * @param given the Configuration of Kueue that a flag names; else that of the cluster is read
   */
  ConfigurationsCheck(Cluster cluster, Side kueue, Optional<Configuration> given) {
    this.cluster = cluster;
    this.kueue = kueue;
    this.given = given;
  }

  @Override
  public void check(Findings findings) {
    Answer deployment = cluster.get(kueue.path());
    String gates = "";
    if (deployment.isSuccess()) {
      gates = program(deployment.json(), findings);
      if (!gates.isEmpty()) {
        findings.warning(
            "deployment/" + kueue.deployment(),
            "sets feature gates on its command line: " + gates,
            "give them to the installation: sluice install " + GATES + gates);
      }
    } else if (deployment.status() == 404) {
      findings.ok("deployment/" + kueue.deployment(), "is not there");
    } else {
      findings.warning(
          "deployment/" + kueue.deployment(),
          "cannot be read: " + deployment.message(),
          Remedies.RIGHTS);
    }
    if (given.isPresent()) {
      jobs(given.get(), findings);
      return;
    }
    String object = "configmap %s/%s".formatted(kueue.namespace(), CONFIG_MAP);
    Answer answer =
        cluster.get("/api/v1/namespaces/%s/configmaps/%s".formatted(kueue.namespace(), CONFIG_MAP));
    if (!answer.isSuccess()) {
      findings.warning(
          object,
          "cannot be read, so feature gates and kinds of jobs are not compared: "
              + answer.message(),
          "name the file with --config");
      return;
    }
    read(object, answer.json(), gates, findings);
  }

  /** The version of Kueue, and the gates that its command line sets. */
  private String program(JsonNode deployment, Findings findings) {
    String image = "";
    String gates = "";
    for (JsonNode container : deployment.at("/spec/template/spec/containers")) {
      for (JsonNode arg : container.path("args")) {
        if (arg.asText().startsWith(GATES)) {
          gates = arg.asText().substring(GATES.length());
        }
      }
      String own = container.path("image").asText();
      image = own.contains("kueue") ? own : image;
    }
    String tag = image.substring(image.lastIndexOf(':') + 1);
    if (image.isEmpty() || tag.startsWith(RELEASE)) {
      findings.ok("version", image.isEmpty() ? "no image of Kueue is named" : "Kueue is " + tag);
    } else {
      findings.warning(
          "version",
          "Kueue is %s; Sluice decides as %s".formatted(tag, RELEASE),
          "compare first: sluice shadow");
    }
    return gates;
  }

  private void read(String object, JsonNode configMap, String gates, Findings findings) {
    List<JsonNode> documents = new ArrayList<>();
    try {
      for (JsonNode text : configMap.path("data")) {
        documents.addAll(new YamlReader().readAll(object, text.asText()));
      }
    } catch (IllegalArgumentException e) {
      findings.error(object, "is no YAML: " + e.getMessage(), "mend the file");
      return;
    }
    var merged = new TreeMap<String, Boolean>();
    documents.forEach(
        it ->
            it.path("featureGates")
                .properties()
                .forEach(gate -> merged.put(gate.getKey(), gate.getValue().asBoolean())));
    FeatureGatesFlag.values(gates)
        .forEach(
            (gate, value) ->
                FeatureGatesFlag.truth(value).ifPresent(isOn -> merged.put(gate, isOn)));
    merged.forEach((gate, on) -> gate(gate, on, findings));
    ConfigurationReader reader = ConfigurationReader.in(kueue.namespace());
    switch ((gates.isEmpty() ? reader : reader.withFeatureGates(gates)).read(documents)) {
      case Reading.Accepted accepted -> {
        findings.ok(object, "can be read by Sluice");
        for (Problem warning : accepted.warnings()) {
          findings.warning(object, warning.toString(), "see docs/reference/configuration.md");
        }
        jobs(accepted.configuration(), findings);
      }
      case Reading.Refused refused ->
          refused
              .problems()
              .forEach(it -> findings.error(object, it.toString(), "change it before the switch"));
    }
  }

  private static void gate(String name, boolean on, Findings findings) {
    Optional<FeatureGate> ours = FeatureGate.find(name);
    String object = "feature gate " + name;
    if (ours.isEmpty()) {
      findings.warning(
          object, "is %s in Kueue and unknown here".formatted(on ? "on" : "off"), "remove it");
    } else if (on && !ours.get().hasEffect()) {
      findings.warning(object, "is on in Kueue and has no effect here", "compare: sluice shadow");
    }
  }

  private void jobs(Configuration configuration, Findings findings) {
    new JobKindCheck(cluster).check(configuration.jobs().frameworks(), findings);
  }
}
