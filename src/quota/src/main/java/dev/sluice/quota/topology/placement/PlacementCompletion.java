package dev.sluice.quota.topology.placement;

import dev.sluice.api.workload.PodSetSliceTopologyConstraint;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.PodPlacement.Domain;
import dev.sluice.quota.topology.capacity.Profile;
import dev.sluice.quota.topology.capacity.Slices;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.placement.Demand.Manner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Pods that lack a place beside others that have theirs, since their nodes failed or their job
 * grew, and the domains in which they may be placed.
 */
// A slice that lacks pods is completed where the rest of it is; pods that must be together go where
// the others are; anything else may go anywhere.
final class PlacementCompletion {
  private final DomainForest forest;
  private final Map<Integer, Long> kept = new TreeMap<>();
  private final List<Integer> companions = new ArrayList<>();
  private long missing;
  private boolean stale;

  /** For so many more pods than there are places. */
  static PlacementCompletion grown(
      FlavorTopology site, PodPlacement present, List<PodPlacement> others, long more) {
    var completion = new PlacementCompletion(site, present, others, Set.of());
    completion.missing = more;
    return completion;
  }

  /** For the pods on the failed nodes. */
  PlacementCompletion(
      FlavorTopology site, PodPlacement present, List<PodPlacement> others, Set<String> failed) {
    this.forest = site.forest();
    for (Domain domain : present.domains()) {
      int leaf = forest.leafOf(present.levels(), domain.values());
      if (present.onHosts() && failed.contains(domain.values().getLast())) {
        missing += domain.pods();
      } else if (leaf == DomainForest.NOWHERE) {
        stale = true;
      } else {
        kept.merge(leaf, (long) domain.pods(), Long::sum);
      }
    }
    for (PodPlacement other : others) {
      for (Domain domain : other.domains()) {
        int leaf = forest.leafOf(other.levels(), domain.values());
        if (leaf != DomainForest.NOWHERE && !failed.contains(domain.values().getLast())) {
          companions.add(leaf);
        }
      }
    }
  }

  /** Whether a place that did not fail is not there either. */
  boolean stale() {
    return stale;
  }

  /** The request of the pods that lack a place. */
  Demand demand(Demand whole, List<PodSetSliceTopologyConstraint> layers) {
    Levels levels = forest.levels();
    Slices slices = whole.profile().slices();
    int level = Levels.NONE;
    int domain = DomainForest.NOWHERE;
    if (!layers.isEmpty() && missing % slices.size() != 0) {
      Optional<BrokenSlice> broken =
          broken(layers, this::isCompleted).or(() -> broken(layers, this::isBroken));
      if (broken.isPresent()) {
        level = broken.get().level();
        domain = broken.get().domain();
      }
      boolean isLastLost = missing % slices.size() == total() % slices.size();
      if (broken.isPresent() || !isLastLost) {
        slices = DemandReader.slices(levels, innermostWhole(layers));
      } else if (missing < slices.size()) {
        slices = new Slices(slices.level(), missing, slices.units());
      }
    }
    List<Integer> near = kept.isEmpty() ? companions : List.copyOf(kept.keySet());
    if (domain == DomainForest.NOWHERE && whole.manner() == Manner.REQUIRED && !near.isEmpty()) {
      level = whole.level();
      domain = forest.domainOf(level, near.getFirst());
    }
    boolean anywhere = domain == DomainForest.NOWHERE;
    var profile = new Profile(whole.profile().worker(), null, whole.profile().filter(), slices);
    return new Demand(
        whole.site(),
        profile,
        missing,
        whole.level(),
        whole.manner(),
        anywhere ? whole.from() : forest.firstLeaf(level, domain),
        anywhere ? whole.to() : forest.firstLeaf(level, domain + 1));
  }

  /** The domain of a level that is left with a part of a slice. */
  private record BrokenSlice(int level, int domain) {}

  /** Whether a domain with so many pods is left with a part of a slice of that size. */
  private interface LeftPart {
    boolean is(long pods, int size);
  }

  /** Innermost layers first; a layer of which only whole slices are missing has none. */
  private Optional<BrokenSlice> broken(
      List<PodSetSliceTopologyConstraint> layers, LeftPart leftPart) {
    for (PodSetSliceTopologyConstraint layer : layers.reversed()) {
      if (missing % layer.size() != 0) {
        int level = forest.levels().of(layer.topology());
        Map<Integer, Long> pods = new TreeMap<>();
        kept.forEach((leaf, count) -> pods.merge(forest.domainOf(level, leaf), count, Long::sum));
        for (Map.Entry<Integer, Long> domain : pods.entrySet()) {
          if (leftPart.is(domain.getValue(), layer.size())) {
            return Optional.of(new BrokenSlice(level, domain.getKey()));
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Whether the missing pods leave only whole slices there, and maybe the last, shorter one. */
  private boolean isCompleted(long pods, int size) {
    long after = (pods + missing) % size;
    return pods % size != 0 && (after == 0 || after == total() % size);
  }

  /** Whether it has neither whole slices only, nor the last, shorter one beside them. */
  private boolean isBroken(long pods, int size) {
    return pods % size != 0 && pods % size != total() % size;
  }

  private long total() {
    return missing + kept.values().stream().mapToLong(it -> it).sum();
  }

  private List<PodSetSliceTopologyConstraint> innermostWhole(
      List<PodSetSliceTopologyConstraint> layers) {
    for (PodSetSliceTopologyConstraint layer : layers.reversed()) {
      if (missing % layer.size() == 0) {
        return List.of(layer);
      }
    }
    return List.of();
  }

  /** The places that are left together with the new ones. */
  PodPlacement merged(List<Placer.Part> parts) {
    Map<Integer, Long> pods = new TreeMap<>(kept);
    long rest = missing;
    for (Placer.Part part : parts) {
      long more = Math.min(rest, part.amount());
      pods.merge(part.domain(), more, Long::sum);
      rest -= more;
    }
    List<Domain> domains = new ArrayList<>();
    pods.forEach(
        (leaf, count) -> {
          if (count > 0) {
            domains.add(new Domain(forest.storedValues(leaf), count.intValue()));
          }
        });
    return new PodPlacement(forest.storedLevels(), domains);
  }
}
