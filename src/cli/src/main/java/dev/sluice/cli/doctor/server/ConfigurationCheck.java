package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Reading;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.manifests.yaml.YamlReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether the configuration that the cluster has can be read by this version, and both programs of
 * a Pod have the same. The enabled kinds of jobs must be served.
 */
public final class ConfigurationCheck implements Check {
  private static final String GATES = "--feature-gates";
  private static final String FILE = "--config";

  private final Cluster cluster;
  private final ServerPlace place;
  private @Nullable Configuration configuration;

  /** A check of that cluster. */
  public ConfigurationCheck(Cluster cluster, ServerPlace place) {
    this.cluster = cluster;
    this.place = place;
  }

  /** What the last check read; empty if there was nothing to read, or it was refused. */
  public Optional<Configuration> configuration() {
    return Optional.ofNullable(configuration);
  }

  @Override
  public void check(Findings findings) {
    if (place.deployment().isEmpty()) {
      return;
    }
    String object = "deployment/" + place.deployment().get().at("/metadata/name").asText();
    same(object, GATES, findings);
    same(object, FILE, findings);
    documents(findings)
        .ifPresent(documents -> read(documents, place.option(GATES).orElse(""), findings));
  }

  private void same(String object, String option, Findings findings) {
    Set<List<String>> values = new HashSet<>();
    for (List<String> arguments : place.arguments()) {
      if (!arguments.isEmpty()) {
        values.add(arguments.stream().filter(it -> it.startsWith(option + "=")).toList());
      }
    }
    if (values.size() > 1) {
      findings.error(
          object,
          "its containers have different " + option + ": a feature needs both programs",
          Remedies.INSTALL);
    }
  }

  /** The files of the ConfigMap that is mounted; no document if there is none. */
  private Optional<List<JsonNode>> documents(Findings findings) {
    if (place.option(FILE).isEmpty()) {
      return Optional.of(List.of());
    }
    String name =
        place.deployment().stream()
            .flatMap(it -> it.at("/spec/template/spec/volumes").valueStream())
            .filter(it -> it.path("name").asText().equals("config"))
            .map(it -> it.at("/configMap/name").asText())
            .findFirst()
            .orElse("");
    String object = "configmap %s/%s".formatted(place.namespace(), name);
    Answer answer =
        cluster.get("/api/v1/namespaces/%s/configmaps/%s".formatted(place.namespace(), name));
    if (answer.status() == 404) {
      findings.error(object, "is missing: no Pod can start", Remedies.INSTALL);
      return Optional.empty();
    }
    if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return Optional.empty();
    }
    List<JsonNode> documents = new ArrayList<>();
    try {
      for (JsonNode text : answer.json().path("data")) {
        documents.addAll(new YamlReader().readAll(object, text.asText()));
      }
      return Optional.of(documents);
    } catch (IllegalArgumentException e) {
      findings.error(object, "is no YAML: " + e.getMessage(), Remedies.CONFIGURATION);
      return Optional.empty();
    }
  }

  private void read(List<JsonNode> documents, String gates, Findings findings) {
    ConfigurationReader reader = ConfigurationReader.in(place.namespace());
    ConfigurationReader flagged = gates.isEmpty() ? reader : reader.withFeatureGates(gates);
    switch (flagged.read(documents)) {
      case Reading.Accepted accepted -> {
        configuration = accepted.configuration().in(place.namespace());
        findings.ok(
            "configuration",
            "can be read; feature gates: "
                + (gates.isEmpty() ? "those of the configuration" : gates));
        new JobKindCheck(cluster).check(accepted.configuration().jobs().frameworks(), findings);
      }
      case Reading.Refused refused ->
          refused
              .problems()
              .forEach(
                  problem ->
                      findings.error("configuration", problem.toString(), Remedies.CONFIGURATION));
    }
  }
}
