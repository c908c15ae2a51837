package dev.sluice.quota.world;

import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.queue.AdmissionCheckStrategyRule;
import dev.sluice.api.queue.AdmissionMode;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.ClusterQueuePreemption;
import dev.sluice.api.queue.ClusterQueueSpec;
import dev.sluice.api.queue.ConcurrentAdmissionPolicy;
import dev.sluice.api.queue.FlavorFungibility;
import dev.sluice.api.queue.FlavorQuotas;
import dev.sluice.api.queue.QueueingStrategy;
import dev.sluice.api.queue.ReclaimPolicy;
import dev.sluice.api.queue.StopPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A ClusterQueue's rules in evaluable form; immutable. */
public final class QueueRules {
  /** Resources that are assigned one flavor together, with the flavors in order. */
  public record Group(Set<String> resources, List<String> flavors) {
    public Group {
      resources = Set.copyOf(resources);
      flavors = List.copyOf(flavors);
    }
  }

  private final ClusterQueue queue;
  private final List<Group> groups;
  private final Map<String, Group> groupOf = new LinkedHashMap<>();
  private final NavigableSet<String> flavors = new TreeSet<>();

  public QueueRules(ClusterQueue queue) {
    this.queue = queue;
    this.groups =
        spec().resourceGroups().stream()
            .map(
                g ->
                    new Group(
                        Set.copyOf(g.coveredResources()),
                        g.flavors().stream().map(FlavorQuotas::name).toList()))
            .toList();
    for (Group group : groups) {
      group.resources().forEach(r -> groupOf.put(r, group));
      flavors.addAll(group.flavors());
    }
  }

  private ClusterQueueSpec spec() {
    return queue.spec();
  }

  public ClusterQueue queue() {
    return queue;
  }

  public String name() {
    return queue.metadata().name();
  }

  public List<Group> groups() {
    return groups;
  }

  /** The group that covers the resource, or null. */
  public @Nullable Group groupOf(String resource) {
    return groupOf.get(resource);
  }

  /** Every flavor of every group. */
  public Set<String> flavors() {
    return flavors;
  }

  public boolean strict() {
    return spec().queueingStrategy() == QueueingStrategy.STRICT_FIFO;
  }

  public StopPolicy stopPolicy() {
    return spec().stopPolicy();
  }

  public @Nullable LabelSelector namespaceSelector() {
    return spec().namespaceSelector();
  }

  public FlavorFungibility fungibility() {
    return spec().flavorFungibility();
  }

  public ClusterQueuePreemption preemption() {
    return spec().preemption();
  }

  /** Whether workloads of other queues could be preempted at all. */
  public boolean reclaims() {
    return preemption().reclaimWithinCohort() != ReclaimPolicy.NEVER;
  }

  public @Nullable ConcurrentAdmissionPolicy concurrentAdmission() {
    return spec().concurrentAdmissionPolicy();
  }

  /** Whether it asks for the order by usage of LocalQueues. */
  public boolean fairBetweenLocalQueues() {
    return spec().admissionScope() != null
        && spec().admissionScope().admissionMode()
            == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  /** The checks it names, each with the flavors it is for; none means all. */
  public List<AdmissionCheckStrategyRule> checks() {
    return spec().admissionChecksStrategy() == null
        ? List.of()
        : spec().admissionChecksStrategy().admissionChecks();
  }

  /** Whether everything in its object that decisions are made by is as there. */
  public boolean saysAs(QueueRules other) {
    boolean ending = queue.metadata().deletionTimestamp() != null;
    boolean otherEnding = other.queue.metadata().deletionTimestamp() != null;
    return spec().equals(other.spec()) && ending == otherEnding;
  }

  /** Whether it offers the same flavors for the same resources, with the same checks. */
  public boolean offersAs(QueueRules other) {
    return groups.equals(other.groups) && checks().equals(other.checks());
  }

  /** Whether it selects the same namespaces. */
  public boolean selectsAs(QueueRules other) {
    return Objects.equals(namespaceSelector(), other.namespaceSelector());
  }

  /**
   * Whether it serves requests for quota by the same policies, whatever amounts there are.
   *
   * @see #offersAs
   */
  public boolean servesAs(QueueRules other) {
    return fungibility().equals(other.fungibility())
        && preemption().equals(other.preemption())
        && Objects.equals(concurrentAdmission(), other.concurrentAdmission())
        && Objects.equals(spec().admissionScope(), other.spec().admissionScope());
  }

  /** Whether both have their workloads split into variants, or none of them. */
  public boolean splitsAs(QueueRules other) {
    return (concurrentAdmission() == null) == (other.concurrentAdmission() == null);
  }

  /** The names of {@link #checks}. */
  public Set<String> checkNames() {
    Set<String> names = new TreeSet<>();
    checks().forEach(check -> names.add(check.name()));
    return names;
  }

  /** The checks that have to be ready before a workload with these flavors is admitted. */
  public Set<String> requiredChecks(Set<String> assignedFlavors) {
    Set<String> required = new TreeSet<>();
    for (AdmissionCheckStrategyRule check : checks()) {
      boolean forAll = check.onFlavors().isEmpty();
      if (forAll || check.onFlavors().stream().anyMatch(assignedFlavors::contains)) {
        required.add(check.name());
      }
    }
    return required;
  }
}
