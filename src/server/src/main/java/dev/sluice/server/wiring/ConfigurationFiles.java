package dev.sluice.server.wiring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Problem;
import dev.sluice.api.configuration.Reading;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.Manifest.Place;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.server.manifest.ManifestFiles;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads files with a configuration: apart from the flags, whose help needs no parser. */
final class ConfigurationFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFiles.class);
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private ConfigurationFiles() {}

  static Chosen read(List<String> files, Optional<String> featureGates, String ownNamespace) {
    List<Manifest> manifests = new ArrayList<>();
    List<JsonNode> documents = new ArrayList<>();
    for (String file : files) {
      for (Manifest manifest : manifests(file)) {
        manifests.add(manifest);
        documents.add(tree(manifest));
      }
    }
    ConfigurationReader reader = ConfigurationReader.in(ownNamespace);
    ConfigurationReader flagged = featureGates.map(reader::withFeatureGates).orElse(reader);
    return switch (flagged.read(documents)) {
      case Reading.Accepted accepted -> chosen(accepted, manifests);
      case Reading.Refused refused -> throw new CommandException(told(refused, manifests));
    };
  }

  private static List<Manifest> manifests(String file) {
    try {
      return new ManifestFiles(InputStream.nullInputStream()).read(file);
    } catch (ManifestException e) {
      throw new CommandException("--config: " + e.getMessage(), e);
    }
  }

  private static JsonNode tree(Manifest manifest) {
    try {
      return JSON.readTree(manifest.value().toString());
    } catch (JsonProcessingException e) {
      throw new CommandException("--config: " + manifest.place() + ": " + e.getMessage(), e);
    }
  }

  private static Chosen chosen(Reading.Accepted accepted, List<Manifest> manifests) {
    for (Problem warning : accepted.warnings()) {
      LOG.warn("{}", at(warning, manifests));
    }
    return new Chosen(accepted.configuration(), accepted.extensions());
  }

  private static String told(Reading.Refused refused, List<Manifest> manifests) {
    List<String> lines =
        refused.problems().stream().map(problem -> at(problem, manifests)).toList();
    return "the configuration cannot be used, %d problem%s:%n  %s"
        .formatted(
            lines.size(),
            lines.size() == 1 ? "" : "s",
            String.join(System.lineSeparator() + "  ", lines));
  }

  private static String at(Problem problem, List<Manifest> manifests) {
    if (problem.path().startsWith("--") || problem.document() >= manifests.size()) {
      return problem.toString();
    }
    Place place = manifests.get(problem.document()).place();
    return place.of(problem.path()) + ": " + problem;
  }
}
