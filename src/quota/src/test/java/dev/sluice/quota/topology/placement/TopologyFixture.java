package dev.sluice.quota.topology.placement;

import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.workload.PodSetSliceTopologyConstraint;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.capacity.Profile;
import dev.sluice.quota.topology.capacity.Slices;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.NodeFilter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Sites without an engine: flavor {@code f} of topology {@code t}. */
final class TopologyFixture {
  private TopologyFixture() {}

  /** Nodes of so many cores, in random racks. */
  static void fill(TopologyCache sites, Map<String, Integer> cores, Random random) {
    sites.put(
        "t",
        TestCluster.read(
            Topology.class,
            "{'metadata':{'name':'t'},'spec':{'levels':[{'nodeLabel':'block'},"
                + "{'nodeLabel':'rack'},{'nodeLabel':'kubernetes.io/hostname'}]}}"));
    sites.put(
        "f",
        TestCluster.read(
            ResourceFlavor.class, "{'metadata':{'name':'f'},'spec':{'topologyName':'t'}}"));
    cores.forEach(
        (name, cpu) ->
            sites.putNode(
                name,
                TestCluster.read(
                    Node.class,
                    """
                    {'metadata':{'name':'%s','labels':{'block':'b%d','rack':'r%d',
                    'kubernetes.io/hostname':'%s'}},'status':{'allocatable':{'cpu':'%d',
                    'pods':'9'},'conditions':[{'type':'Ready','status':'True'}]}}\
                    """
                        .formatted(name, random.nextInt(2), random.nextInt(3), name, cpu))));
    sites.settle();
  }

  static FlavorTopology site(TopologyCache sites) {
    return Objects.requireNonNull(sites.find("f"));
  }

  /** One of each sort: single pods, with a leader, in slices, in slices of slices, both. */
  static List<Profile> profiles(Levels levels) {
    Requests one = Requests.of(Map.of("cpu", 1000L, "pods", 1L));
    Requests two = Requests.of(Map.of("cpu", 2000L, "pods", 1L));
    Slices single = DemandReader.slices(levels, List.of());
    Slices racks =
        DemandReader.slices(levels, List.of(new PodSetSliceTopologyConstraint("rack", 4)));
    Slices layers =
        DemandReader.slices(
            levels,
            List.of(
                new PodSetSliceTopologyConstraint("rack", 4),
                new PodSetSliceTopologyConstraint("kubernetes.io/hostname", 2)));
    return List.of(
        new Profile(one, null, NodeFilter.ANY_NODE, single),
        new Profile(one, two, NodeFilter.ANY_NODE, single),
        new Profile(one, null, NodeFilter.ANY_NODE, racks),
        new Profile(two, null, NodeFilter.ANY_NODE, layers),
        new Profile(one, two, NodeFilter.ANY_NODE, layers));
  }
}
