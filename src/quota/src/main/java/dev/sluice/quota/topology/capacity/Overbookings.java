package dev.sluice.quota.topology.capacity;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.persistent.ForkableMap;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.domain.Leaf;
import dev.sluice.quota.topology.node.ResourceNumbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Domains that a workload was placed in although they did not have enough. That nodes shrink or
 * fail, or that others' pods grow under the pods that are there, is no overbooking. For one thread.
 */
final class Overbookings {
  private static final int MOST = 1_000;

  private final Collection<FlavorTopology> sites;
  private final TopologyUsage room;
  private final ForkableMap<ObjectKey, HeldPlaces.Holding> holdings;
  private final Map<CapacityBucket, ObjectKey> suspects = new LinkedHashMap<>();

  /** Keeps live views of its arguments. */
  Overbookings(
      Collection<FlavorTopology> sites,
      TopologyUsage room,
      ForkableMap<ObjectKey, HeldPlaces.Holding> holdings) {
    this.sites = sites;
    this.room = room;
    this.holdings = holdings;
  }

  /** The same overbookings of those sites, usage and holdings, which are forks of these ones. */
  Overbookings fork(
      Collection<FlavorTopology> otherSites,
      TopologyUsage otherRoom,
      ForkableMap<ObjectKey, HeldPlaces.Holding> otherHoldings) {
    var fork = new Overbookings(otherSites, otherRoom, otherHoldings);
    fork.suspects.putAll(suspects);
    return fork;
  }

  /** Records the places of the workload; {@code before} are those it already had. */
  void look(ObjectKey workload, List<Taking> takings, List<Taking> before) {
    Set<CapacityBucket> had = new HashSet<>();
    before.forEach(taking -> had.add(taking.bin()));
    for (Taking taking : takings) {
      boolean is = !had.contains(taking.bin()) && isOverbooked(taking.bin());
      if (is && suspects.size() < MOST) {
        suspects.put(taking.bin(), workload);
      }
    }
  }

  /** One sentence for each domain that is still overbooked. */
  List<String> sentences() {
    if (suspects.isEmpty()) {
      return List.of();
    }
    suspects.keySet().removeIf(bin -> !isOverbooked(bin));
    List<String> sentences = new ArrayList<>();
    suspects.forEach(
        (bin, workload) ->
            sentences.add(
                "Domain %s is booked beyond what its nodes have, last by Workload %s"
                    .formatted(String.join("/", bin.name().values()), workload)));
    return sentences;
  }

  private boolean isOverbooked(CapacityBucket bin) {
    for (FlavorTopology site : sites) {
      int number = site.forest().leafOf(bin);
      if (number != DomainForest.NOWHERE) {
        Leaf leaf = site.forest().leaf(number);
        return leaf.usable()
            && exceeds(room.taken(bin), leaf.free())
            && exceeds(withoutThoseThatGiveWay(bin), leaf.free());
      }
    }
    return false;
  }

  private static boolean exceeds(long[] taken, long[] free) {
    for (int i = 0; i < taken.length; i++) {
      if (taken[i] > 0 && taken[i] > ResourceNumbers.at(free, i)) {
        return true;
      }
    }
    return false;
  }

  /**
   * An evicted workload keeps its places until its pods have ended, while others may already be
   * assigned to them.
   */
  private long[] withoutThoseThatGiveWay(CapacityBucket bin) {
    List<Taking> giveWay = new ArrayList<>();
    holdings.forEach((_, holding) -> addGivenUp(holding, bin, giveWay));
    long[] taken = room.taken(bin);
    for (Taking taking : giveWay) {
      taken = ResourceNumbers.plus(taken, taking.amounts(), -1);
    }
    return taken;
  }

  private static void addGivenUp(
      HeldPlaces.Holding holding, CapacityBucket bin, List<Taking> takings) {
    if (holding.givesWay()) {
      holding.takings().stream().filter(t -> t.bin() == bin).forEach(takings::add);
    }
  }
}
