package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.quota.topology.capacity.FlavorDomains;
import dev.sluice.quota.topology.capacity.TopologyView;
import dev.sluice.quota.topology.capacity.TopologyView.FlavorSummary;
import dev.sluice.see.nodes.DomainPage;
import dev.sluice.see.nodes.DomainQuestion;
import dev.sluice.server.reply.Reply;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Answers what is asked about nodes: the flavors that have some, and their domains. */
final class NodeAnswers {
  private NodeAnswers() {}

  /** The answer of an engine of its own. Costs the domains of all flavors. */
  static Reply answer(Target.Resource target, QueueFork fork, Map<String, String> query) {
    QueueState state = fork.state();
    TopologyView view = fork.fork().topology(state.asOf());
    if (target.resource().path().equals(ViewApi.INVENTORY)) {
      return state.reply(inventory(view, state));
    }
    Optional<FlavorSummary> flavor =
        target.resource().plural().equals("topologies")
            ? ofTopology(view, target.name(), query.getOrDefault("flavor", ""))
            : view.flavors().stream().filter(it -> it.flavor().equals(target.name())).findFirst();
    if (flavor.isEmpty()) {
      return target.notFound();
    }
    FlavorDomains domains = view.flavor(flavor.get().flavor());
    if (domains == null) {
      return Reply.failure(
          409,
          "Conflict",
          "the nodes of ResourceFlavor %s have no domains: %s"
              .formatted(flavor.get().flavor(), flavor.get().problem()));
    }
    try {
      return state.reply(domains(flavor.get(), domains, state, query));
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
  }

  /** The flavor of that topology with that name; the first by name if none is named. */
  private static Optional<FlavorSummary> ofTopology(
      TopologyView view, String topology, String flavor) {
    return view.flavors().stream()
        .filter(it -> Objects.equals(it.topology(), topology))
        .filter(it -> flavor.isEmpty() || it.flavor().equals(flavor))
        .findFirst();
  }

  private static ObjectNode inventory(TopologyView view, QueueState state) {
    ObjectNode document = ViewDocuments.of("Inventory", state.asOf()).put("nodes", view.nodes());
    view.topologies().forEach(document.putArray("topologies")::add);
    ArrayNode items = document.putArray("items");
    for (FlavorSummary flavor : view.flavors()) {
      ObjectNode item = items.addObject().put("flavor", flavor.flavor());
      if (flavor.topology() != null) {
        item.put("topology", flavor.topology());
      }
      flavor.levels().forEach(item.putArray("levels")::add);
      item.put("nodes", flavor.nodes());
      flavor.resources().forEach(item.putArray("resources")::add);
      if (flavor.problem() != null) {
        item.put("problem", flavor.problem());
      }
    }
    return document;
  }

  private static ObjectNode domains(
      FlavorSummary flavor, FlavorDomains domains, QueueState state, Map<String, String> query) {
    String resource = query.getOrDefault("resource", "");
    var question =
        new DomainQuestion(
            query.getOrDefault("level", ""),
            DomainQuestion.path(query.getOrDefault("under", "")),
            DomainQuestion.gang(query.getOrDefault("pods", ""), query.getOrDefault("requests", "")),
            Views.page(query));
    DomainPage page = DomainPage.of(domains, question, DomainPage.failedNodes(state.snapshot()));
    List<String> shown =
        resource.isEmpty()
            ? flavor.resources()
            : flavor.resources().stream().filter(resource::equals).toList();
    return NodeDocuments.of(flavor, question, page, shown, state.asOf());
  }
}
