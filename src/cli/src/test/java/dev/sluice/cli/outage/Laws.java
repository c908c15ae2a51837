package dev.sluice.cli.outage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold at each revision that an observer can see, asked of a history in its order: no
 * subtree uses more than it may; nobody gets quota twice; a job has one Workload, runs pods only
 * while that holds quota, never more than its parallelism and completions, and ends once.
 */
final class Laws {
  private static final int MANY = 50;

  private final List<QueueNode> trees;
  private final Map<String, Revision.OfWorkload> workloads = new HashMap<>();
  private final Map<String, Revision.OfJob> jobs = new HashMap<>();
  private final Map<String, Set<String>> activePods = new HashMap<>();
  private final Map<String, Set<String>> succeededPods = new HashMap<>();
  private final Map<String, Integer> reservations = new HashMap<>();
  private final Map<String, Integer> evictions = new HashMap<>();
  private final Map<String, String> workloadOfJob = new HashMap<>();
  private final Map<String, Long> held = new HashMap<>();
  private final Set<String> breaches = new LinkedHashSet<>();
  private long most;

  private Laws(List<QueueNode> trees) {
    this.trees = trees;
  }

  /**
   * What a history came to.
   *
   * @param breaches one sentence for each law that was broken
   * @param most the most that was held in all queues, in thousandths of a cpu
   */
  record Verdict(List<String> breaches, long most, int evictions, Set<String> finishedJobs) {}

  static Verdict judge(List<Revision> history, List<QueueNode> trees) {
    Laws laws = new Laws(trees);
    for (Revision revision : history) {
      switch (revision) {
        case Revision.OfWorkload workload -> laws.see(workload);
        case Revision.OfJob job -> laws.see(job);
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
      int pods = succeededPods.getOrDefault(job.uid(), Set.of()).size();
      if (job.complete()) {
        finished.add(job.name());
        if (job.succeeded() != job.completions() || pods != job.completions()) {
          breaches.add(
              "%s counts %d of %d pods succeeded, and %d did"
                  .formatted(job.name(), job.succeeded(), job.completions(), pods));
        }
      }
    }
    return new Verdict(
        breaches.stream().limit(MANY).toList(),
        most,
        evictions.values().stream().mapToInt(it -> it).sum(),
        finished);
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
    if (now.holds() && (before == null || !before.holds())) {
      reserved(now);
    }
    if (before != null && before.finished() && !now.finished()) {
      breach(now, "Workload %s was finished and is not any more".formatted(now.name()));
    }
    if (now.admitted() && !now.holds() && !now.finished()) {
      breach(now, "Workload %s is admitted without quota".formatted(now.name()));
    }
    checkQuota(now);
    if (before != null && before.holds() && !now.holds()) {
      checkPodsOf(now.job(), now);
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
  }

  private void see(Revision.OfPod now) {
    Set<String> active = activePods.computeIfAbsent(now.job(), _ -> new HashSet<>());
    boolean isNew = now.active() && active.add(now.uid());
    if (!now.active()) {
      active.remove(now.uid());
    }
    Set<String> succeeded = succeededPods.computeIfAbsent(now.job(), _ -> new HashSet<>());
    if (now.succeeded()) {
      succeeded.add(now.uid());
    }
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
    if (active.size() + succeeded.size() > job.completions()) {
      breach(
          now,
          "Job %s has %d active and %d succeeded pods, completions %d"
              .formatted(job.name(), active.size(), succeeded.size(), job.completions()));
    }
    checkPodsOf(now.job(), now);
  }

  private void checkPodsOf(String job, Revision now) {
    Revision.OfWorkload workload = workloads.get(workloadOfJob.getOrDefault(job, ""));
    int active = activePods.getOrDefault(job, Set.of()).size();
    if (active > 0 && (workload == null || !workload.holds())) {
      Revision.OfJob it = jobs.get(job);
      breach(
          now,
          "%d pods of Job %s are active without quota"
              .formatted(active, it == null ? job : it.name()));
    }
  }

  private void breach(Revision at, String what) {
    breaches.add("at %d: %s".formatted(at.number(), what));
  }
}
