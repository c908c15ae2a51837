package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.assign.FlavorPreference.Grade;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Assignment;
import dev.sluice.quota.decision.FlavorMode;
import dev.sluice.quota.decision.Mode;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.preempt.TargetSearch;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.QueueRules.Group;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds flavors for one head with given numbers of pods. Use each instance once. */
// PodSets are served in order, those of one group together; the first that fails ends the search.
// All resources of one resource group get the same flavor.
final class FlavorAssigner {
  private final TreeTrial trial;
  private final FlavorCatalog catalog;
  private final Placement placement;
  private final EngineConfiguration configuration;
  private final Head head;
  private final Map<Slot, String> pins;
  private final QueueRules rules;
  private final QuotaOracle oracle;
  private final FlavorPreference preference;
  private final int node;
  private final Map<FlavorResource, Long> assigned = new HashMap<>();
  private final List<AssignedPodSet> podSets = new ArrayList<>();
  private @Nullable PendingReason worst;

  /**
   * @param pins flavors that an earlier assignment of the same cycle settled on, by PodSet and
   *     resource; no other flavor is considered for these
   */
  FlavorAssigner(
      TreeTrial trial,
      FlavorCatalog catalog,
      Placement placement,
      TargetSearch search,
      EngineConfiguration configuration,
      Head head,
      Map<Slot, String> pins) {
    this.trial = trial;
    this.catalog = catalog;
    this.placement = placement;
    this.configuration = configuration;
    this.head = head;
    this.pins = pins;
    this.rules = head.rules();
    this.oracle = new QuotaOracle(trial, search, configuration.fairSharing() != null, head);
    this.preference =
        new FlavorPreference(rules.fungibility(), configuration.on(FeatureGate.FLAVOR_FUNGIBILITY));
    this.node = trial.node(rules.name());
  }

  /**
   * @param counts the number of pods of each PodSet
   */
  Assignment assign(int[] counts) {
    for (List<Integer> group : groups()) {
      worst = null; // only the group that fails says why
      boolean served = assignGroup(group, counts);
      if (!served) {
        return finished(Mode.NO_FIT);
      }
    }
    Mode mode = Mode.FIT;
    for (AssignedPodSet podSet : podSets) {
      mode = podSet.mode().compareTo(mode) < 0 ? podSet.mode() : mode;
    }
    return placement.place(head, finished(mode), trial.topologyUsage());
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
    List<PodSet> all = specs();
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

  private List<PodSet> specs() {
    return head.workload().workload().spec().podSets();
  }

  private boolean assignGroup(List<Integer> group, int[] counts) {
    Map<Integer, PodSetRequests> requests = new LinkedHashMap<>();
    Map<String, Long> sum = new TreeMap<>(ResourceOrder.COMPARATOR);
    for (int index : group) {
      PodSetRequests own = scaled(head.workload().requests().get(index), counts[index]);
      requests.put(index, own);
      own.total().asMap().forEach((resource, amount) -> sum.merge(resource, amount, Amounts::plus));
    }
    var search = new GroupSearch(group, sum);
    boolean served = search.run();
    requests.values().forEach(own -> podSets.add(search.result(own, served)));
    if (served) {
      search.flavors.forEach(
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
    return rules.groupOf(PodSetRequests.PODS) == null ? scaled : scaled.countingPods();
  }

  private void note(PendingReason reason) {
    worst = worst == null ? reason : Severity.worse(worst, reason);
  }

  /** The search for one group of PodSets. */
  private final class GroupSearch {
    private final List<Integer> group;
    private final Map<String, Long> sum;
    private final Map<String, AssignedFlavor> flavors = new HashMap<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private boolean triedAny;

    GroupSearch(List<Integer> group, Map<String, Long> sum) {
      this.group = group;
      this.sum = sum;
    }

    AssignedPodSet result(PodSetRequests own, boolean served) {
      Map<String, AssignedFlavor> mine = new HashMap<>();
      if (served) {
        flavors.forEach(
            (resource, flavor) -> {
              if (own.total().has(resource) || placedWithOthers(own, flavor)) {
                mine.put(resource, flavor);
              }
            });
      }
      return new AssignedPodSet(
          own.name(), own.count(), own.total().asMap(), mine, refusals, !served);
    }

    /** Whether pods that ask for nothing are placed in the flavor's topology with their group. */
    private boolean placedWithOthers(PodSetRequests own, AssignedFlavor flavor) {
      ResourceFlavor known = catalog.find(flavor.flavor());
      return group.size() > 1
          && own.total().isEmpty()
          && known != null
          && known.spec().topologyName() != null;
    }

    boolean run() {
      for (var entry : sum.entrySet()) {
        String resource = entry.getKey();
        if (flavors.containsKey(resource)) {
          continue;
        }
        Group resources = rules.groupOf(resource);
        if (resources == null) {
          if (entry.getValue() == 0 || ignoresUndeclared()) {
            continue;
          }
          refusals.add(new Refusal.Uncovered(resource));
          return failed();
        }
        if (!scan(resources, resource)) {
          return failed();
        }
      }
      return true;
    }

    private boolean ignoresUndeclared() {
      return configuration.resources().ignoreUndeclared()
          && configuration.on(FeatureGate.QUOTA_CHECK_STRATEGY);
    }

    private boolean failed() {
      if (!triedAny) {
        note(PendingReason.NO_MATCHING_FLAVOR);
      }
      return false;
    }

    /** Searches the flavor that serves all requested resources of the group. */
    private boolean scan(Group resources, String first) {
      List<String> wanted = new ArrayList<>(sum.keySet());
      wanted.removeIf(resource -> !resources.resources().contains(resource));
      Grade best = Grade.NO_FIT;
      String bestFlavor = null;
      Map<String, Grade> bestGrades = Map.of();
      PendingReason mildest = null;
      int last = resources.flavors().size() - 1;
      int stopped = AssignedFlavor.SAW_ALL;
      for (int index = start(first); index <= last; index++) {
        String flavor = resources.flavors().get(index);
        if (leftOut(flavor, first)) {
          continue;
        }
        triedAny = true;
        Map<String, Grade> grades = new HashMap<>();
        PendingReason refused = tryFlavor(resources, flavor, wanted, grades);
        Grade grade = refused == null ? worstOf(grades) : Grade.NO_FIT;
        if (refused != null) {
          mildest = mildest == null ? refused : Severity.milder(mildest, refused);
        }
        boolean stop = !preference.keepsLooking(grade);
        if (stop || isBetter(grade, best)) {
          best = grade;
          bestFlavor = flavor;
          bestGrades = grades;
        }
        if (stop) {
          boolean goesOn = index < last && configuration.on(FeatureGate.FLAVOR_FUNGIBILITY);
          stopped = goesOn ? index : AssignedFlavor.SAW_ALL;
          break;
        }
      }
      if (mildest != null) {
        note(mildest);
      }
      if (bestFlavor == null) {
        return false;
      }
      for (String resource : wanted) {
        Grade grade = bestGrades.getOrDefault(resource, Grade.NO_FIT);
        flavors.put(resource, new AssignedFlavor(bestFlavor, grade.mode(), grade.level(), stopped));
      }
      return true;
    }

    private boolean isBetter(Grade grade, Grade best) {
      return configuration.on(FeatureGate.FLAVOR_FUNGIBILITY)
          ? preference.better(grade, best)
          : grade.mode().compareTo(best.mode()) > 0;
    }

    private int start(String resource) {
      LastAssignment progress = head.progress();
      return progress == null ? 0 : progress.start(name(group.getFirst()), resource);
    }

    private boolean leftOut(String flavor, String resource) {
      String pinned = pins.get(new Slot(name(group.getFirst()), resource));
      Set<String> allowed =
          configuration.on(FeatureGate.CONCURRENT_ADMISSION)
              ? head.workload().allowedFlavors()
              : Set.of();
      return (pinned != null && !pinned.equals(flavor))
          || (!allowed.isEmpty() && !allowed.contains(flavor));
    }

    private String name(int index) {
      return specs().get(index).name();
    }

    /** Grades every wanted resource; answers why the flavor is refused, or null. */
    private @Nullable PendingReason tryFlavor(
        Group resources, String flavor, List<String> wanted, Map<String, Grade> grades) {
      String unsuitable = unsuitable(resources, flavor, wanted);
      if (unsuitable != null) {
        refusals.add(new Refusal.Unsuitable(flavor, unsuitable));
        return PendingReason.NO_MATCHING_FLAVOR;
      }
      PendingReason refused = null;
      for (String resource : wanted) {
        FlavorResource pair = new FlavorResource(flavor, resource);
        long amount = wantedOf(pair);
        int column = trial.shape().column(pair);
        Grade grade = column == TreeShape.NOWHERE ? Grade.NO_FIT : oracle.grade(column, amount);
        grades.put(resource, grade);
        if (grade.mode() != FlavorMode.FIT) {
          Refusal refusal = refusal(pair, column, amount);
          refusals.add(refusal);
          if (grade.mode() == FlavorMode.NO_FIT) {
            refused =
                refused == null ? refusal.reason() : Severity.worse(refused, refusal.reason());
          }
        }
      }
      return refused;
    }

    private long wantedOf(FlavorResource pair) {
      long all =
          Amounts.plus(sum.getOrDefault(pair.resource(), 0L), assigned.getOrDefault(pair, 0L));
      WorkloadState replaced = head.replaced();
      return replaced == null
          ? all
          : Amounts.notNegative(Amounts.minus(all, replaced.usage().of(pair)));
    }

    private Refusal refusal(FlavorResource pair, int column, long amount) {
      long potential =
          column == TreeShape.NOWHERE ? 0 : trial.shape().potentialAvailable(node, column);
      if (amount > potential) {
        return new Refusal.TooLarge(pair.flavor(), pair.resource(), amount, potential);
      }
      return new Refusal.Lacking(
          pair.flavor(),
          pair.resource(),
          amount,
          Amounts.notNegative(trial.ledger().available(node, column)),
          trial.ledger().scarcest(node, column).toString());
    }

    private Grade worstOf(Map<String, Grade> grades) {
      Grade worstGrade = Grade.BEST;
      for (Grade grade : grades.values()) {
        worstGrade = preference.worse(worstGrade, grade);
      }
      return worstGrade;
    }

    private @Nullable String unsuitable(Group resources, String name, List<String> wanted) {
      ResourceFlavor flavor = catalog.find(name);
      if (flavor == null) {
        return "flavor does not exist";
      }
      for (int index : group) {
        PodSet podSet = specs().get(index);
        String refusal = placement.refusal(head, flavor, index, resources);
        if (refusal == null) {
          refusal = FlavorFit.refusal(flavor.spec(), podSet.template().spec());
        }
        if (refusal == null) {
          refusal = otherThanReplaced(name, podSet.name(), wanted);
        }
        if (refusal != null) {
          return refusal;
        }
      }
      return null;
    }

    private @Nullable String otherThanReplaced(String flavor, String podSet, List<String> wanted) {
      Admission admission = head.replaced() == null ? null : head.replaced().admission();
      if (admission == null) {
        return null;
      }
      for (PodSetAssignment old : admission.podSetAssignments()) {
        Set<String> others =
            wanted.stream()
                .map(old.flavors()::get)
                .filter(f -> f != null && !f.equals(flavor))
                .collect(Collectors.toCollection(TreeSet::new));
        if (old.name().equals(podSet) && !others.isEmpty()) {
          return "the slice it replaces has " + String.join(", ", others);
        }
      }
      return null;
    }
  }
}
