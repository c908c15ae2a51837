package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.capacity.DomainRoom;
import dev.sluice.quota.topology.capacity.Gang;
import dev.sluice.quota.topology.capacity.TopologyView.FlavorSummary;
import dev.sluice.see.nodes.DomainPage;
import dev.sluice.see.nodes.DomainQuestion;
import java.time.Instant;
import java.util.List;

/** Domains as JSON. */
final class NodeDocuments {
  private NodeDocuments() {}

  /** A page with the amounts of those resources only. */
  static ObjectNode of(
      FlavorSummary flavor,
      DomainQuestion question,
      DomainPage page,
      List<String> resources,
      Instant asOf) {
    ObjectNode document = ViewDocuments.of("TopologyDomains", asOf);
    document.put("flavor", flavor.flavor());
    if (flavor.topology() != null) {
      document.put("topology", flavor.topology());
    }
    page.levels().forEach(document.putArray("levels")::add);
    document.put("level", page.levels().get(page.level()));
    document.put("under", String.join("/", question.under()));
    flavor.resources().forEach(document.putArray("resources")::add);
    boolean asksForGangs = question.gang().isPresent();
    question.gang().ifPresent(it -> add(it, document.putObject("gang")));
    document.put("total", page.total()).put("offset", page.offset());
    add(page.sum(), resources, asksForGangs, document.putObject("sum"));
    ArrayNode items = document.putArray("items");
    int above = question.under().size();
    for (DomainRoom domain : page.domains()) {
      List<String> path = domain.path();
      ObjectNode item =
          items.addObject().put("name", String.join("/", path.subList(above, path.size())));
      add(domain, resources, asksForGangs, item);
    }
    return document;
  }

  private static void add(Gang gang, ObjectNode node) {
    node.put("pods", gang.pods());
    ObjectNode requests = node.putObject("requests");
    Requests each = gang.each();
    for (int i = 0; i < each.size(); i++) {
      requests.put(each.resource(i), text(each.amount(i), each.resource(i)));
    }
  }

  private static void add(
      DomainRoom room, List<String> resources, boolean asksForGangs, ObjectNode node) {
    node.put("nodes", room.nodes());
    addSome(node, "failed", room.failed());
    addSome(node, "notReady", room.notReady());
    addSome(node, "cordoned", room.cordoned());
    addSome(node, "tainted", room.tainted());
    if (asksForGangs) {
      node.put("gangs", room.gangs());
    }
    ArrayNode amounts = node.putArray("amounts");
    for (String resource : resources) {
      amounts
          .addObject()
          .put("resource", resource)
          .put("capacity", text(room.capacity(resource), resource))
          .put("used", text(room.used(resource), resource))
          .put("free", text(room.free(resource), resource));
    }
  }

  /** Most domains have no such nodes, so that they are left out there. */
  private static void addSome(ObjectNode node, String name, int nodes) {
    if (nodes > 0) {
      node.put(name, nodes);
    }
  }

  private static String text(long amount, String resource) {
    return new Amount(amount).text(resource);
  }
}
