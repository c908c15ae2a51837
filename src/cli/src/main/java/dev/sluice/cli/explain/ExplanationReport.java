package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.ForecastWords;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.explain.Explanation.Holder;
import dev.sluice.see.explain.Explanation.Level;
import dev.sluice.see.explain.Explanation.Remedy;
import dev.sluice.see.explain.Explanation.Shortage;
import java.util.List;

/** An explanation as text for people and as a tree for programs. */
final class ExplanationReport {
  private final Explanation explanation;
  private final List<OtherCluster> otherClusters;
  private final JsonNode document;

  /**
   * A report.
   *
   * @param otherClusters how the workload is on other clusters; none if it goes to none
   * @param document what a server answered, which may have a forecast; missing without a server
   */
  ExplanationReport(Explanation explanation, List<OtherCluster> otherClusters, JsonNode document) {
    this.explanation = explanation;
    this.otherClusters = List.copyOf(otherClusters);
    this.document = document;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("Workload %s: %s%n".formatted(explanation.workload(), explanation.phase()));
    if (!explanation.localQueue().isEmpty()) {
      text.append(
          "Queue: LocalQueue %s%s%s%n"
              .formatted(
                  explanation.localQueue(),
                  explanation.clusterQueue().isEmpty()
                      ? ""
                      : " -> ClusterQueue " + explanation.clusterQueue(),
                  place()));
    }
    if (document.has("forecast")) {
      text.append("Forecast: quota %s%n".formatted(ForecastWords.when(document)));
    }
    text.append("%n%s%n".formatted(explanation.because()));
    explanation.shortages().forEach(shortage -> text.append(text(shortage)));
    if (!explanation.wakeUps().isEmpty()) {
      text.append("%nIt is looked at again when%n".formatted());
      explanation.wakeUps().forEach(it -> text.append("  - %s%n".formatted(it)));
    }
    if (!otherClusters.isEmpty()) {
      text.append("%nOn other clusters%n".formatted());
      otherClusters.forEach(it -> text.append(text(it)));
    }
    if (!explanation.remedies().isEmpty()) {
      text.append("%nAny one of these would let it in (each was tried)%n".formatted());
      for (Remedy remedy : explanation.remedies()) {
        text.append("  - %s: %s%n".formatted(remedy.change(), remedy.effect()));
      }
    }
    return text.toString();
  }

  private String place() {
    return switch (explanation.ahead()) {
      case -1 -> "";
      case 0 -> ", first in the queue";
      default -> ", behind " + explanation.ahead() + " others";
    };
  }

  private static String text(OtherCluster cluster) {
    String there = cluster.there().isEmpty() ? "" : "    it says: %s%n".formatted(cluster.there());
    return "  - %s: %s%n    %s%n".formatted(cluster.name(), cluster.connection(), cluster.here())
        + there;
  }

  private static String text(Shortage shortage) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%n%s of flavor %s for PodSet %s: %s requested, %s %s%n"
            .formatted(
                shortage.resource(),
                shortage.flavor(),
                shortage.podSet(),
                shortage.requested(),
                shortage.free(),
                shortage.scarce().isEmpty()
                    ? "could be used even if nothing ran"
                    : "free (short in " + shortage.scarce() + ")"));
    for (Level level : shortage.levels()) {
      text.append(
          "  %s: nominal %s, used %s, free %s%n"
              .formatted(level.node(), level.nominal(), level.used(), level.free()));
    }
    for (Holder holder : shortage.holders()) {
      text.append(
          holder.workload() == null
              ? "  held by %d of other namespaces: %s%n"
                  .formatted(holder.workloads(), holder.amount())
              : "  held by %s in %s: %s (priority %d)%n"
                  .formatted(
                      holder.workload(),
                      holder.clusterQueue(),
                      holder.amount(),
                      holder.priority()));
    }
    return text.toString();
  }

  ObjectNode tree() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("workload", explanation.workload().toString()).put("phase", explanation.phase());
    tree.put("localQueue", explanation.localQueue());
    tree.put("clusterQueue", explanation.clusterQueue());
    if (explanation.ahead() >= 0) {
      tree.put("ahead", explanation.ahead());
    }
    tree.put("because", explanation.because());
    if (document.has("forecast")) {
      tree.set("forecast", document.path("forecast"));
    }
    ArrayNode shortages = tree.putArray("shortages");
    explanation.shortages().forEach(shortage -> add(shortage, shortages.addObject()));
    explanation.wakeUps().forEach(tree.putArray("wakesOn")::add);
    ArrayNode others = tree.putArray("otherClusters");
    for (OtherCluster cluster : otherClusters) {
      ObjectNode node = others.addObject().put("cluster", cluster.name());
      node.put("connection", cluster.connection()).put("here", cluster.here());
      if (!cluster.there().isEmpty()) {
        node.put("there", cluster.there());
      }
    }
    ArrayNode remedies = tree.putArray("remedies");
    for (Remedy remedy : explanation.remedies()) {
      remedies.addObject().put("change", remedy.change()).put("effect", remedy.effect());
    }
    return tree;
  }

  private static void add(Shortage shortage, ObjectNode tree) {
    tree.put("podSet", shortage.podSet()).put("flavor", shortage.flavor());
    tree.put("resource", shortage.resource()).put("requested", shortage.requested());
    tree.put("free", shortage.free()).put("scarce", shortage.scarce());
    ArrayNode levels = tree.putArray("levels");
    for (Level level : shortage.levels()) {
      ObjectNode node = levels.addObject().put("node", level.node());
      node.put("nominal", level.nominal()).put("used", level.used()).put("free", level.free());
    }
    ArrayNode holders = tree.putArray("holders");
    for (Holder holder : shortage.holders()) {
      ObjectNode node = holders.addObject();
      if (holder.workload() == null) {
        node.putNull("namespace").put("workloads", holder.workloads());
      } else {
        node.put("workload", holder.workload().toString());
        node.put("clusterQueue", holder.clusterQueue()).put("priority", holder.priority());
      }
      node.put("amount", holder.amount());
    }
  }
}
