package dev.sluice.bench.peer;

import dev.sluice.bench.peer.ProcessTree.Part;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one turn of a program took.
 *
 * @param figures by name, in the order of a report; times in seconds, memory in MiB, and the
 *     runner's own numbers as it gives them
 */
public record Turn(Map<String, Double> figures) {
  private static final double MIB = 1 << 20;

  Turn(Duration wall, ProcessTree tree, Map<String, Double> own) {
    this(figures(wall, tree, own));
  }

  private static Map<String, Double> figures(
      Duration wall, ProcessTree tree, Map<String, Double> own) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("wall time, s", seconds(wall));
    add(figures, tree, Part.PROGRAM, "the program's");
    add(figures, tree, Part.API_SERVER, "the API server's");
    add(figures, tree, Part.ETCD, "etcd's");
    add(figures, tree, Part.RUNNER, "the runner's");
    figures.putAll(own);
    return figures;
  }

  private static void add(Map<String, Double> figures, ProcessTree tree, Part part, String whose) {
    tree.use(part)
        .ifPresent(
            use -> {
              figures.put(whose + " CPU, s", seconds(use.cpu()));
              figures.put(whose + " peak memory, MiB", use.mostBytes() / MIB);
            });
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }
}
