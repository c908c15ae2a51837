package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import java.util.Map;

/** What one revision of a Workload or a Pod says about places. */
sealed interface Placed {
  /** Where it stands in the order in which the API server stored everything. */
  long version();

  String name();

  /**
   * A Workload with one PodSet.
   *
   * @param places how many pods it may have on which node; empty while it holds no quota
   * @param count how many pods were admitted
   * @param required the level of which all pods share a domain; may be empty
   * @param slice how many pods go to a rack at a time
   */
  record OfWorkload(
      long version,
      String name,
      Map<String, Integer> places,
      int count,
      int cpu,
      String required,
      int slice)
      implements Placed {
    public OfWorkload {
      places = Map.copyOf(places);
    }
  }

  /**
   * A Pod.
   *
   * @param host the node that its selector names; empty while it is gated
   * @param node the node that it was bound to; may be empty
   * @param live whether it has not ended
   */
  record OfPod(
      long version,
      String name,
      String workload,
      boolean gated,
      String host,
      String node,
      boolean live,
      int cpu)
      implements Placed {}

  private static long version(JsonNode object) {
    return object.at("/metadata/resourceVersion").asLong();
  }

  static OfWorkload workload(JsonNode object, boolean gone) {
    boolean holds =
        !gone
            && ApiClient.hasCondition(object, "QuotaReserved")
            && !ApiClient.hasCondition(object, "Finished");
    JsonNode podSet = object.at("/spec/podSets/0");
    JsonNode request = podSet.path("topologyRequest");
    return new OfWorkload(
        version(object),
        object.at("/metadata/name").asText(),
        holds ? Places.places(object) : Map.of(),
        object.at("/status/admission/podSetAssignments/0/count").asInt(),
        cpu(podSet.at("/template/spec")),
        request.path("required").asText(),
        request.path("podSetSliceSize").asInt(1));
  }

  static OfPod pod(JsonNode object, boolean gone) {
    String phase = object.at("/status/phase").asText();
    return new OfPod(
        version(object),
        object.at("/metadata/name").asText(),
        object.at("/metadata/annotations").path("kueue.x-k8s.io/workload").asText(),
        Places.isGated(object),
        Places.host(object),
        object.at("/spec/nodeName").asText(),
        !gone && !phase.equals("Succeeded") && !phase.equals("Failed"),
        cpu(object.path("spec")));
  }

  private static int cpu(JsonNode podSpec) {
    return podSpec.at("/containers/0/resources/requests/cpu").asInt();
  }
}
