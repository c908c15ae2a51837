package dev.sluice.quota.inventory;

import static dev.sluice.quota.inventory.Inactivity.Reason.ADMISSION_CHECK_INACTIVE;
import static dev.sluice.quota.inventory.Inactivity.Reason.ADMISSION_CHECK_NOT_FOUND;
import static dev.sluice.quota.inventory.Inactivity.Reason.FLAVOR_NOT_FOUND;
import static dev.sluice.quota.inventory.Inactivity.Reason.MULTIPLE_MULTI_KUEUE_CHECKS;
import static dev.sluice.quota.inventory.Inactivity.Reason.MULTI_KUEUE_PER_FLAVOR;
import static dev.sluice.quota.inventory.Inactivity.Reason.MULTI_KUEUE_WITH_PROVISIONING;
import static dev.sluice.quota.inventory.Inactivity.Reason.STOPPED;
import static dev.sluice.quota.inventory.Inactivity.Reason.TERMINATING;
import static dev.sluice.quota.inventory.Inactivity.Reason.TOPOLOGY_NOT_FOUND;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.queue.AdmissionCheckStrategyRule;
import dev.sluice.api.queue.StopPolicy;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.world.QueueRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds every reason why a ClusterQueue is not active: it is stopped or deleted, or a flavor,
 * AdmissionCheck or Topology that it needs is missing or unusable.
 */
public final class ClusterQueueActivity {

  private final QueueRules rules;
  private final Inventory inventory;
  private final List<Inactivity> found = new ArrayList<>();

  private ClusterQueueActivity(QueueRules rules, Inventory inventory) {
    this.rules = rules;
    this.inventory = inventory;
  }

  /** The causes, the one to report first; none for an active queue. */
  public static List<Inactivity> of(QueueRules rules, Inventory inventory) {
    var activity = new ClusterQueueActivity(rules, inventory);
    activity.look();
    activity.found.sort(Comparator.comparing(Inactivity::reason));
    return List.copyOf(activity.found);
  }

  private void look() {
    if (rules.queue().metadata().deletionTimestamp() != null) {
      note(TERMINATING, "", "the ClusterQueue is being deleted");
    }
    if (rules.stopPolicy() != StopPolicy.NONE) {
      note(STOPPED, "", "stopPolicy is " + rules.stopPolicy().text());
    }
    rules.checks().forEach(check -> look(check.name()));
    lookAtMultiKueue();
    rules.flavors().forEach(this::lookAtFlavor);
  }

  private void note(Inactivity.Reason reason, String subject, String message) {
    found.add(new Inactivity(reason, subject, message));
  }

  private void look(String checkName) {
    AdmissionCheck check = inventory.check(checkName);
    if (check == null) {
      note(ADMISSION_CHECK_NOT_FOUND, checkName, "there is no AdmissionCheck " + checkName);
    } else if (!active(check)) {
      note(ADMISSION_CHECK_INACTIVE, checkName, "AdmissionCheck " + checkName + " is not active");
    }
  }

  private static boolean active(AdmissionCheck check) {
    return check.status().conditions().stream()
        .anyMatch(
            c -> c.type().equals(ConditionTypes.ACTIVE) && c.status() == ConditionStatus.TRUE);
  }

  private void lookAtMultiKueue() {
    List<AdmissionCheckStrategyRule> multiKueue = controlledBy(Controllers.MULTI_KUEUE);
    if (multiKueue.size() > 1) {
      note(MULTIPLE_MULTI_KUEUE_CHECKS, names(multiKueue), "more than one MultiKueue check");
    }
    List<AdmissionCheckStrategyRule> perFlavor =
        multiKueue.stream().filter(it -> !it.onFlavors().isEmpty()).toList();
    if (!perFlavor.isEmpty()) {
      note(
          MULTI_KUEUE_PER_FLAVOR, names(perFlavor), "a MultiKueue check has to be for all flavors");
    }
    List<AdmissionCheckStrategyRule> provisioning = controlledBy(Controllers.PROVISIONING_REQUEST);
    if (!multiKueue.isEmpty() && !provisioning.isEmpty()) {
      String both = names(multiKueue) + ", " + names(provisioning);
      note(MULTI_KUEUE_WITH_PROVISIONING, both, "MultiKueue beside a ProvisioningRequest check");
    }
  }

  private static String names(List<AdmissionCheckStrategyRule> rules) {
    return rules.stream()
        .map(AdmissionCheckStrategyRule::name)
        .sorted()
        .collect(Collectors.joining(","));
  }

  private List<AdmissionCheckStrategyRule> controlledBy(String controller) {
    return rules.checks().stream()
        .filter(rule -> controller.equals(controllerOf(inventory.check(rule.name()))))
        .toList();
  }

  private static @Nullable String controllerOf(@Nullable AdmissionCheck check) {
    return check == null ? null : check.spec().controllerName();
  }

  private void lookAtFlavor(String name) {
    ResourceFlavor flavor = inventory.flavor(name);
    if (flavor == null) {
      note(FLAVOR_NOT_FOUND, name, "there is no ResourceFlavor " + name);
      return;
    }
    String topologyName = flavor.spec().topologyName();
    boolean places = inventory.places() && controlledBy(Controllers.MULTI_KUEUE).isEmpty();
    if (topologyName == null || !places) {
      return;
    }
    Topology topology = inventory.topology(topologyName);
    if (topology == null) {
      String message =
          "there is no Topology \"%s\" for TAS flavor \"%s\"".formatted(topologyName, name);
      note(TOPOLOGY_NOT_FOUND, topologyName, message);
      return;
    }
    String problem = Levels.problem(topology);
    String unknown =
        problem == null ? inventory.topologies().unknownLevel(flavor, topology) : problem;
    if (unknown != null) {
      note(TOPOLOGY_NOT_FOUND, topologyName, unknown);
    }
  }
}
