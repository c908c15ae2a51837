package dev.sluice.see.history;

import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The PodSets of a Workload as one word, such as {@code 4x(cpu=1000)@required=rack}; several are
 * separated by semicolons. Workloads that ask for the same have the same one.
 */
public final class Shapes {
  private Shapes() {}

  static String of(WorkloadState state) {
    List<PodSet> podSets = state.workload().spec().podSets();
    List<PodSetRequests> requests = state.requests();
    List<String> words = new ArrayList<>();
    for (int i = 0; i < podSets.size() && i < requests.size(); i++) {
      PodSetRequests all = requests.get(i);
      Map<String, Long> onePod =
          all.count() == 0 ? Map.of() : all.total().dividedBy(all.count()).asMap();
      words.add(word(shape(podSets.get(i), onePod)));
    }
    return String.join(";", words);
  }

  private static PodShape shape(PodSet podSet, Map<String, Long> onePod) {
    TopologyRequest asked = podSet.topologyRequest();
    if (asked == null) {
      return new PodShape(podSet.count(), onePod, "", "");
    }
    if (asked.required() != null) {
      return new PodShape(podSet.count(), onePod, "required", asked.required());
    }
    return asked.preferred() != null
        ? new PodShape(podSet.count(), onePod, "preferred", asked.preferred())
        : new PodShape(podSet.count(), onePod, "unconstrained", "");
  }

  private static String word(PodShape shape) {
    String requests =
        shape.requests().entrySet().stream()
            .map(it -> it.getKey() + "=" + it.getValue())
            .collect(Collectors.joining(","));
    String topology = shape.topology().isEmpty() ? "" : "@" + shape.topology();
    return "%dx(%s)%s%s"
        .formatted(
            shape.count(), requests, topology, shape.level().isEmpty() ? "" : "=" + shape.level());
  }

  /** The PodSets that the word stands for; nothing for one that is malformed. */
  public static List<PodShape> parse(String text) {
    List<PodShape> shapes = new ArrayList<>();
    for (String word : text.split(";", -1)) {
      PodShape shape = parsed(word);
      if (shape == null) {
        return List.of();
      }
      shapes.add(shape);
    }
    return shapes;
  }

  private static @Nullable PodShape parsed(String word) {
    int open = word.indexOf("x(");
    int close = word.indexOf(')');
    if (open < 1 || close < open) {
      return null;
    }
    try {
      Map<String, Long> requests = new TreeMap<>();
      String list = word.substring(open + 2, close);
      for (String request : list.isEmpty() ? new String[0] : list.split(",", -1)) {
        int equals = request.indexOf('=');
        requests.put(request.substring(0, equals), Long.valueOf(request.substring(equals + 1)));
      }
      String topology = word.length() > close + 1 ? word.substring(close + 2) : "";
      int equals = topology.indexOf('=');
      return new PodShape(
          Integer.parseInt(word.substring(0, open)),
          requests,
          equals < 0 ? topology : topology.substring(0, equals),
          equals < 0 ? "" : topology.substring(equals + 1));
    } catch (RuntimeException _) { // of a number or an index: somebody edited the file
      return null;
    }
  }
}
