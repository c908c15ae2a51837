package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Amount;
import dev.sluice.see.phase.WorkloadPhase;
import java.util.Map;

/** What happened, for programs. */
final class TreeReport {
  private TreeReport() {}

  static ObjectNode of(Timeline timeline) {
    ObjectNode report = JsonNodeFactory.instance.objectNode();
    report.put("start", timeline.start().toString());
    report.put("cycles", timeline.cycles());
    addMoments(report.putArray("moments"), timeline);
    addWorkloads(report.putArray("workloads"), timeline);
    addQueues(report.putArray("clusterQueues"), timeline);
    return report;
  }

  private static void addMoments(ArrayNode moments, Timeline timeline) {
    for (Moment moment : timeline.moments()) {
      if (moment.events().isEmpty()) {
        continue; // the state at the beginning
      }
      ObjectNode node = moments.addObject().put("time", moment.time().toString());
      if (moment.cycle() > 0) {
        node.put("cycle", moment.cycle());
      }
      ArrayNode items = node.putArray("happenings");
      for (SimulationEvent event : moment.events()) {
        ObjectNode item = items.addObject().put("what", event.what().text());
        item.put("workload", event.workload().toString());
        putIfPresent(item, "clusterQueue", event.queue());
        putIfPresent(item, "reason", event.reason());
        putIfPresent(item, "detail", event.detail());
      }
    }
  }

  private static void addWorkloads(ArrayNode workloads, Timeline timeline) {
    for (Map.Entry<ObjectKey, Workload> entry : timeline.end().workloads().entrySet()) {
      WorkloadPhase phase = timeline.end().phase(entry.getKey());
      ObjectNode node = workloads.addObject().put("namespace", entry.getKey().namespace());
      node.put("name", entry.getKey().name()).put("state", phase.text());
      var condition = Flavors.reserved(entry.getValue());
      Admission admission = entry.getValue().status().admission();
      if (admission != null) {
        node.set("admission", HubObjects.write(admission));
      } else if (timeline.obstacles().containsKey(entry.getKey())) {
        node.put("message", timeline.obstacles().get(entry.getKey()));
      } else if (condition != null) {
        putIfPresent(node, "reason", condition.reason());
        putIfPresent(node, "message", condition.message());
      }
    }
  }

  private static void addQueues(ArrayNode queues, Timeline timeline) {
    timeline
        .nominal()
        .forEach(
            (queue, quota) -> {
              ArrayNode usage = queues.addObject().put("name", queue).putArray("usage");
              quota.forEach(
                  (pair, nominal) -> {
                    ObjectNode node = usage.addObject().put("flavor", pair.flavor());
                    node.put("resource", pair.resource());
                    long used = timeline.usedAtTheEnd(queue, pair);
                    node.put("used", new Amount(used).text(pair.resource()));
                    node.put("quota", new Amount(nominal).text(pair.resource()));
                  });
            });
  }

  private static void putIfPresent(ObjectNode node, String field, String value) {
    if (!value.isEmpty()) {
      node.put(field, value);
    }
  }
}
