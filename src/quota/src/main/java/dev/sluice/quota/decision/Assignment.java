package dev.sluice.quota.decision;

import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Flavors for the PodSets of a workload, and what they would use. Ends at the first PodSet that
 * could not be served.
 *
 * @param mode how it can be served as a whole
 * @param usage what it takes beyond a workload it replaces
 * @param reason why it is pending if it is not admitted
 */
public record Assignment(
    List<AssignedPodSet> podSets, Mode mode, Usage usage, PendingReason reason) {
  public Assignment {
    podSets = List.copyOf(podSets);
  }

  /** The same, to be served in that way. */
  public Assignment withMode(Mode other) {
    return new Assignment(podSets, other, usage, reason);
  }

  /** The same with other PodSets. */
  public Assignment withPodSets(List<AssignedPodSet> others) {
    return new Assignment(others, mode, usage, reason);
  }

  /** The same, which cannot be served for that reason. */
  public Assignment impossible(PendingReason because) {
    return new Assignment(podSets, Mode.NO_FIT, usage, because);
  }

  /** Whether pods are placed in domains, be it only to keep room for them. */
  public boolean placesPods() {
    for (AssignedPodSet podSet : podSets) {
      if (podSet.placement() != null) {
        return true;
      }
    }
    return false;
  }

  /** The height of the highest subtree that has to lend. */
  public int borrowingLevel() {
    int level = 0;
    for (AssignedPodSet podSet : podSets) {
      for (AssignedFlavor flavor : podSet.flavors().values()) {
        level = Math.max(level, flavor.borrowingLevel());
      }
    }
    return level;
  }

  /** The pairs that are free only after preemption. */
  public NavigableSet<FlavorResource> needingPreemption() {
    NavigableSet<FlavorResource> pairs = new TreeSet<>();
    for (AssignedPodSet podSet : podSets) {
      podSet
          .flavors()
          .forEach(
              (resource, flavor) -> {
                if (Mode.of(flavor.mode()) == Mode.PREEMPT) {
                  pairs.add(new FlavorResource(flavor.flavor(), resource));
                }
              });
    }
    return pairs;
  }

  /** Whether a search for a flavor stopped before it saw all of them. */
  public boolean hasPendingFlavors() {
    for (AssignedPodSet podSet : podSets) {
      for (AssignedFlavor flavor : podSet.flavors().values()) {
        if (flavor.tried() != AssignedFlavor.SAW_ALL) {
          return true;
        }
      }
    }
    return false;
  }
}
