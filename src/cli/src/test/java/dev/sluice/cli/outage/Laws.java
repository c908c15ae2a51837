package dev.sluice.cli.outage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The invariants of each revision that an observer can see, checked in the order of a history: no
 * subtree uses more than its limit; no Workload gets quota twice; no job starts or continues
 * without quota; a job has one Workload, never more pods than its parallelism and completions, and
 * ends once.
 *
 * <p>A success counts if the Job controller counted it. When a Job is stopped, that controller
 * removes its finalizer from pods that it believes to run before it deletes them. So it misses a
 * pod that has just succeeded, and creates another one when the Job is resumed. Only Kubernetes
 * could change that. In a Job that was not stopped, a success that is not counted breaks the
 * invariant.
 *
 * <p>Pods without quota are counted, no more: the Job controller may see late that a Job was
 * stopped, and then makes a Pod that it takes back a moment later.
 */
final class Laws {
  private static final int MANY = 50;

  private final List<QueueNode> trees;
  private final Map<String, Revision.OfWorkload> workloads = new HashMap<>();
  private final Map<String, Revision.OfJob> jobs = new HashMap<>();
  private final Map<String, Revision.OfKind> ofKinds = new HashMap<>();
  private final Map<String, Set<String>> livePods = new HashMap<>();
  private final Map<String, Set<String>> activePods = new HashMap<>();
  private final Map<String, Set<String>> succeededPods = new HashMap<>();
  private final Map<String, Set<String>> countedPods = new HashMap<>();
  private final Map<String, Set<String>> stoppedPods = new HashMap<>();
  private final Map<String, Integer> reservations = new HashMap<>();
  private final Map<String, Integer> evictions = new HashMap<>();
  private final Map<String, String> workloadOfJob = new HashMap<>();
  private final Map<String, Long> held = new HashMap<>();
  private final Set<String> breaches = new LinkedHashSet<>();
  private final Set<String> strays = new HashSet<>();
  private long most;

  private Laws(List<QueueNode> trees) {
    this.trees = trees;
  }

  /**
   * What a history came to.
   *
   * @param breaches one sentence for each law that was broken
   * @param strays how many Jobs had a Pod at a moment when they had no quota
   * @param most the most that was held in all queues, in thousandths of a cpu
   */
  record Verdict(
      List<String> breaches, int strays, long most, int evictions, Set<String> finishedJobs) {}

  static Verdict judge(List<Revision> history, List<QueueNode> trees) {
    Laws laws = new Laws(trees);
    for (Revision revision : history) {
      switch (revision) {
        case Revision.OfWorkload workload -> laws.see(workload);
        case Revision.OfJob job -> laws.see(job);
        case Revision.OfKind job -> laws.see(job);
        case Revision.OfPod pod -> laws.see(pod);
      }
    }
    return laws.verdict();
  }

  private Verdict verdict() {
    held.forEach(
        (queue, cpu) -> {
          if (cpu != 0) {
            breaches.add("%s is left with %d thousandths of a cpu held".formatted(queue, cpu));
          }
        });
    Set<String> finished = new HashSet<>();
    for (Revision.OfJob job : jobs.values()) {
      if (job.complete()) {
        finished.add(job.name());
        checkCounts(job);
      }
    }
    return new Verdict(
        breaches.stream().limit(MANY).toList(),
        strays.size(),
        most,
        evictions.values().stream().mapToInt(it -> it).sum(),
        finished);
  }

  private void checkCounts(Revision.OfJob job) {
    Set<String> succeeded = of(succeededPods, job.uid());
    Set<String> counted = of(countedPods, job.uid());
    if (job.succeeded() != job.completions() || counted.size() != job.completions()) {
      breaches.add(
          "%s has %d of %d pods succeeded, and %d were counted"
              .formatted(job.name(), job.succeeded(), job.completions(), counted.size()));
    }
    if (!succeeded.containsAll(counted)) {
      breaches.add("%s counted a pod that did not succeed".formatted(job.name()));
    }
    for (String pod : succeeded) {
      if (!counted.contains(pod) && !of(stoppedPods, job.uid()).contains(pod)) {
        breaches.add("%s did not count the success of pod %s".formatted(job.name(), pod));
      }
    }
  }

  private static Set<String> of(Map<String, Set<String>> pods, String job) {
    return pods.computeIfAbsent(job, _ -> new HashSet<>());
  }

  private void see(Revision.OfWorkload now) {
    Revision.OfWorkload before = workloads.put(now.uid(), now);
    if (before != null) {
      held.merge(before.queue(), -before.milliCpu(), Long::sum);
    }
    held.merge(now.queue(), now.milliCpu(), Long::sum);
    if (now.evicted() && (before == null || !before.evicted())) {
      evictions.merge(now.uid(), 1, Integer::sum);
    }
    if (now.reserved() && (before == null || !before.reserved())) {
      reserved(now);
    }
    if (before != null && before.finished() && !now.finished()) {
      breach(now, "Workload %s was finished and is not any more".formatted(now.name()));
    }
    if (now.admitted() && !now.reserved() && !now.finished()) {
      breach(now, "Workload %s is admitted without quota".formatted(now.name()));
    }
    checkQuota(now);
    if (before != null && before.holds() && !now.holds()) {
      countPodsOf(now.job());
    }
    if (before != null && before.reserved() && !now.reserved()) {
      Revision.OfKind job = ofKinds.get(now.job());
      if (job != null && !job.gone() && !job.suspended() && !now.finished()) {
        breach(now, "%s lost its quota while it was not suspended".formatted(job.name()));
      }
    }
  }

  private void reserved(Revision.OfWorkload now) {
    int times = reservations.merge(now.uid(), 1, Integer::sum);
    int may = 1 + evictions.getOrDefault(now.uid(), 0);
    if (times > may) {
      breach(
          now,
          "Workload %s got quota %d times with %d evictions".formatted(now.name(), times, may - 1));
    }
    if (!now.job().isEmpty()) {
      String other = workloadOfJob.putIfAbsent(now.job(), now.uid());
      if (other != null && !other.equals(now.uid())) {
        breach(now, "the job of Workload %s had quota for another one".formatted(now.name()));
      }
    }
  }

  private void checkQuota(Revision now) {
    List<String> found = new ArrayList<>();
    trees.forEach(tree -> tree.check(held, found));
    found.forEach(it -> breach(now, it));
    long sum = held.values().stream().mapToLong(it -> it).sum();
    most = Math.max(most, sum);
  }

  private void see(Revision.OfJob now) {
    Revision.OfJob before = jobs.put(now.uid(), now);
    if (before != null && before.complete() && !now.complete()) {
      breach(now, "Job %s was complete and is not any more".formatted(now.name()));
    }
    if (now.failed()) {
      breach(now, "Job %s failed".formatted(now.name()));
    }
    of(countedPods, now.uid()).addAll(now.counting());
    if (now.suspended()) {
      of(stoppedPods, now.uid()).addAll(of(livePods, now.uid()));
    }
  }

  private void see(Revision.OfKind now) {
    Revision.OfKind before = ofKinds.put(now.uid(), now);
    boolean isStarted = !now.suspended() && (before == null || before.suspended());
    if (isStarted && !isReserved(now.job())) {
      breach(now, "%s was started without quota".formatted(now.name()));
    }
  }

  private boolean isReserved(String job) {
    Revision.OfWorkload workload = workloads.get(workloadOfJob.getOrDefault(job, ""));
    return workload != null && workload.reserved();
  }

  private void see(Revision.OfPod now) {
    Set<String> active = of(activePods, now.job());
    boolean isNew = now.active() && active.add(now.uid());
    if (!now.active()) {
      active.remove(now.uid());
    }
    if (now.succeeded()) {
      of(succeededPods, now.job()).add(now.uid());
    }
    seeWhetherStopped(now);
    Revision.OfJob job = jobs.get(now.job());
    if (job == null || !isNew) {
      return;
    }
    if (active.size() > job.parallelism()) {
      breach(
          now,
          "Job %s has %d active pods, parallelism %d"
              .formatted(job.name(), active.size(), job.parallelism()));
    }
    int counted = of(countedPods, now.job()).size();
    if (active.size() + counted > job.completions()) {
      breach(
          now,
          "Job %s has %d active and %d succeeded pods, completions %d"
              .formatted(job.name(), active.size(), counted, job.completions()));
    }
    countPodsOf(now.job());
  }

  /** A pod was stopped if its Job was suspended at any moment while the pod was there. */
  private void seeWhetherStopped(Revision.OfPod now) {
    Set<String> live = of(livePods, now.job());
    if (now.gone()) {
      live.remove(now.uid());
    } else {
      live.add(now.uid());
    }
    Revision.OfJob job = jobs.get(now.job());
    if (job != null && job.suspended()) {
      of(stoppedPods, now.job()).add(now.uid());
    }
  }

  private void countPodsOf(String job) {
    Revision.OfWorkload workload = workloads.get(workloadOfJob.getOrDefault(job, ""));
    boolean holds = workload != null && workload.holds();
    if (!holds && !of(activePods, job).isEmpty()) {
      strays.add(job);
    }
  }

  private void breach(Revision at, String what) {
    breaches.add("at %d: %s".formatted(at.number(), what));
  }
}
