package dev.sluice.cli.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.json.yaml.Manifest;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.server.manifest.ManifestFiles;
import dev.sluice.server.manifest.ManifestPaths;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the documents of files and folders as trees, for commands that need no lines. */
public final class ManifestTrees {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ManifestTrees() {}

  /**
   * All documents of the files, folders within folders included. What means something to us has a
   * name, or says how one begins.
   *
   * @param stdin what is meant where a file is called {@code -}
   * @throws CommandException with all that cannot be read
   */
  public static List<JsonNode> read(List<String> names, InputStream stdin) {
    List<String> problems = new ArrayList<>();
    ManifestFiles reader = new ManifestFiles(stdin);
    List<JsonNode> documents = new ArrayList<>();
    for (String file : ManifestPaths.find(names, true, problems)) {
      try {
        for (Manifest manifest : reader.read(file)) {
          JsonNode document = JSON.readTree(manifest.value().toByteArray());
          problems.addAll(nameless(document, manifest.place()));
          documents.add(document);
        }
      } catch (ManifestException e) {
        problems.add(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        throw new IllegalStateException("checked JSON cannot be read", e);
      }
    }
    if (!problems.isEmpty()) {
      throw new CommandException(String.join("\n", problems));
    }
    return documents;
  }

  private static List<String> nameless(JsonNode document, Manifest.Place place) {
    List<String> problems = new ArrayList<>();
    if (isNameless(document)) {
      problems.add(problem(document, place.of("metadata")));
    }
    int index = 0;
    for (JsonNode item : document.path("items")) {
      if (isNameless(item)) {
        problems.add(problem(item, place.of("items[%d].metadata".formatted(index))));
      }
      index++;
    }
    return problems;
  }

  private static boolean isNameless(JsonNode object) {
    String kind = object.path("kind").asText();
    String group = GroupVersionKind.of(object.path("apiVersion").asText(), kind).group();
    boolean matters = group.equals(ApiVersion.GROUP) || Framework.find(group, kind).isPresent();
    JsonNode metadata = object.path("metadata");
    return matters
        && !kind.endsWith("List")
        && metadata.path("name").asText().isEmpty()
        && metadata.path("generateName").asText().isEmpty();
  }

  private static String problem(JsonNode object, String place) {
    return "%s: %s: metadata.name: missing (expected: a name)"
        .formatted(place, object.path("kind").asText());
  }
}
