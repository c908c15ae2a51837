package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import java.util.List;
import java.util.Optional;

/** The cluster as the planner sees it. Answers come from memory and may lag. */
public interface ProvisioningWorld {
  /** The activity of an AdmissionCheck; empty if it is unknown or another controller's. */
  Optional<CheckActivity> check(String name);

  /** The ResourceFlavor of that name. */
  Optional<JsonNode> flavor(String name);

  /** The ProvisioningRequest of that name, with any owner. */
  Optional<JsonNode> request(ObjectKey name);

  /** The ProvisioningRequests that a Workload of that name controls, whatever its uid. */
  List<JsonNode> requestsOf(ObjectKey workload);

  /** The metadata of the PodTemplate of that name, with any owner. */
  Optional<JsonNode> template(ObjectKey name);

  /** The metadata of the PodTemplates that a Workload of that name controls. */
  List<JsonNode> templatesOfWorkload(ObjectKey workload);

  /**
   * Whether all requests that were there when the object was last written are known or have been
   * deleted. The watches of two kinds have no common order.
   */
  boolean knowsRequestsBefore(JsonNode object);

  /** Whether the object is deleted, or is being deleted. */
  boolean isLeaving(JsonNode object);
}
