package dev.sluice.quota.assign;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.assign.FlavorPreference.Grade;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.AssignedFlavor;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.FlavorMode;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.trial.TreeTrial;
import dev.sluice.quota.world.QueueRules.Group;
import dev.sluice.quota.world.WorkloadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The search for one group of PodSets. */
final class GroupSearch {
  private final SearchContext context;
  private final Head head;
  private final EngineConfiguration configuration;
  private final TreeTrial trial;
  private final FlavorPreference preference;
  private final Map<FlavorResource, Long> assigned;
  private final List<Integer> group;
  private final Map<String, Long> sum;
  private final Map<String, AssignedFlavor> flavors = new HashMap<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private boolean triedAny;
  private @Nullable PendingReason worst;

  /**
   * A search.
   *
   * @param assigned what the groups before this one got
   * @param group the PodSets that get the same flavors, by index
   * @param sum what they request together
   */
  GroupSearch(
      SearchContext context,
      Map<FlavorResource, Long> assigned,
      List<Integer> group,
      Map<String, Long> sum) {
    this.context = context;
    this.head = context.head();
    this.configuration = context.configuration();
    this.trial = context.trial();
    this.preference = context.preference();
    this.assigned = assigned;
    this.group = group;
    this.sum = sum;
  }

  /** The flavors that were found, by resource. */
  Map<String, AssignedFlavor> flavors() {
    return flavors;
  }

  /**
   * The worst reason for which flavors were refused; null if none was refused. A flavor may have
   * been found nevertheless.
   */
  @Nullable PendingReason worst() {
    return worst;
  }

  private void note(PendingReason reason) {
    worst = worst == null ? reason : Severity.worse(worst, reason);
  }

  /** What one of the PodSets gets. */
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
    ResourceFlavor known = context.catalog().find(flavor.flavor());
    return group.size() > 1
        && own.total().isEmpty()
        && known != null
        && known.spec().topologyName() != null;
  }

  /** Whether all of the group gets flavors. */
  boolean run() {
    for (var entry : sum.entrySet()) {
      String resource = entry.getKey();
      if (flavors.containsKey(resource)) {
        continue;
      }
      Group resources = head.rules().groupOf(resource);
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
    if (progress == null) {
      return 0;
    }
    for (int index : group) { // each member remembers only the resources that it requests
      int start = progress.start(name(index), resource);
      if (start > 0) {
        return start;
      }
    }
    return 0;
  }

  private boolean leftOut(String flavor, String resource) {
    String pinned = context.pins().get(new Slot(name(group.getFirst()), resource));
    Set<String> allowed =
        configuration.on(FeatureGate.CONCURRENT_ADMISSION)
            ? head.workload().allowedFlavors()
            : Set.of();
    return (pinned != null && !pinned.equals(flavor))
        || (!allowed.isEmpty() && !allowed.contains(flavor));
  }

  private String name(int index) {
    return context.podSets().get(index).name();
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
      Grade grade =
          column == TreeShape.NOWHERE
              ? amount > 0 ? Grade.NO_FIT : Grade.BEST // nobody has any of it, so 0 fits
              : context.oracle().grade(column, amount);
      grades.put(resource, grade);
      if (grade.mode() != FlavorMode.FIT) {
        Refusal refusal = refusal(pair, column, amount);
        refusals.add(refusal);
        if (grade.mode() == FlavorMode.NO_FIT) {
          refused = refused == null ? refusal.reason() : Severity.worse(refused, refusal.reason());
        }
      }
    }
    return refused;
  }

  private long wantedOf(FlavorResource pair) {
    long all = Amounts.plus(sum.getOrDefault(pair.resource(), 0L), assigned.getOrDefault(pair, 0L));
    WorkloadState replaced = head.replaced();
    return replaced == null
        ? all
        : Amounts.notNegative(Amounts.minus(all, replaced.usage().of(pair)));
  }

  private Refusal refusal(FlavorResource pair, int column, long amount) {
    long potential =
        column == TreeShape.NOWHERE ? 0 : trial.shape().potentialAvailable(context.node(), column);
    if (amount > potential) {
      return new Refusal.TooLarge(pair.flavor(), pair.resource(), amount, potential);
    }
    return new Refusal.Lacking(
        pair.flavor(),
        pair.resource(),
        amount,
        Amounts.notNegative(trial.ledger().available(context.node(), column)),
        trial.ledger().scarcest(context.node(), column).toString());
  }

  private Grade worstOf(Map<String, Grade> grades) {
    Grade worstGrade = Grade.BEST;
    for (Grade grade : grades.values()) {
      worstGrade = preference.worse(worstGrade, grade);
    }
    return worstGrade;
  }

  private @Nullable String unsuitable(Group resources, String name, List<String> wanted) {
    ResourceFlavor flavor = context.catalog().find(name);
    if (flavor == null) {
      return "flavor does not exist";
    }
    for (int index : group) {
      PodSet podSet = context.podSets().get(index);
      String refusal = context.placement().refusal(head, flavor, index, resources);
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
