package dev.sluice.cli.schedule;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What must hold at each revision: a pod starts gated, gets its node once, and a place there that
 * its Workload has and no other pod of it took; it runs there; no node is given, or given pods, for
 * more than it has; and what was asked to be together is.
 */
final class PlacementLaws {
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int MANY = 50;

  private final int cpuOfANode;
  private final Function<String, String> rack;
  private final Map<String, Placed.OfWorkload> workloads = new HashMap<>();
  private final Map<String, Placed.OfPod> pods = new HashMap<>();
  private final Map<String, Integer> givenOn = new HashMap<>();
  private final Map<String, Integer> takenOn = new HashMap<>();
  private final Set<String> bound = new HashSet<>();
  private final Set<String> placements = new HashSet<>();
  private final Set<String> moved = new HashSet<>();
  private final Set<String> placed = new HashSet<>();
  private final Set<String> late = new LinkedHashSet<>();
  private final Set<String> breaches = new LinkedHashSet<>();
  private int most;

  private PlacementLaws(int cpuOfANode, Function<String, String> rack) {
    this.cpuOfANode = cpuOfANode;
    this.rack = rack;
  }

  /**
   * What a history came to.
   *
   * @param breaches one sentence for each law that was broken
   * @param bound how many pods got a node
   * @param placed how many Workloads got places
   * @param moved how many got other places than they had
   * @param late one sentence for each pod that got a place that had been taken from its Workload
   * @param mostCpu the most that all pods together took
   */
  record Verdict(
      List<String> breaches, int bound, int placed, int moved, List<String> late, int mostCpu) {}

  /**
   * Goes through a history.
   *
   * @param rack the rack of a node
   */
  static Verdict judge(List<Placed> history, int cpuOfANode, Function<String, String> rack) {
    var laws = new PlacementLaws(cpuOfANode, rack);
    for (Placed placed : history) {
      switch (placed) {
        case Placed.OfWorkload workload -> laws.see(workload);
        case Placed.OfPod pod -> laws.see(pod);
      }
    }
    laws.pods.values().stream()
        .filter(Placed.OfPod::gated)
        .filter(Placed.OfPod::live)
        .forEach(pod -> laws.breaches.add(pod.name() + " is left gated"));
    return new Verdict(
        laws.breaches.stream().limit(MANY).toList(),
        laws.bound.size(),
        laws.placements.size(),
        laws.moved.size(),
        laws.late.stream().limit(MANY).toList(),
        laws.most);
  }

  private void see(Placed.OfWorkload now) {
    Placed.OfWorkload before = workloads.put(now.name(), now);
    Map<String, Integer> had = before == null ? Map.of() : before.places();
    if (now.places().equals(had)) {
      return;
    }
    had.forEach((host, count) -> givenOn.merge(host, -count * now.cpu(), Integer::sum));
    now.places().forEach((host, count) -> givenOn.merge(host, count * now.cpu(), Integer::sum));
    for (String host : now.places().keySet()) {
      if (givenOn.getOrDefault(host, 0) > cpuOfANode) {
        breach(
            now,
            "%d of %d cpu are given of %s, at last to %s"
                .formatted(givenOn.get(host), cpuOfANode, host, now.name()));
      }
    }
    now.places().keySet().forEach(host -> placed.add(now.name() + "/" + host));
    if (!now.places().isEmpty()) {
      if (!placements.add(now.name())) {
        moved.add(now.name());
      }
      together(now);
    }
  }

  private void together(Placed.OfWorkload now) {
    int placed = now.places().values().stream().mapToInt(Integer::intValue).sum();
    if (placed != now.count()) {
      breach(now, "%s: %d of %d pods are placed".formatted(now.name(), placed, now.count()));
    }
    Map<String, Integer> racks = new HashMap<>();
    now.places().forEach((host, count) -> racks.merge(rack.apply(host), count, Integer::sum));
    if (now.required().endsWith("/rack") && racks.size() > 1) {
      breach(now, "%s must be in one rack and is in %s".formatted(now.name(), racks.keySet()));
    }
    if (now.required().equals(HOSTNAME) && now.places().size() > 1) {
      breach(now, "%s must be on one node and is on %s".formatted(now.name(), now.places()));
    }
    long torn = racks.values().stream().filter(count -> count % now.slice() != 0).count();
    if (torn > (placed % now.slice() == 0 ? 0 : 1)) { // pods may have succeeded before
      breach(
          now,
          "%s has slices of %d and lies in racks as %s".formatted(now.name(), now.slice(), racks));
    }
  }

  private void see(Placed.OfPod now) {
    Placed.OfPod before = pods.put(now.name(), now);
    if (before != null && before.live()) {
      takenOn.merge(before.host(), -before.cpu(), Integer::sum);
    }
    if (now.live()) {
      takenOn.merge(now.host(), now.cpu(), Integer::sum);
    }
    if (!now.node().isEmpty() && !now.node().equals(now.host())) {
      breach(now, "%s is on %s, not on %s".formatted(now.name(), now.node(), now.host()));
    }
    if (before == null) {
      if (!now.gated()) {
        breach(now, now.name() + " was never held back");
      }
    } else if (!before.gated() && now.gated()) {
      breach(now, now.name() + " lost its place");
    } else if (!before.gated() && !before.host().equals(now.host())) {
      breach(now, "%s went from %s to %s".formatted(now.name(), before.host(), now.host()));
    } else if (before.gated() && !now.gated()) {
      ungated(now);
    }
  }

  private void ungated(Placed.OfPod now) {
    bound.add(now.name());
    Placed.OfWorkload workload = workloads.get(now.workload());
    int places = workload == null ? 0 : workload.places().getOrDefault(now.host(), 0);
    long there =
        pods.values().stream()
            .filter(it -> it.live() && it.workload().equals(now.workload()))
            .filter(it -> it.host().equals(now.host()))
            .count();
    if (places == 0 && placed.contains(now.workload() + "/" + now.host())) {
      late.add(
          "at %d: %s got %s, which %s, last stored at %d, has not any more"
              .formatted(
                  now.version(),
                  now.name(),
                  now.host(),
                  now.workload(),
                  workload == null ? 0 : workload.version()));
    } else if (there > places) {
      breach(
          now,
          "%s is pod %d of %s on %s (expected: at most %d)"
              .formatted(now.name(), there, now.workload(), now.host(), places));
    }
    int cpu = takenOn.getOrDefault(now.host(), 0);
    if (cpu > cpuOfANode) {
      breach(now, "pods take %d of %d cpu of %s".formatted(cpu, cpuOfANode, now.host()));
    }
    int sum = 0;
    for (var taken : takenOn.entrySet()) {
      sum += taken.getKey().isEmpty() ? 0 : taken.getValue();
    }
    most = Math.max(most, sum);
  }

  private void breach(Placed at, String what) {
    breaches.add("at %d: %s".formatted(at.version(), what));
  }
}
