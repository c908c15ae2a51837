package dev.sluice.quota.topology.placement;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.pod.NodeAffinity;
import dev.sluice.api.pod.NodeSelector;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.pod.PreferredSchedulingTerm;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.PodSetSliceTopologyConstraint;
import dev.sluice.api.workload.PodSetUpdate;
import dev.sluice.api.workload.TopologyRequest;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.TopologyRequests;
import dev.sluice.quota.topology.capacity.Profile;
import dev.sluice.quota.topology.capacity.Slices;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.NodeFilter;
import dev.sluice.quota.topology.node.ResourceNumbers;
import dev.sluice.quota.topology.placement.Demand.Manner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads requests into demands on the domains of a flavor. Immutable. */
final class DemandReader {
  private final EngineConfiguration configuration;

  DemandReader(EngineConfiguration configuration) {
    this.configuration = configuration;
  }

  /** What keeps the request from being served by that flavor at all, or null. */
  @Nullable String problem(FlavorTopology site, PlacementRequest ask) {
    String problem = ask.problem();
    if (problem != null) {
      return problem;
    }
    PodSpec pod = ask.workload().podSpec(ask.workers());
    String unclear = site.levels().endAtHosts() ? NodeFilter.problem(required(pod)) : null;
    if (unclear != null) {
      return unclear;
    }
    TopologyRequest request = ask.request();
    if (request == null) {
      return null;
    }
    String level = TopologyRequests.level(request);
    if (level != null && site.levels().of(level) == Levels.NONE) {
      return noLevel(site, level);
    }
    return layerProblem(site, request);
  }

  private static String noLevel(FlavorTopology site, String level) {
    return "Topology " + site.topology() + " has no level " + level;
  }

  private @Nullable String layerProblem(FlavorTopology site, TopologyRequest request) {
    int above = level(site, request) - 1;
    long outer = 0;
    for (PodSetSliceTopologyConstraint layer : layers(request)) {
      int level = site.levels().of(layer.topology());
      if (level == Levels.NONE) {
        return noLevel(site, layer.topology());
      }
      if (level <= above) {
        return "slices at level "
            + layer.topology()
            + ", which is not below "
            + (outer == 0 ? "the level of the PodSet" : "that of the slices around them");
      }
      if (layer.size() <= 0) {
        return "slices of " + layer.size() + " pods (expected: 1 or more)";
      }
      if (outer % layer.size() != 0) {
        return "slices of %d pods in slices of %d".formatted(layer.size(), outer);
      }
      above = level;
      outer = layer.size();
    }
    return null;
  }

  /** The layers of slices that count, outermost first. */
  List<PodSetSliceTopologyConstraint> layers(@Nullable TopologyRequest request) {
    if (request == null) {
      return List.of();
    }
    List<PodSetSliceTopologyConstraint> layers = TopologyRequests.layers(request);
    return configuration.on(FeatureGate.TAS_MULTI_LAYER_TOPOLOGY) || layers.size() < 2
        ? layers
        : layers.subList(0, 1);
  }

  private static int level(FlavorTopology site, TopologyRequest request) {
    String level = TopologyRequests.level(request);
    if (level != null) {
      return site.levels().of(level);
    }
    return TopologyRequests.layers(request).isEmpty() ? site.levels().lowest() : 0;
  }

  /** The demand; there must be no {@link #problem}. */
  Demand read(FlavorTopology site, PlacementRequest ask) {
    TopologyRequest request = ask.request();
    List<PodSetSliceTopologyConstraint> layers = layers(request);
    int level = request == null ? site.levels().lowest() : level(site, request);
    Integer leader = ask.leader();
    Requests led =
        leader == null ? null : ResourceNumbers.perPod(ask.workload().podRequests(leader));
    var profile =
        new Profile(
            ResourceNumbers.perPod(ask.workload().podRequests(ask.workers())),
            led,
            filter(site, ask),
            slices(site.levels(), layers));
    int leaves = site.forest().leaves().size();
    return new Demand(site, profile, ask.workerCount(), level, manner(request), 0, leaves);
  }

  private static Manner manner(@Nullable TopologyRequest request) {
    if (request == null || TopologyRequests.level(request) == null) {
      return Manner.UNCONSTRAINED;
    }
    return TopologyRequests.given(request.required()) == null ? Manner.PREFERRED : Manner.REQUIRED;
  }

  static Slices slices(Levels levels, List<PodSetSliceTopologyConstraint> layers) {
    if (layers.isEmpty()) {
      return new Slices(levels.lowest(), 1, units(levels, levels.lowest(), List.of()));
    }
    PodSetSliceTopologyConstraint outer = layers.getFirst();
    return new Slices(
        levels.of(outer.topology()),
        outer.size(),
        units(levels, levels.of(outer.topology()), layers.subList(1, layers.size())));
  }

  /** How many pods fill a domain of each level at a time; one, down to that of the slices. */
  private static List<Long> units(
      Levels levels, int outermost, List<PodSetSliceTopologyConstraint> inner) {
    List<Long> units = new ArrayList<>();
    for (int level = 0; level < levels.count(); level++) {
      long unit = 1;
      for (int i = inner.size() - 1; i >= 0 && level > outermost; i--) {
        unit = levels.of(inner.get(i).topology()) >= level ? inner.get(i).size() : unit;
      }
      units.add(unit);
    }
    return units;
  }

  private NodeFilter filter(FlavorTopology site, PlacementRequest ask) {
    if (!site.levels().endAtHosts()) {
      return NodeFilter.ANY_NODE;
    }
    PodSpec pod = ask.workload().podSpec(ask.workers());
    Map<String, String> selector = new HashMap<>(pod.nodeSelector());
    List<Toleration> tolerations = new ArrayList<>(pod.tolerations());
    tolerations.addAll(site.flavor().spec().tolerations());
    for (AdmissionCheckState check : ask.workload().workload().status().admissionChecks()) {
      for (PodSetUpdate update : check.podSetUpdates()) {
        if (check.state() == CheckState.READY && update.name().equals(ask.podSet().name())) {
          selector.putAll(update.nodeSelector());
          tolerations.addAll(update.tolerations());
        }
      }
    }
    NodeAffinity affinity = affinity(pod);
    List<PreferredSchedulingTerm> preferred =
        affinity == null || !configuration.on(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED)
            ? List.of()
            : affinity.preferredDuringSchedulingIgnoredDuringExecution();
    return new NodeFilter(selector, required(pod), tolerations, preferred);
  }

  private static @Nullable NodeAffinity affinity(PodSpec pod) {
    return pod.affinity() == null ? null : pod.affinity().nodeAffinity();
  }

  private static @Nullable NodeSelector required(PodSpec pod) {
    NodeAffinity affinity = affinity(pod);
    return affinity == null ? null : affinity.requiredDuringSchedulingIgnoredDuringExecution();
  }
}
