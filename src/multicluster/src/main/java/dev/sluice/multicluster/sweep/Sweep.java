package dev.sluice.multicluster.sweep;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.copy.OwnershipMarks;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.protocol.Presence;
import dev.sluice.multicluster.protocol.Withdrawal;
import dev.sluice.multicluster.sweep.Leftover.Absence;
import dev.sluice.multicluster.sweep.Leftover.JobLeft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plans which objects to delete on one worker: those with our origin and our mark whose Workload
 * does not exist on this manager. Nothing else records this intent. Pure.
 *
 * @param us this manager
 */
public record Sweep(Identity us) {
  private static final int FEW = 20;

  public Sweep {
    requireNonNull(us, "us");
  }

  /**
   * What to do.
   *
   * @param writes to the worker, in order
   * @param asksHere Workloads that this manager's API server is to be asked for first, those before
   *     the others that it was asked for already
   * @param asksThere jobs that the worker is to be asked for first
   * @param unproven objects with our origin that are not proved to be ours; they are left alone
   * @param isMass whether so many are to be deleted at once that each was asked for once more
   */
  public record Result(
      List<Write> writes,
      List<ObjectKey> asksHere,
      Set<Plan.Ask> asksThere,
      List<ObjectKey> unproven,
      boolean isMass) {
    public Result {
      writes = List.copyOf(writes);
      asksHere = List.copyOf(asksHere);
      asksThere = Set.copyOf(asksThere);
      unproven = List.copyOf(unproven);
    }
  }

  /**
   * Plans the sweep of a worker.
   *
   * @param isShared whether objects there are marked by other managers with our origin
   * @param copies how many Workloads of ours it has in all
   * @param confirmed those of which the absence here was asked once more since a mass was seen
   */
  public Result plan(
      String cluster,
      boolean isShared,
      int copies,
      List<Leftover> leftovers,
      Set<ObjectKey> confirmed,
      Instant now) {
    List<Write> writes = new ArrayList<>();
    List<ObjectKey> asksHere = new ArrayList<>();
    List<ObjectKey> unasked = new ArrayList<>();
    Set<Plan.Ask> asksThere = new HashSet<>();
    List<ObjectKey> unproven = new ArrayList<>();
    List<Leftover> toGo = new ArrayList<>();
    for (Leftover leftover : leftovers) {
      if (leftover.absence() == Absence.UNKNOWN) {
        continue;
      }
      Leftover ours = proved(leftover, isShared);
      if (ours.workload().isEmpty() && ours.jobs().stream().allMatch(it -> it.object().isEmpty())) {
        unproven.add(leftover.key());
      } else if (leftover.absence() == Absence.UNLISTED) {
        unasked.add(leftover.key());
      } else {
        toGo.add(ours);
      }
    }
    int count = toGo.size() + unasked.size(); // only some of a mass are asked for at a time
    boolean isMass = count > FEW && count * 2 > copies;
    for (Leftover leftover : toGo) {
      if (isMass && !confirmed.contains(leftover.key())) {
        asksHere.add(leftover.key());
      } else {
        remove(cluster, leftover, now, writes, asksThere);
      }
    }
    asksHere.addAll(unasked);
    return new Result(writes, asksHere, asksThere, unproven, isMass);
  }

  /** The same without what is not proved to be ours. */
  private Leftover proved(Leftover leftover, boolean isShared) {
    return new Leftover(
        leftover.key(),
        leftover.workload().filter(it -> isOurs(it, isShared)),
        leftover.jobs().stream()
            .map(it -> new JobLeft(it.kind(), it.name(), provedJob(leftover, it, isShared)))
            .toList(),
        leftover.absence());
  }

  private Optional<JsonNode> provedJob(Leftover leftover, JobLeft job, boolean isShared) {
    return job.object()
        .filter(it -> isOurs(it, isShared))
        .filter(it -> JobCopies.workloadOf(it).equals(leftover.key().name()));
  }

  private boolean isOurs(JsonNode object, boolean isShared) {
    return OwnershipMarks.of(object).ownership(us, "", isShared).isProved();
  }

  private static void remove(
      String cluster, Leftover leftover, Instant now, List<Write> writes, Set<Plan.Ask> asksThere) {
    Map<GroupVersionKind, Map<String, Presence>> byKind = new LinkedHashMap<>();
    for (JobLeft job : leftover.jobs()) {
      byKind.computeIfAbsent(job.kind(), _ -> new TreeMap<>()).put(job.name(), presence(job));
    }
    leftover.workload().ifPresent(it -> addOwners(it, byKind));
    boolean hasJobs = false;
    for (Map.Entry<GroupVersionKind, Map<String, Presence>> kind : byKind.entrySet()) {
      Withdrawal.Target jobs =
          target(cluster, leftover, Optional.empty(), Optional.of(kind.getKey()), kind.getValue());
      Set<Plan.Ask> unasked = jobs.unasked();
      hasJobs |= jobs.isThere() || !unasked.isEmpty();
      asksThere.addAll(unasked);
      Withdrawal.Target all =
          jobs.isThere()
              ? target(
                  cluster,
                  leftover,
                  leftover.workload(),
                  Optional.of(kind.getKey()),
                  kind.getValue())
              : jobs;
      add(Withdrawal.plan(all, false, "", now), writes, asksThere);
    }
    if (!hasJobs) {
      Withdrawal.Target alone =
          target(cluster, leftover, leftover.workload(), Optional.empty(), Map.of());
      add(Withdrawal.plan(alone, false, "", now), writes, asksThere);
    }
  }

  private static Presence presence(JobLeft job) {
    return job.object().<Presence>map(Presence.Present::new).orElse(Presence.absent());
  }

  /** The jobs that the copy names as its owners and that no list has. */
  private static void addOwners(
      JsonNode workload, Map<GroupVersionKind, Map<String, Presence>> byKind) {
    for (JsonNode owner : workload.path("metadata").path("ownerReferences")) {
      GroupVersionKind kind =
          GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText());
      byKind
          .computeIfAbsent(kind, _ -> new TreeMap<>())
          .putIfAbsent(owner.path("name").asText(), Presence.unlisted());
    }
  }

  private static Withdrawal.Target target(
      String cluster,
      Leftover leftover,
      Optional<JsonNode> workload,
      Optional<GroupVersionKind> kind,
      Map<String, Presence> jobs) {
    return new Withdrawal.Target(
        cluster, workload, kind, false, leftover.key().namespace(), jobs, _ -> false);
  }

  private static void add(Withdrawal.Steps steps, List<Write> writes, Set<Plan.Ask> asksThere) {
    writes.addAll(steps.writes());
    asksThere.addAll(steps.asks());
  }
}
