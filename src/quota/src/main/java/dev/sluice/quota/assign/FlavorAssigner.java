package dev.sluice.quota.assign;

import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds flavors for one head with given numbers of pods. Use each instance once. */
// PodSets are served in order, those of one group together; the first that fails ends the search.
// All resources of one resource group get the same flavor.
final class FlavorAssigner {
  private final SearchContext context;
  private final Head head;
  private final Map<FlavorResource, Long> assigned = new HashMap<>();
  private final List<AssignedPodSet> podSets = new ArrayList<>();
  private @Nullable PendingReason worst;

  FlavorAssigner(SearchContext context) {
    this.context = context;
    this.head = context.head();
  }

  /**
   * @param counts the number of pods of each PodSet
   */
  Assignment assign(int[] counts) {
    for (List<Integer> group : groups()) {
      boolean served = assignGroup(group, counts);
      if (!served) {
        return finished(Mode.NO_FIT);
      }
    }
    Mode mode = Mode.FIT;
    for (AssignedPodSet podSet : podSets) {
      mode = podSet.mode().compareTo(mode) < 0 ? podSet.mode() : mode;
    }
    return context.placement().place(head, finished(mode), context.trial().topologyUsage());
  }

  private Assignment finished(Mode mode) {
    PendingReason reason = PendingReason.WAITING_FOR_QUOTA;
    if (mode == Mode.NO_FIT) {
      reason = worst == null ? PendingReason.NO_MATCHING_FLAVOR : worst;
    }
    Usage usage = Usage.of(assigned);
    WorkloadState replaced = head.replaced();
    return new Assignment(
        podSets, mode, replaced == null ? usage : usage.beyond(replaced.usage()), reason);
  }

  /** The PodSets that are served together, by index. */
  private List<List<Integer>> groups() {
    List<PodSet> all = context.podSets();
    if (all.size() == 1) {
      return List.of(List.of(0));
    }
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      var topology = all.get(i).topologyRequest();
      String group = topology == null ? null : topology.podSetGroupName();
      String name = group == null ? "alone/" + i : "group/" + group;
      groups.computeIfAbsent(name, _ -> new ArrayList<>()).add(i);
    }
    return List.copyOf(groups.values());
  }

  private boolean assignGroup(List<Integer> group, int[] counts) {
    Map<Integer, PodSetRequests> requests = new LinkedHashMap<>();
    Map<String, Long> sum = new TreeMap<>(ResourceOrder.COMPARATOR);
    for (int index : group) {
      PodSetRequests own = scaled(head.workload().requests().get(index), counts[index]);
      requests.put(index, own);
      own.total().asMap().forEach((resource, amount) -> sum.merge(resource, amount, Amounts::plus));
    }
    var search = new GroupSearch(context, assigned, group, sum);
    boolean served = search.run();
    worst = search.worst(); // only the group that fails says why
    requests.values().forEach(own -> podSets.add(search.result(own, served)));
    if (served) {
      search
          .flavors()
          .forEach(
              (resource, flavor) ->
                  assigned.merge(
                      new FlavorResource(flavor.flavor(), resource),
                      sum.getOrDefault(resource, 0L),
                      Amounts::plus));
    }
    return served;
  }

  private PodSetRequests scaled(PodSetRequests requests, int count) {
    PodSetRequests scaled = requests.scaledTo(count);
    return head.rules().groupOf(PodSetRequests.PODS) == null ? scaled : scaled.countingPods();
  }
}
