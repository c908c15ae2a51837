package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.queue.ResourceGroup;
import dev.sluice.api.queue.ResourceQuota;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The quota of a ClusterQueue as JSON, in the form of its spec. */
final class QuotaDocuments {
  private QuotaDocuments() {}

  static ObjectNode of(ClusterQueue queue, Instant asOf) {
    ObjectNode document = ViewDocuments.of("QueueQuotas", asOf);
    ArrayNode groups = document.putArray("resourceGroups");
    for (ResourceGroup group : queue.spec().resourceGroups()) {
      ObjectNode node = groups.addObject();
      ArrayNode covered = node.putArray("coveredResources");
      group.coveredResources().forEach(covered::add);
      ArrayNode flavors = node.putArray("flavors");
      group.flavors().forEach(flavor -> add(flavor, flavors.addObject()));
    }
    return document;
  }

  private static void add(FlavorQuotas flavor, ObjectNode node) {
    ArrayNode resources = node.put("name", flavor.name()).putArray("resources");
    for (ResourceQuota quota : flavor.resources()) {
      ObjectNode resource = resources.addObject().put("name", quota.name());
      put(resource, "nominalQuota", quota.nominalQuota());
      put(resource, "borrowingLimit", quota.borrowingLimit());
      put(resource, "lendingLimit", quota.lendingLimit());
    }
  }

  private static void put(ObjectNode node, String field, @Nullable Quantity amount) {
    if (amount != null) {
      node.put(field, amount.toString());
    }
  }
}
