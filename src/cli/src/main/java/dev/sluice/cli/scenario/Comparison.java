package dev.sluice.cli.scenario;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.ImpossiblePlacement;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.cli.scenario.Expectation.ExpectedCondition;
import dev.sluice.cli.scenario.Expectation.ExpectedWorkload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.server.world.ClusterState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Every difference between a moment and what is expected of it. */
final class Comparison {
  private static final String NOTHING = "none";

  private final ClusterState state;
  private final List<Difference> differences = new ArrayList<>();

  private Comparison(ClusterState state) {
    this.state = state;
  }

  static List<Difference> of(Expectation expectation, ClusterState state) {
    var comparison = new Comparison(state);
    expectation.workloads().forEach(comparison::compare);
    comparison.compareQueues("pending", expectation.pending(), state.pending());
    comparison.compareQueues("inadmissible", expectation.inadmissible(), state.inadmissible());
    expectation.usage().forEach(comparison::compareUsage);
    return List.copyOf(comparison.differences);
  }

  private void compare(ExpectedWorkload expected) {
    ObjectKey key = state.named(new ObjectKey(expected.namespace(), expected.name()));
    String subject = key.toString();
    if (expected.state() != null) {
      expect(subject, "state", state.phase(key).text(), expected.state().text());
    }
    Workload workload = state.workloads().get(key);
    if (workload != null) {
      compareDetails(subject, expected, workload);
    } else if (expected.state() == null) {
      expect(subject, "workload", "is not there", "to be there");
    }
  }

  private void compareDetails(String subject, ExpectedWorkload expected, Workload workload) {
    if (expected.reason() != null) {
      expect(subject, "reason", reason(workload), expected.reason());
    }
    compareFlavors(subject, expected, workload);
    if (expected.conditions() != null) {
      compareConditions(subject, expected.conditions(), workload);
    }
    if (expected.conditions() != null || expected.admission() != null) {
      compareAdmission(subject, expected.admission(), workload.status().admission());
    }
  }

  private static String reason(Workload workload) {
    return workload.status().conditions().stream()
        .filter(condition -> condition.type().equals(ConditionTypes.QUOTA_RESERVED))
        .map(Condition::reason)
        .findFirst()
        .orElse(NOTHING);
  }

  private void compareFlavors(String subject, ExpectedWorkload expected, Workload workload) {
    Map<String, PodSetAssignment> assignments = byPodSet(workload.status().admission());
    expected
        .flavors()
        .forEach(
            (podSet, flavors) -> {
              PodSetAssignment assignment = assignments.get(podSet);
              expect(
                  subject,
                  "flavors of " + podSet,
                  assignment == null ? NOTHING : sorted(assignment.flavors()),
                  sorted(flavors));
            });
    expected
        .counts()
        .forEach(
            (podSet, count) -> {
              PodSetAssignment assignment = assignments.get(podSet);
              expect(
                  subject,
                  "pods of " + podSet,
                  assignment == null ? NOTHING : String.valueOf(assignment.count()),
                  String.valueOf(count));
            });
  }

  private static Map<String, PodSetAssignment> byPodSet(@Nullable Admission admission) {
    Map<String, PodSetAssignment> byName = new TreeMap<>();
    if (admission != null) {
      admission.podSetAssignments().forEach(a -> byName.put(a.name(), a));
    }
    return byName;
  }

  private void compareConditions(
      String subject, List<ExpectedCondition> conditions, Workload workload) {
    Map<String, String> actual = new TreeMap<>();
    for (Condition condition : workload.status().conditions()) {
      actual.put(condition.type(), condition.status().text() + " " + condition.reason());
    }
    for (ExpectedCondition condition : conditions) {
      String found = actual.remove(condition.type());
      String wanted = condition.status().text();
      expect(
          subject,
          condition.type(),
          found == null ? NOTHING : condition.reason() == null ? firstWord(found) : found,
          condition.reason() == null ? wanted : wanted + " " + condition.reason());
    }
    actual.forEach((type, found) -> expect(subject, type, found, NOTHING));
  }

  private static String firstWord(String text) {
    return text.substring(0, text.indexOf(' '));
  }

  private void compareAdmission(
      String subject, @Nullable Admission expected, @Nullable Admission actual) {
    if (expected == null || actual == null) {
      expect(subject, "admission", summary(actual), summary(expected));
      return;
    }
    expect(
        subject,
        "admission.clusterQueue",
        String.valueOf(actual.clusterQueue()),
        String.valueOf(expected.clusterQueue()));
    Map<String, PodSetAssignment> found = byPodSet(actual);
    byPodSet(expected)
        .forEach(
            (name, assignment) -> {
              PodSetAssignment other = found.remove(name);
              if (other == null) {
                expect(subject, "admission of " + name, NOTHING, sorted(assignment.flavors()));
              } else {
                compareAssignment(subject, name, assignment, other);
              }
            });
    found.forEach(
        (name, a) -> expect(subject, "admission of " + name, sorted(a.flavors()), NOTHING));
  }

  private static String summary(@Nullable Admission admission) {
    if (admission == null) {
      return NOTHING;
    }
    Map<String, String> flavors = new TreeMap<>();
    byPodSet(admission).forEach((name, a) -> flavors.put(name, sorted(a.flavors())));
    return admission.clusterQueue() + " " + flavors;
  }

  private void compareAssignment(
      String subject, String podSet, PodSetAssignment expected, PodSetAssignment actual) {
    expect(
        subject,
        "pods of " + podSet,
        String.valueOf(actual.count()),
        String.valueOf(expected.count()));
    expect(subject, "flavors of " + podSet, sorted(actual.flavors()), sorted(expected.flavors()));
    if (!actual.resourceUsage().equals(expected.resourceUsage())) {
      expect(
          subject,
          "resourceUsage of " + podSet,
          sorted(actual.resourceUsage()),
          sorted(expected.resourceUsage()));
    }
    expect(
        subject,
        "topology of " + podSet,
        placement(actual.topologyAssignment()),
        placement(expected.topologyAssignment()));
    expect(
        subject,
        "delayed topology of " + podSet,
        Objects.toString(actual.delayedTopologyRequest(), NOTHING),
        Objects.toString(expected.delayedTopologyRequest(), NOTHING));
  }

  private static String placement(@Nullable TopologyAssignment assignment) {
    if (assignment == null) {
      return NOTHING;
    }
    Optional<ImpossiblePlacement> impossible = ImpossiblePlacement.of(assignment);
    if (impossible.isPresent()) {
      return "impossible: " + impossible.get().text();
    }
    StringBuilder text = new StringBuilder(String.join("/", assignment.levels()));
    for (PodPlacement.Domain domain : AssignmentCodec.decode(assignment).domains()) {
      text.append(' ').append(String.join("/", domain.values())).append('=').append(domain.pods());
    }
    return text.toString();
  }

  private static String sorted(Map<String, ?> map) {
    return new TreeMap<>(map).toString();
  }

  private void compareQueues(
      String place,
      @Nullable Map<String, List<String>> expected,
      Map<String, ? extends Collection<ObjectKey>> actual) {
    if (expected == null) {
      return;
    }
    var queues = new TreeSet<>(expected.keySet());
    queues.addAll(actual.keySet());
    for (String queue : queues) {
      Collection<ObjectKey> there = actual.get(queue);
      List<String> found =
          there == null ? List.of() : there.stream().map(ObjectKey::toString).sorted().toList();
      List<String> wanted = expected.getOrDefault(queue, List.of()).stream().sorted().toList();
      expect(queue, place, found.toString(), wanted.toString());
    }
  }

  private void compareUsage(String queue, Map<String, Map<String, Quantity>> expected) {
    Map<FlavorResource, Quantity> wanted = new TreeMap<>();
    expected.forEach(
        (flavor, resources) ->
            resources.forEach(
                (resource, quantity) ->
                    wanted.put(new FlavorResource(flavor, resource), quantity)));
    Map<FlavorResource, Quantity> found = new TreeMap<>(state.usage(queue));
    var pairs = new TreeSet<>(wanted.keySet());
    pairs.addAll(found.keySet());
    for (FlavorResource pair : pairs) {
      Quantity actual = found.getOrDefault(pair, Quantity.of(0));
      Quantity quantity = wanted.getOrDefault(pair, Quantity.of(0));
      if (!actual.equals(quantity)) {
        expect(queue, "usage of " + pair, actual.toString(), quantity.toString());
      }
    }
  }

  private void expect(String subject, String field, String actual, String expected) {
    if (!actual.equals(expected)) {
      differences.add(new Difference(subject, field, actual, expected));
    }
  }
}
