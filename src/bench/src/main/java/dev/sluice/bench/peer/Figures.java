package dev.sluice.bench.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The numbers that a runner leaves in files, whatever it calls them. */
final class Figures {
  private static final int MOST_FILES = 100;
  private static final long MOST_BYTES = 1 << 20;

  private Figures() {}

  /**
   * All numbers of the YAML and JSON files of this folder, under the file's name and the names on
   * the way, such as {@code summary.yaml classes.small.meanMs}. Texts and lists are left out, and
   * files that hold no objects.
   */
  static Map<String, Double> in(Path folder) throws IOException {
    Map<String, Double> figures = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> files = all.filter(Figures::isRead).sorted().limit(MOST_FILES).toList();
      for (Path file : files) {
        String name = folder.relativize(file).toString();
        for (JsonNode document : documents(name, Files.readString(file))) {
          add(figures, name + " ", document);
        }
      }
    }
    return figures;
  }

  private static List<ObjectNode> documents(String name, String text) {
    try {
      return new YamlReader().readAll(name, text);
    } catch (IllegalArgumentException _) {
      return List.of(); // a runner leaves what it likes
    }
  }

  private static boolean isRead(Path file) {
    String name = file.toString();
    boolean isData = Stream.of(".yaml", ".yml", ".json").anyMatch(name::endsWith);
    return isData && Files.isRegularFile(file) && file.toFile().length() <= MOST_BYTES;
  }

  private static void add(Map<String, Double> figures, String prefix, JsonNode object) {
    object
        .properties()
        .forEach(
            it -> {
              if (it.getValue().isNumber()) {
                figures.put(prefix + it.getKey(), it.getValue().asDouble());
              } else if (it.getValue().isObject()) {
                add(figures, prefix + it.getKey() + ".", it.getValue());
              }
            });
  }
}
