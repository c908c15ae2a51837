package dev.sluice.manifests.generate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The program that writes the CustomResourceDefinitions. Its result depends on the kind files
 * alone.
 */
public final class Generate {

  private final Path kinds;
  private final YamlReader yaml = new YamlReader();

  /** A generator that reads the kind files of this folder. */
  public Generate(Path kinds) {
    this.kinds = kinds;
  }

  /**
   * Writes the definitions of all kinds and removes those of kinds that are no more.
   *
   * @param args the folder of the kind files, and the folder to write to
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          args.length + " arguments (expected: the folder of the kind files, the folder to write)");
    }
    Map<String, String> files = new Generate(Path.of(args[0])).files();
    Path target = Path.of(args[1]);
    for (Path old : yamlFiles(target)) {
      if (!files.containsKey(old.getFileName().toString())) {
        Files.delete(old);
      }
    }
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(target.resolve(file.getKey()), file.getValue());
    }
  }

  /** The generated files: name to text, in order of name. */
  public Map<String, String> files() throws IOException {
    CrdBuilder builder = new CrdBuilder(definitions());
    Map<String, String> files = new TreeMap<>();
    for (Path file : yamlFiles(kinds)) {
      String name = file.getFileName().toString();
      files.put(ApiVersion.GROUP + "_" + name, header(name) + write(builder, file));
    }
    return files;
  }

  private ObjectNode definitions() throws IOException {
    ObjectNode definitions = JsonNodeFactory.instance.objectNode();
    for (Path file : yamlFiles(kinds.resolve("definitions"))) {
      for (Map.Entry<String, JsonNode> definition : read(file).properties()) {
        if (definitions.replace(definition.getKey(), definition.getValue()) != null) {
          throw new IllegalArgumentException(
              file + ": " + definition.getKey() + " (expected: defined once in the folder)");
        }
      }
    }
    return definitions;
  }

  private static String header(String kindFile) {
    return """
    # Generated from manifests/src/kinds/%s; do not edit. To make it anew:
    #   mvn -q -pl manifests -am process-classes -Dgenerate
    """
        .formatted(kindFile);
  }

  private String write(CrdBuilder builder, Path file) throws IOException {
    try {
      return YamlWriter.write(builder.build(read(file)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private ObjectNode read(Path file) throws IOException {
    return yaml.read(file.toString(), Files.readString(file));
  }

  private static List<Path> yamlFiles(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder, "*.yaml")) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      return found;
    }
  }
}
