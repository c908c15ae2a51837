package dev.sluice.quota;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.queue.BorrowWithinCohort;
import dev.sluice.api.queue.BorrowWithinCohortPolicy;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ClusterQueuePreemption;
import dev.sluice.api.queue.ClusterQueueSpec;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.CohortSpec;
import dev.sluice.api.queue.FairSharing;
import dev.sluice.api.queue.FlavorFungibility;
import dev.sluice.api.queue.FlavorFungibilityPolicy;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.queue.ReclaimPolicy;
import dev.sluice.api.queue.ResourceGroup;
import dev.sluice.api.queue.ResourceQuota;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.queue.WithinClusterQueuePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Changes one thing of a queue or a cohort, and leaves the rest as it is. */
final class RandomEdits {
  private final Random random;
  private final int cohorts;

  /** Moves go to one of so many cohorts, which are called c0, c1, and so on. */
  RandomEdits(Random random, int cohorts) {
    this.random = random;
    this.cohorts = cohorts;
  }

  ClusterQueue edited(ClusterQueue queue) {
    ClusterQueueSpec old = queue.spec();
    int what = random.nextInt(16);
    var spec =
        new ClusterQueueSpec(
            what < 6 || what > 11 ? groups(old.resourceGroups(), what > 11) : old.resourceGroups(),
            what == 6 ? cohort() : old.cohortName(),
            old.queueingStrategy(),
            what == 7 ? selector() : old.namespaceSelector(),
            what == 8 ? fungibility() : old.flavorFungibility(),
            what == 9 ? preemption(old.preemption()) : old.preemption(),
            old.admissionChecksStrategy(),
            what == 10 ? stopPolicy() : old.stopPolicy(),
            what == 11 ? weight() : old.fairSharing(),
            old.admissionScope(),
            old.concurrentAdmissionPolicy());
    return new ClusterQueue(queue.metadata(), spec, queue.status());
  }

  Cohort edited(Cohort cohort) {
    CohortSpec old = cohort.spec();
    int what = random.nextInt(6);
    var spec =
        new CohortSpec(
            old.parentName(),
            what == 0 ? old.resourceGroups() : groups(old.resourceGroups(), what < 3),
            what == 0 ? weight() : old.fairSharing());
    return new Cohort(cohort.metadata(), spec, cohort.status());
  }

  private List<ResourceGroup> groups(List<ResourceGroup> groups, boolean flavor) {
    return flavor ? oneFlavor(groups) : oneAmount(groups);
  }

  /** The last flavor of a group goes, or the next one comes: f0, f1 and f2 are there. */
  private List<ResourceGroup> oneFlavor(List<ResourceGroup> groups) {
    List<ResourceGroup> edited = new ArrayList<>(groups);
    int at = random.nextInt(groups.size());
    ResourceGroup group = groups.get(at);
    List<FlavorQuotas> flavors = new ArrayList<>(group.flavors());
    if (flavors.size() == 3 || (flavors.size() == 2 && random.nextBoolean())) {
      flavors.removeLast();
    } else {
      List<ResourceQuota> resources =
          group.coveredResources().stream()
              .map(name -> new ResourceQuota(name, amount(12), limit(), limit()))
              .toList();
      flavors.add(new FlavorQuotas("f" + flavors.size(), resources));
    }
    edited.set(at, new ResourceGroup(group.coveredResources(), flavors));
    return edited;
  }

  private List<ResourceGroup> oneAmount(List<ResourceGroup> groups) {
    List<ResourceGroup> edited = new ArrayList<>(groups);
    int at = random.nextInt(groups.size());
    ResourceGroup group = groups.get(at);
    List<FlavorQuotas> flavors = new ArrayList<>(group.flavors());
    int flavor = random.nextInt(flavors.size());
    List<ResourceQuota> resources = new ArrayList<>(flavors.get(flavor).resources());
    int resource = random.nextInt(resources.size());
    resources.set(resource, edited(resources.get(resource)));
    flavors.set(flavor, new FlavorQuotas(flavors.get(flavor).name(), resources));
    edited.set(at, new ResourceGroup(group.coveredResources(), flavors));
    return edited;
  }

  private ResourceQuota edited(ResourceQuota old) {
    int what = random.nextInt(4);
    return new ResourceQuota(
        old.name(),
        what < 2 ? amount(12) : old.nominalQuota(),
        what == 2 ? limit() : old.borrowingLimit(),
        what == 3 ? limit() : old.lendingLimit());
  }

  private Quantity amount(int most) {
    return Quantity.of(random.nextInt(most));
  }

  private @Nullable Quantity limit() {
    return random.nextInt(3) == 0 ? null : amount(8);
  }

  private @Nullable String cohort() {
    return random.nextInt(5) == 0 ? null : "c" + random.nextInt(cohorts);
  }

  private LabelSelector selector() {
    return random.nextInt(3) == 0
        ? new LabelSelector(Map.of("team", "other"), List.of())
        : new LabelSelector(Map.of(), List.of());
  }

  private FlavorFungibility fungibility() {
    return new FlavorFungibility(
        pick(FlavorFungibilityPolicy.values()), pick(FlavorFungibilityPolicy.values()), null);
  }

  private ClusterQueuePreemption preemption(ClusterQueuePreemption old) {
    return switch (random.nextInt(3)) {
      case 0 ->
          new ClusterQueuePreemption(
              pick(ReclaimPolicy.values()), old.borrowWithinCohort(), old.withinClusterQueue());
      case 1 ->
          new ClusterQueuePreemption(
              old.reclaimWithinCohort(), borrowing(), old.withinClusterQueue());
      default ->
          new ClusterQueuePreemption(
              old.reclaimWithinCohort(),
              old.borrowWithinCohort(),
              pick(WithinClusterQueuePolicy.values()));
    };
  }

  private BorrowWithinCohort borrowing() {
    return new BorrowWithinCohort(
        pick(BorrowWithinCohortPolicy.values()), random.nextBoolean() ? random.nextInt(5) : null);
  }

  private StopPolicy stopPolicy() {
    return random.nextInt(3) == 0 ? StopPolicy.HOLD : StopPolicy.NONE;
  }

  private FairSharing weight() {
    return new FairSharing(amount(4));
  }

  private <T> T pick(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
