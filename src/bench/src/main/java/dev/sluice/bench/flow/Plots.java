package dev.sluice.bench.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sluice.bench.engine.Story.Kind;
import dev.sluice.bench.engine.Story.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds what is to be played, by its name or in a file. */
public final class Plots {
  /** How the names of plots begin whose pods are placed by topology. */
  static final String PLACED = "tas";

  private Plots() {}

  /**
   * What is to be played.
   *
   * @param name baseline, large-scale, tas or tas-balanced, which are the baseline with pods placed
   *     on 640 nodes, or a YAML file with {@code cohorts}, {@code queues} and {@code kinds} of
   *     {@code name}, {@code count}, {@code cpu}, {@code runMillis}, {@code priority} and {@code
   *     everyMillis}
   * @param scale by which the number of workloads of each kind is multiplied
   * @throws IOException if there is no such file
   * @throws IllegalArgumentException if it does not say what is needed
   */
  public static Plot find(String name, double scale) throws IOException {
    Plot plot =
        switch (name) {
          case "baseline" -> Plot.BASELINE;
          case "large-scale" -> Plot.LARGE_SCALE;
          case "tas", "tas-balanced" -> new Plot(name, 5, 6, Plot.BASELINE.kinds());
          default -> read(Path.of(name));
        };
    return scale == 1 ? plot : scaled(plot, scale);
  }

  private static Plot scaled(Plot plot, double scale) {
    List<Kind> kinds = new ArrayList<>();
    for (Kind kind : plot.kinds()) {
      int count = Math.toIntExact(Math.max(1, Math.round(kind.count() * scale)));
      kinds.add(
          new Kind(kind.name(), count, kind.cpu(), kind.runs(), kind.priority(), kind.every()));
    }
    return new Plot(plot.name() + " x " + scale, plot.cohorts(), plot.queues(), kinds);
  }

  private static Plot read(Path file) throws IOException {
    JsonNode plot = new ObjectMapper(new YAMLFactory()).readTree(Files.readAllBytes(file));
    List<Kind> kinds = new ArrayList<>();
    for (JsonNode kind : plot.path("kinds")) {
      kinds.add(
          new Kind(
              kind.path("name").asText("workloads"),
              positive(kind, "count"),
              positive(kind, "cpu"),
              Duration.ofMillis(positive(kind, "runMillis")),
              kind.path("priority").asInt(),
              Duration.ofMillis(positive(kind, "everyMillis"))));
    }
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException(file + ": kinds: [] (expected: at least one)");
    }
    return new Plot(
        plot.path("name").asText(String.valueOf(file.getFileName())),
        positive(plot, "cohorts"),
        positive(plot, "queues"),
        kinds);
  }

  private static int positive(JsonNode object, String member) {
    int value = object.path(member).asInt();
    if (value < 1) {
      throw new IllegalArgumentException(
          member + ": " + object.path(member) + " (expected: a whole number above 0)");
    }
    return value;
  }
}
