package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.names.Names;
import dev.sluice.see.whatif.WhatIfOutcome;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.see.whatif.WhatIfResult.Delay;
import dev.sluice.see.whatif.WhatIfResult.UsageChange;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The results of simulations as JSON. */
final class SimulationDocuments {
  /** In place of a time, where the name is not shown. */
  private static final String LATER = "Later";

  private SimulationDocuments() {}

  /**
   * A result.
   *
   * @param names whose names the reader may see
   * @param shown the ClusterQueues whose use is shown
   */
  static ObjectNode of(WhatIfResult result, Names names, Predicate<String> shown, Instant asOf) {
    ObjectNode document = ViewDocuments.of("Simulation", asOf);
    document.remove("asOf");
    ObjectNode status = document.putObject("status").put("asOf", asOf.toString());
    ArrayNode outcomes = status.putArray("outcomes");
    result.outcomes().forEach(it -> add(it, names, outcomes.addObject()));
    addDelayed(result.delayed(), names, status.putArray("delayed"));
    ArrayNode usage = status.putArray("usage");
    result.usage().stream()
        .filter(it -> shown.test(it.clusterQueue()))
        .forEach(it -> add(it, usage.addObject()));
    if (result.until() != null) {
      status.put("until", result.until().toString());
    }
    return document.set("status", status.put("truncated", result.truncated()));
  }

  private static void add(WhatIfOutcome outcome, Names names, ObjectNode node) {
    ObjectNode object = node.putObject("object").put("kind", outcome.kind());
    ViewDocuments.addName(outcome.object(), object);
    if (outcome.workload() != null) {
      ViewDocuments.addName(outcome.workload(), node.putObject("workload"));
    }
    node.put("answer", outcome.answer().text());
    if (!outcome.message().isEmpty()) {
      node.put("message", outcome.message());
    }
    if (!outcome.podSets().isEmpty()) {
      ArrayNode podSets = node.putArray("podSets");
      outcome.podSets().forEach(it -> add(it, podSets.addObject()));
    }
    if (outcome.starts() != null) {
      node.put("starts", outcome.starts().toString());
    }
    addNames(outcome.preempts(), names, node.putArray("preempts"));
    Explanation why = outcome.explanation();
    if (why != null) {
      if (why.ahead() >= 0) {
        node.put("ahead", why.ahead());
      }
      ViewDocuments.addShortages(why.shortages(), node.putArray("shortages"));
      ViewDocuments.addRemedies(why.remedies(), node.putArray("remedies"));
    }
  }

  private static void add(AssignedPodSet podSet, ObjectNode node) {
    node.put("name", podSet.name()).put("count", podSet.count());
    ObjectNode flavors = node.putObject("flavors");
    podSet.flavors().forEach((resource, flavor) -> flavors.put(resource, flavor.flavor()));
    if (podSet.placement() != null) {
      ArrayNode places = node.putArray("places");
      for (var domain : podSet.placement().domains()) {
        ArrayNode values = places.addObject().put("pods", domain.pods()).putArray("values");
        domain.values().forEach(values::add);
      }
    }
  }

  private static void addNames(Collection<ObjectKey> workloads, Names names, ArrayNode list) {
    int hidden = 0;
    for (ObjectKey workload : workloads) {
      if (names.shows(workload)) {
        ViewDocuments.addName(workload, list.addObject());
      } else {
        hidden++;
      }
    }
    if (hidden > 0) {
      ViewDocuments.addHidden(hidden, list.addObject());
    }
  }

  /** Those that are shown, each with its times; the others by what becomes of them. */
  private static void addDelayed(List<Delay> delayed, Names names, ArrayNode list) {
    Map<String, Integer> hidden = new TreeMap<>();
    for (Delay delay : delayed) {
      String was = delay.was() == null ? ConditionTypes.ADMITTED : delay.was().toString();
      if (names.shows(delay.workload())) {
        ObjectNode node = list.addObject();
        ViewDocuments.addName(delay.workload(), node);
        node.put("was", was).put("now", now(delay, String.valueOf(delay.starts())));
      } else {
        hidden.merge(
            (delay.was() == null ? was : LATER) + " " + now(delay, LATER), 1, Integer::sum);
      }
    }
    hidden.forEach(
        (what, count) -> {
          ObjectNode node = list.addObject();
          ViewDocuments.addHidden(count, node);
          String[] parts = what.split(" ", 2);
          node.put("was", parts[0]).put("now", parts[1]);
        });
  }

  private static String now(Delay delay, String later) {
    return delay.returns() ? "Restarted" : delay.starts() == null ? "Waits" : later;
  }

  private static void add(UsageChange change, ObjectNode node) {
    String resource = change.pair().resource();
    node.put("clusterQueue", change.clusterQueue()).put("flavor", change.pair().flavor());
    node.put("resource", resource).put("before", change.before().text(resource));
    node.put("after", change.after().text(resource));
  }
}
