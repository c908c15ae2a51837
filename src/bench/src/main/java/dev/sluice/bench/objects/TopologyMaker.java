package dev.sluice.bench.objects;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.List;
import java.util.random.RandomGenerator;

/** Topologies of two to four levels, the last one the host. */
final class TopologyMaker implements ObjectMaker {
  private static final List<String> LEVELS = List.of("zone", "block", "rack");

  @Override
  public String kind() {
    return "Topology";
  }

  @Override
  public List<ApiVersion> versions() {
    return List.of(ApiVersion.V1BETA1, ApiVersion.V1ALPHA1);
  }

  @Override
  public ObjectNode make(ApiVersion version, RandomGenerator random) {
    ObjectNode topology = Skeleton.object(kind(), version);
    Skeleton.giveMetadata(topology, "datacenter-" + Skeleton.suffix(random), random);
    ArrayNode levels = topology.putObject("spec").putArray("levels");
    for (String level : LEVELS.subList(random.nextInt(LEVELS.size()), LEVELS.size())) {
      levels.addObject().put("nodeLabel", "cloud.example.com/topology-" + level);
    }
    levels.addObject().put("nodeLabel", "kubernetes.io/hostname");
    return topology;
  }
}
