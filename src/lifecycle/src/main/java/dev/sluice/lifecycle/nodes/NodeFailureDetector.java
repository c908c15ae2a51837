package dev.sluice.lifecycle.nodes;

import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.PodSetUpdate;
import dev.sluice.api.workload.ReclaimablePod;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.place.GatedPod;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which nodes failed for one workload, at one moment. For one thread. */
// A node fails for a workload once none of its pods runs there: as long as one does, the node
// may come back, and running pods must not be changed. If the node was deleted, or its pods were
// assigned and have not arrived, there is a short grace period. A failed node whose pods have
// all succeeded is not replaced.
final class NodeFailureDetector {
  /** How long an unhealthy node may take to recover. */
  static final Duration BLINK = Duration.ofSeconds(40);

  /** How soon it is looked again whether the workload was seen as it was when a pod was. */
  private static final Duration SOON = Duration.ofSeconds(2);

  static final Duration NOT_READY = Duration.ofSeconds(30);

  private final Workload workload;
  private final NodeSettings settings;
  private final Function<String, Host> hosts;
  private final Function<String, List<Toleration>> flavors;
  private final List<GatedPod> pods;
  private final long reached;
  private final Instant now;
  private final Map<String, Set<String>> podSetsOn = new TreeMap<>();
  private final Map<String, List<Toleration>> tolerations = new HashMap<>();
  private @Nullable Instant again;

  /**
   * An inquiry.
   *
   * @param hosts how the node of a hostname is
   * @param flavors what a flavor makes pods tolerate
   * @param pods all of the workload
   * @param reached the version at which the workload was known to be as it is here
   */
  NodeFailureDetector(
      Workload workload,
      NodeSettings settings,
      Function<String, Host> hosts,
      Function<String, List<Toleration>> flavors,
      List<GatedPod> pods,
      long reached,
      Instant now) {
    this.workload = workload;
    this.settings = settings;
    this.hosts = hosts;
    this.flavors = flavors;
    this.pods = List.copyOf(pods);
    this.reached = reached;
    this.now = now;
    Admission admission = workload.status().admission();
    if (admission != null) {
      admission.podSetAssignments().forEach(this::read);
    }
  }

  private void read(PodSetAssignment assignment) {
    for (String host : hosts(assignment)) {
      podSetsOn.computeIfAbsent(host, _ -> new TreeSet<>()).add(assignment.name());
    }
    List<Toleration> all = new ArrayList<>();
    assignment.flavors().values().forEach(flavor -> all.addAll(flavors.apply(flavor)));
    for (PodSet podSet : workload.spec().podSets()) {
      if (podSet.name().equals(assignment.name())) {
        all.addAll(podSet.template().spec().tolerations());
      }
    }
    for (AdmissionCheckState check : workload.status().admissionChecks()) {
      for (PodSetUpdate update : check.podSetUpdates()) {
        if (check.state() == CheckState.READY && update.name().equals(assignment.name())) {
          all.addAll(update.tolerations());
        }
      }
    }
    tolerations.put(assignment.name(), all);
  }

  /** The nodes that pods of the PodSet are placed on; none where domains are wider than nodes. */
  static Collection<String> hosts(PodSetAssignment assignment) {
    var topology = assignment.topologyAssignment();
    PodPlacement placement = topology == null ? null : AssignmentCodec.decode(topology);
    return placement == null || !placement.onHosts()
        ? List.of()
        : placement.domains().stream().map(domain -> domain.values().getLast()).toList();
  }

  Health answer() {
    List<String> failed = new ArrayList<>();
    podSetsOn.forEach(
        (host, podSets) -> {
          if (failed(host, podSets)) {
            failed.add(host);
          }
        });
    return new Health(failed, stranded(), Optional.ofNullable(again));
  }

  private boolean failed(String name, Set<String> podSets) {
    Host host = hosts.apply(name);
    boolean over =
        switch (host.state()) {
          case GONE -> isLeft(name, host) || since(host, BLINK);
          case NOT_READY ->
              (settings.overTime() && since(host, NOT_READY))
                  || (settings.onTermination() && isLeft(name, host))
                  || isEmptied(name, host, podSets);
          case READY -> isEmptied(name, host, podSets);
        };
    return over && podSets.stream().anyMatch(podSet -> isMissed(podSet, name));
  }

  /** Whether that much time has passed; if not, it is checked again then. */
  private boolean since(Host host, Duration time) {
    Instant due = host.since().plus(time);
    if (!now.isBefore(due)) {
      return true;
    }
    lookAt(due);
    return false;
  }

  private void lookAt(Instant due) {
    again = again == null || due.isBefore(again) ? due : again;
  }

  private boolean isEmptied(String name, Host host, Set<String> podSets) {
    return settings.onTaints()
        && podSets.stream().anyMatch(it -> empties(host, it))
        && isLeft(name, host);
  }

  /**
   * Whether the host drives the pods of the PodSet away. Those that tolerate its taints for a time
   * are placed there and may stay, so it counts only once they have begun to run somewhere.
   */
  private boolean empties(Host host, String podSet) {
    List<Toleration> own = tolerated(podSet);
    return host.repels(own) && (host.repelsAtOnce(own) || hasBegun(podSet));
  }

  private List<Toleration> tolerated(String podSet) {
    return tolerations.getOrDefault(podSet, List.of());
  }

  private boolean hasBegun(String podSet) {
    return pods.stream().anyMatch(it -> it.podSet().equals(podSet) && !it.isGated());
  }

  /** Whether no pod is there, nor still may get there. */
  private boolean isLeft(String name, Host host) {
    return !anyGoesOn(name) && (!anyWaitsFor(name) || since(host, BLINK));
  }

  private boolean anyGoesOn(String host) {
    return pods.stream().anyMatch(pod -> pod.host().equals(host) && pod.goesOn());
  }

  private boolean anyWaitsFor(String host) {
    return pods.stream().anyMatch(pod -> pod.host().equals(host) && pod.isBoundOnly());
  }

  /** Whether the PodSet needs places beside those where its pods are, or were while it took. */
  private boolean isMissed(String podSet, String host) {
    long elsewhere = 0;
    long succeeded = 0;
    for (GatedPod pod : pods) {
      if (pod.podSet().equals(podSet)) {
        if (pod.isGated()) {
          return true;
        }
        elsewhere += pod.stays() && !pod.host().equals(host) ? 1 : 0;
        succeeded += pod.succeeded() ? 1 : 0;
      }
    }
    return elsewhere + Math.max(succeeded, givenBack(podSet)) < count(podSet);
  }

  private long givenBack(String podSet) {
    return workload.status().reclaimablePods().stream()
        .filter(it -> it.name().equals(podSet))
        .mapToLong(ReclaimablePod::count)
        .sum();
  }

  /** As many pods as were admitted, or fewer where the job shrank since. */
  private long count(String podSet) {
    long wanted =
        workload.spec().podSets().stream()
            .filter(it -> it.name().equals(podSet))
            .mapToLong(PodSet::count)
            .sum();
    Admission admission = workload.status().admission();
    for (PodSetAssignment assignment :
        admission == null ? List.<PodSetAssignment>of() : admission.podSetAssignments()) {
      if (assignment.name().equals(podSet) && assignment.count() != null) {
        return Math.min(assignment.count(), wanted);
      }
    }
    return wanted;
  }

  private List<Write> stranded() {
    List<Write> writes = new ArrayList<>();
    Set<String> placed = new TreeSet<>();
    podSetsOn.values().forEach(placed::addAll);
    for (GatedPod pod : pods) {
      if (placed.contains(pod.podSet()) && pod.isBoundOnly() && isStranded(pod)) {
        writes.addAll(pod.fail(now));
      }
    }
    return writes;
  }

  /** Whether it waits for a node that does not accept it or is no longer its place. */
  private boolean isStranded(GatedPod pod) {
    return !pod.host().isEmpty() && (isElsewhere(pod) || isRefused(pod));
  }

  /** A pod written after the known state of the workload may have a place that is not known yet. */
  private boolean isElsewhere(GatedPod pod) {
    if (podSetsOn.getOrDefault(pod.host(), Set.of()).contains(pod.podSet())) {
      return false;
    }
    if (pod.version() > reached) {
      lookAt(now.plus(SOON));
      return false;
    }
    return true;
  }

  private boolean isRefused(GatedPod pod) {
    Host host = hosts.apply(pod.host());
    boolean lost =
        switch (host.state()) {
          case GONE, NOT_READY -> true;
          case READY -> settings.onTaints() && host.repels(tolerated(pod.podSet()));
        };
    return lost && since(host, BLINK);
  }
}
