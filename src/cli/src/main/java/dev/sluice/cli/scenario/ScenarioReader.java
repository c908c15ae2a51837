package dev.sluice.cli.scenario;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.server.manifest.ManifestFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the scenarios of files; documents of other kinds are passed over. */
final class ScenarioReader {
  private static final ObjectReader TREES =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build()
          .readerFor(JsonNode.class);

  private final ManifestFiles files = new ManifestFiles(InputStream.nullInputStream());

  /**
   * The scenarios of a file in their order.
   *
   * @throws ManifestException naming file, line and field, if the file cannot be read or a scenario
   *     in it is malformed
   */
  List<ScenarioFile> read(String file) throws ManifestException {
    List<ScenarioFile> scenarios = new ArrayList<>();
    for (Manifest manifest : files.read(file)) {
      JsonNode document = tree(manifest);
      if (isScenario(document)) {
        scenarios.add(new ScenarioFile(scenario(document, manifest.place()), manifest.place()));
      }
    }
    return scenarios;
  }

  private static boolean isScenario(JsonNode document) {
    return document.path("apiVersion").asText().equals(Scenario.API_VERSION)
        && document.path("kind").asText().equals(Scenario.KIND);
  }

  private static JsonNode tree(Manifest manifest) {
    try {
      return TREES.readTree(manifest.value().toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("checked JSON cannot be read", e);
    }
  }

  private static Scenario scenario(JsonNode document, Manifest.Place place)
      throws ManifestException {
    List<String> unknown = UnknownFields.find(document);
    if (!unknown.isEmpty()) {
      String first = unknown.getFirst();
      throw new ManifestException(place.of(first.substring(0, first.indexOf(':'))) + ": " + first);
    }
    try {
      return HubObjects.read(Scenario.class, document);
    } catch (MalformedObjectException e) {
      throw new ManifestException(place.of(e.field()) + ": " + e.getMessage());
    }
  }
}
