package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Amount;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.holders.QueueHolder;
import dev.sluice.see.holders.QueueHolders;
import dev.sluice.see.line.LinePlace;
import dev.sluice.see.line.QueueLine;
import dev.sluice.see.names.Names;
import dev.sluice.see.standing.NodeStanding;
import dev.sluice.see.standing.PairStanding;
import dev.sluice.see.timeline.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** The answers of our API as JSON. */
final class ViewDocuments {
  private ViewDocuments() {}

  /** An empty answer of that kind. */
  static ObjectNode of(String kind, Instant asOf) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("kind", kind).put("apiVersion", ViewApi.API.name() + "/" + ViewApi.VERSION);
    document.putObject("metadata");
    return document.put("asOf", asOf.toString());
  }

  /** An explanation that has only names that the reader may see. */
  static ObjectNode of(Explanation explanation, Instant asOf) {
    ObjectNode document = of("Explanation", asOf);
    addName(explanation.workload(), document.putObject("workload"));
    addTo(document, explanation);
    return document;
  }

  /** Adds what an explanation says beside the name of the workload. */
  private static void addTo(ObjectNode document, Explanation explanation) {
    document.put("phase", explanation.phase()).put("localQueue", explanation.localQueue());
    document.put("clusterQueue", explanation.clusterQueue());
    if (explanation.ahead() >= 0) {
      document.put("ahead", explanation.ahead());
    }
    document.put("because", explanation.because());
    addShortages(explanation.shortages(), document.putArray("shortages"));
    explanation.wakeUps().forEach(document.putArray("wakesOn")::add);
    addRemedies(explanation.remedies(), document.putArray("remedies"));
  }

  static void addRemedies(List<Explanation.Remedy> remedies, ArrayNode list) {
    remedies.forEach(it -> list.addObject().put("change", it.change()).put("effect", it.effect()));
  }

  static void addShortages(List<Explanation.Shortage> shortages, ArrayNode list) {
    for (Explanation.Shortage shortage : shortages) {
      ObjectNode node = list.addObject().put("podSet", shortage.podSet());
      node.put("flavor", shortage.flavor()).put("resource", shortage.resource());
      node.put("requested", shortage.requested()).put("free", shortage.free());
      ArrayNode levels = node.put("scarce", shortage.scarce()).putArray("levels");
      shortage
          .levels()
          .forEach(
              it ->
                  levels
                      .addObject()
                      .put("node", it.node())
                      .put("nominal", it.nominal())
                      .put("used", it.used())
                      .put("free", it.free()));
      ArrayNode holders = node.putArray("holders");
      shortage.holders().forEach(it -> add(it, holders.addObject()));
    }
  }

  private static void add(Explanation.Holder holder, ObjectNode node) {
    if (holder.workload() == null) {
      addHidden(holder.workloads(), node);
    } else {
      addName(holder.workload(), node);
      node.put("clusterQueue", holder.clusterQueue()).put("priority", holder.priority());
    }
    node.put("amount", holder.amount());
  }

  static void addName(ObjectKey workload, ObjectNode node) {
    node.put("namespace", workload.namespace()).put("name", workload.name());
  }

  static void addHidden(int workloads, ObjectNode node) {
    node.putNull("namespace").put("workloads", workloads);
  }

  /** A part of a line, in which those in a row who are not shown are one entry. */
  static ObjectNode of(QueueLine line, Names names, Past past, Instant asOf) {
    ObjectNode document = of("QueueLine", asOf);
    document.put("total", line.total()).put("offset", line.offset());
    ArrayNode items = document.putArray("items");
    ObjectNode hidden = null;
    for (LinePlace place : line.places()) {
      if (names.shows(place.workload())) {
        hidden = null;
        ObjectNode item = items.addObject();
        add(place, item);
        past.forecast(place.workload()).ifPresent(it -> ForecastDocuments.add(it, item));
      } else if (hidden == null) {
        hidden = items.addObject();
        addHidden(1, hidden);
        hidden.put("ahead", place.ahead());
      } else {
        hidden.put("workloads", hidden.path("workloads").asInt() + 1);
      }
    }
    return document;
  }

  private static void add(LinePlace place, ObjectNode node) {
    addName(place.workload(), node);
    node.put("localQueue", place.localQueue()).put("priority", place.priority());
    node.put("reason", place.reason()).put("since", place.since().toString());
    node.put("ahead", place.ahead()).put("aheadInLocalQueue", place.aheadInLocalQueue());
  }

  /** Some of those who have quota; those in a row who are not shown are one entry. */
  static ObjectNode of(QueueHolders holders, Names names, Instant asOf) {
    ObjectNode document = of("QueueHolders", asOf);
    document.put("total", holders.total()).put("offset", holders.offset());
    ArrayNode items = document.putArray("items");
    ObjectNode hidden = null;
    for (QueueHolder holder : holders.holders()) {
      if (names.shows(holder.workload())) {
        hidden = null;
        add(holder, items.addObject());
      } else if (hidden == null) {
        hidden = items.addObject();
        addHidden(1, hidden);
      } else {
        hidden.put("workloads", hidden.path("workloads").asInt() + 1);
      }
    }
    return document;
  }

  private static void add(QueueHolder holder, ObjectNode node) {
    addName(holder.workload(), node);
    node.put("localQueue", holder.localQueue()).put("priority", holder.priority());
    node.put("phase", holder.phase().text()).put("since", holder.since().toString());
    ArrayNode amounts = node.putArray("amounts");
    new TreeMap<>(holder.amounts())
        .forEach(
            (pair, amount) ->
                amounts
                    .addObject()
                    .put("flavor", pair.flavor())
                    .put("resource", pair.resource())
                    .put("amount", text(amount, pair.resource())));
  }

  static ObjectNode of(Timeline timeline, Instant asOf) {
    ObjectNode document = of("Timeline", asOf);
    addName(timeline.workload(), document.putObject("workload"));
    ArrayNode items = document.putArray("items");
    for (Timeline.Entry entry : timeline.entries()) {
      ObjectNode item = items.addObject().put("at", entry.at().toString());
      item.put("type", entry.type()).put("value", entry.value());
      item.put("reason", entry.reason()).put("message", entry.message());
    }
    return document;
  }

  static ObjectNode of(List<NodeStanding> roots, Instant asOf) {
    ObjectNode document = of("Standing", asOf);
    ArrayNode items = document.putArray("items");
    roots.forEach(root -> add(root, items.addObject()));
    return document;
  }

  private static void add(NodeStanding standing, ObjectNode node) {
    node.put("kind", standing.name().isClusterQueue() ? "ClusterQueue" : "Cohort");
    node.put("name", standing.name().name()).put("weightedShare", standing.weightedShare());
    node.put("waiting", standing.waiting()).put("holding", standing.holding());
    if (!standing.inactive().isEmpty()) {
      node.put("inactive", standing.inactive());
    }
    ArrayNode quotas = node.putArray("quotas");
    standing.pairs().forEach(pair -> add(pair, quotas.addObject()));
    if (!standing.name().isClusterQueue()) {
      ArrayNode children = node.putArray("children");
      standing.children().forEach(child -> add(child, children.addObject()));
    }
  }

  private static void add(PairStanding standing, ObjectNode node) {
    String resource = standing.pair().resource();
    node.put("flavor", standing.pair().flavor()).put("resource", resource);
    node.put("nominal", text(standing.nominal(), resource));
    node.put("quota", text(standing.quota(), resource));
    node.put("used", text(standing.used(), resource));
    node.put("borrowed", text(standing.borrowed(), resource));
    node.put("lent", text(standing.lent(), resource));
    node.put("available", text(standing.available(), resource));
  }

  private static String text(Amount amount, String resource) {
    return amount.text(resource);
  }
}
