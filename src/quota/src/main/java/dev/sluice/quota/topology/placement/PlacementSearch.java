package dev.sluice.quota.topology.placement;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.PodPlacement.Domain;
import dev.sluice.quota.topology.capacity.DomainCapacity;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.domain.Leaf;
import dev.sluice.quota.topology.node.ResourceNumbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds places for PodSets in a room, and says why there are none. Safe for several threads. */
public final class PlacementSearch {
  private final EngineConfiguration configuration;
  private final TopologyCache sites;
  private final DemandReader reader;

  public PlacementSearch(EngineConfiguration configuration, TopologyCache sites) {
    this.configuration = configuration;
    this.sites = sites;
    this.reader = new DemandReader(configuration);
  }

  /** What keeps the flavor from serving such a request ever, or null. */
  public @Nullable String problem(String flavor, PlacementRequest ask) {
    FlavorTopology site = sites.find(flavor);
    return site == null
        ? "ResourceFlavor " + flavor + " has no topology that can be used"
        : reader.problem(site, ask);
  }

  /** Whether the flavor's topology has that level. */
  public boolean hasLevel(String flavor, String level) {
    FlavorTopology site = sites.find(flavor);
    return site != null && site.levels().of(level) != Levels.NONE;
  }

  /** Whether the flavor has a topology that can be used. */
  public boolean knows(String flavor) {
    return sites.find(flavor) != null;
  }

  /** Places for the pods in that room, or null where there are none. */
  public @Nullable FoundPlacement find(TopologyUsage room, String flavor, PlacementRequest ask) {
    FlavorTopology site = sites.find(flavor);
    return site == null || reader.problem(site, ask) != null
        ? null
        : find(room, reader.read(site, ask));
  }

  private @Nullable FoundPlacement find(TopologyUsage room, Demand demand) {
    List<Placer.Part> parts = placer(room, demand).find();
    return parts == null ? null : placing(demand, parts);
  }

  private Placer placer(TopologyUsage room, Demand demand) {
    return new Placer(
        demand,
        counts(room, demand),
        configuration.on(FeatureGate.TAS_PROFILE_MIXED),
        configuration.on(FeatureGate.TAS_BALANCED_PLACEMENT));
  }

  private static DomainCapacity counts(TopologyUsage room, Demand demand) {
    DomainForest forest = demand.site().forest();
    return demand.everywhere()
        ? room.counts(forest, demand.profile())
        : room.counted(forest, demand.profile(), demand.from(), demand.to());
  }

  private static FoundPlacement placing(Demand demand, List<Placer.Part> parts) {
    DomainForest forest = demand.site().forest();
    List<Placer.Part> ordered = new ArrayList<>(parts);
    ordered.sort(Comparator.comparingInt(Placer.Part::domain));
    List<Domain> workers = new ArrayList<>();
    PodPlacement leader = null;
    long rest = demand.count();
    for (Placer.Part part : ordered) {
      List<String> values = forest.storedValues(part.domain());
      long pods = Math.min(rest, part.amount()); // the last slice may lack some
      if (pods > 0) {
        workers.add(new Domain(values, (int) pods));
        rest -= pods;
      }
      if (part.leads()) {
        leader = new PodPlacement(forest.storedLevels(), List.of(new Domain(values, 1)));
      }
    }
    return new FoundPlacement(new PodPlacement(forest.storedLevels(), workers), leader);
  }

  /** Why there is no room: what the best domain holds of what is asked, and what is in the way. */
  public String explain(TopologyUsage room, String flavor, PlacementRequest ask) {
    String problem = problem(flavor, ask);
    FlavorTopology site = sites.find(flavor);
    if (problem != null || site == null) {
      return String.valueOf(problem);
    }
    Demand demand = reader.read(site, ask);
    return "Topology "
        + site.topology()
        + ": "
        + NoRoomExplanation.of(demand, counts(room, demand));
  }

  /** Whether the pods that were placed so would still have room. */
  public boolean fits(TopologyUsage room, List<PlacedPods> claims) {
    Map<CapacityBucket, long[]> wanted = new HashMap<>();
    Map<CapacityBucket, Leaf> leaves = new HashMap<>();
    for (PlacedPods claim : claims) {
      FlavorTopology site = sites.find(claim.flavor());
      for (Domain domain : claim.placement().domains()) {
        int leaf =
            site == null
                ? DomainForest.NOWHERE
                : site.forest().leafOf(claim.placement().levels(), domain.values());
        if (site == null || leaf == DomainForest.NOWHERE) {
          return false;
        }
        Leaf own = site.forest().leaf(leaf);
        long[] one = sites.resources().vector(ResourceNumbers.perPod(claim.perPod()));
        wanted.merge(
            own.bin(),
            ResourceNumbers.plus(new long[0], one, domain.pods()),
            (a, b) -> ResourceNumbers.plus(a, b, 1));
        leaves.put(own.bin(), own);
      }
    }
    return leaves.entrySet().stream()
        .allMatch(e -> holds(e.getValue(), wanted.getOrDefault(e.getKey(), new long[0]), room));
  }

  private static boolean holds(Leaf leaf, long[] wanted, TopologyUsage room) {
    long[] taken = room.taken(leaf.bin());
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] > 0
          && wanted[i] > ResourceNumbers.at(leaf.free(), i) - ResourceNumbers.at(taken, i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The places with those on failed nodes replaced: near the ones that are left, as far as the
   * request asks for it.
   *
   * @param others where the other PodSets of its group are
   * @return null where there is no room, or another of the places is not there any more
   */
  public @Nullable PodPlacement replace(
      TopologyUsage room,
      String flavor,
      PlacementRequest ask,
      PodPlacement present,
      List<PodPlacement> others,
      Set<String> failed) {
    FlavorTopology site = sites.find(flavor);
    if (site == null || reader.problem(site, ask) != null) {
      return null;
    }
    var replacement = new PlacementCompletion(site, present, others, failed);
    return replacement.stale() ? null : completed(room, site, ask, replacement);
  }

  private @Nullable PodPlacement completed(
      TopologyUsage room, FlavorTopology site, PlacementRequest ask, PlacementCompletion lacking) {
    Demand missing = lacking.demand(reader.read(site, ask), reader.layers(ask.request()));
    List<Placer.Part> parts = placer(room, missing).find();
    return parts == null ? null : lacking.merged(parts);
  }

  /** Whether one of the places is not there any more. */
  public boolean isStale(String flavor, PodPlacement placement) {
    FlavorTopology site = sites.find(flavor);
    return site == null || new PlacementCompletion(site, placement, List.of(), Set.of()).stale();
  }

  /**
   * The places of the pods of one PodSet that were fewer or more before: those that it has, and
   * further ones for the pods that have none; or without the last ones.
   *
   * @param ask for all its pods
   * @param present the places it has, none of which {@linkplain #isStale is stale}
   * @param others where the other PodSets of its group are
   * @return null where there is no room for those it lacks
   */
  public @Nullable PodPlacement resize(
      TopologyUsage room,
      String flavor,
      PlacementRequest ask,
      PodPlacement present,
      List<PodPlacement> others) {
    FlavorTopology site = sites.find(flavor);
    long more = ask.workerCount() - present.pods();
    if (more <= 0) {
      return present.first(ask.workerCount());
    }
    return site == null || reader.problem(site, ask) != null
        ? null
        : completed(room, site, ask, PlacementCompletion.grown(site, present, others, more));
  }
}
