package dev.sluice.cli.testcluster;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import java.util.Map;

/** Nodes that are simulated where all parts of a control plane run. */
public final class Nodes {
  private static final JsonMapper JSON = new JsonMapper();

  private Nodes() {}

  /** Creates a node that can hold 250 pods with this much cpu; it has its hostname as a label. */
  public static ApiClient.Response create(
      ApiClient api, String name, int cpu, Map<String, String> labels) {
    ObjectNode all = JSON.createObjectNode().put("kubernetes.io/hostname", name);
    labels.forEach(all::put);
    return api.create(
        "/api/v1/nodes",
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":%2$s},"status":{
        "capacity":{"cpu":"%3$d","memory":"256Gi","pods":"250"},
        "allocatable":{"cpu":"%3$d","memory":"256Gi","pods":"250"}}}\
        """
            .formatted(name, all, cpu));
  }
}
