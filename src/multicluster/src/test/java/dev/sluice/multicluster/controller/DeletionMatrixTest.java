package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever is deleted, in whatever state of the protocol, and of whatever kind the job is: in the
 * end nothing of it is on a worker. All cells of a kind are played at the same time, each with a
 * job of its own. The test does what the schedulers of all clusters would do.
 */
@FullTier
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // most of it is waiting
@Order(1) // it takes long, so it begins first
class DeletionMatrixTest {
  @TempDir private Path folder;

  /** How far the job has come. */
  private enum State {
    OFFERED,
    WON,
    CHOSEN,
    EVICTING,
    FINISHED_THERE
  }

  /** What is deleted, or ends it. */
  private enum Deleted {
    /** On the manager, the job goes before its Workload, as after a deletion by a user. */
    JOB_THEN_WORKLOAD,
    /** The other order, which happens when their namespace is deleted. */
    WORKLOAD_THEN_JOB,
    /** The ClusterQueue is drained, so that the Workload loses its quota. */
    QUOTA,
    /** The copy of the Workload on the worker. */
    COPY,
    /** The job on the worker. */
    JOB_THERE,
    /** Both, with their namespace. */
    NAMESPACE_THERE;

    boolean isThere() {
      return this == COPY || this == JOB_THERE || this == NAMESPACE_THERE;
    }
  }

  private record Cell(JobFamily family, State state, Deleted deleted) {
    String job() {
      return (state + "-" + deleted).toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Only the job of a chosen one is there, and what is over is not done again. */
    boolean isPossible() {
      return !deleted.isThere()
          || state == State.CHOSEN
          || (state == State.OFFERED && deleted == Deleted.COPY);
    }
  }

  private static List<Cell> cells(JobFamily family) {
    return Stream.of(State.values())
        .flatMap(state -> Stream.of(Deleted.values()).map(it -> new Cell(family, state, it)))
        .filter(Cell::isPossible)
        .toList();
  }

  private static void await(String what, BooleanSupplier condition) {
    Awaitility.await(what).atMost(InMemoryFleet.AMPLE).until(condition::getAsBoolean);
  }

  /** Sets that condition, in place of one of its type. */
  static void condition(ObjectNode workload, String type, String status, String reason) {
    ArrayNode conditions = workload.withObjectProperty("status").withArrayProperty("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--) {
      if (conditions.get(i).path("type").asText().equals(type)) {
        conditions.remove(i);
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", "")
        .put("lastTransitionTime", "2026-11-24T09:00:00Z");
  }

  private static String workload(Cell cell) {
    return Clusters.WORKLOADS + "/" + cell.job();
  }

  private static void create(InMemoryFleet fleet, Cell cell) {
    for (String member : cell.family().members(cell.job())) {
      fleet
          .clusters
          .manager
          .objects()
          .put(cell.family().collection(), cell.family().object(member));
    }
    fleet.workload(cell.job(), cell.family().owners(cell.job()), cell.family().annotations());
  }

  private static boolean isChosen(InMemoryFleet fleet, Cell cell) {
    return fleet.workload(cell.job()).at("/status/clusterName").asText("").equals("a")
        && cell.family().members(cell.job()).stream()
            .allMatch(it -> fleet.has("a", cell.family().collection() + "/" + it));
  }

  /** Brings all jobs into their states. */
  private static void begin(InMemoryFleet fleet, List<Cell> cells) {
    cells.forEach(it -> create(fleet, it));
    for (Cell cell : cells) {
      fleet.awaitCopy("a", cell.job());
      fleet.awaitCopy("b", cell.job());
    }
    String creates = "POST " + cells.getFirst().family().collection() + "?";
    List<Cell> won = cells.stream().filter(it -> it.state() == State.WON).toList();
    List<Cell> further = cells.stream().filter(it -> it.state().compareTo(State.WON) > 0).toList();
    further.forEach(it -> fleet.admit("a", it.job()));
    further.forEach(it -> await(it + " is chosen", () -> isChosen(fleet, it)));
    fleet.worker("a").answer(creates, Answer.of(503, "not now"));
    int before = fleet.worker("a").calls(creates).size();
    won.forEach(it -> fleet.admit("a", it.job()));
    await(
        "creates are refused",
        () -> won.isEmpty() || fleet.worker("a").calls(creates).size() > before);
    for (Cell cell : further) {
      if (cell.state() == State.EVICTING) {
        fleet
            .clusters
            .manager
            .objects()
            .edit(workload(cell), it -> condition(it, "Evicted", "True", "Preempted"));
      } else if (cell.state() == State.FINISHED_THERE) {
        fleet
            .worker("a")
            .objects()
            .edit(workload(cell), it -> condition(it, "Finished", "True", "Succeeded"));
      }
    }
  }

  private static void delete(InMemoryFleet fleet, Cell cell) {
    var here = fleet.clusters.manager.objects();
    var there = fleet.worker("a").objects();
    List<String> jobs =
        cell.family().members(cell.job()).stream()
            .map(it -> cell.family().collection() + "/" + it)
            .toList();
    switch (cell.deleted()) {
      case JOB_THEN_WORKLOAD -> {
        jobs.forEach(here::remove);
        here.remove(workload(cell));
      }
      case WORKLOAD_THEN_JOB -> {
        here.remove(workload(cell));
        jobs.forEach(here::remove);
      }
      case QUOTA -> loseQuota(fleet, cell);
      case COPY -> there.remove(workload(cell));
      case JOB_THERE -> jobs.forEach(there::remove);
      case NAMESPACE_THERE -> {
        jobs.forEach(there::remove);
        there.remove(workload(cell));
      }
    }
  }

  /** What the manager's scheduler does at the end of an eviction. */
  private static void loseQuota(InMemoryFleet fleet, Cell cell) {
    fleet
        .clusters
        .manager
        .objects()
        .edit(
            workload(cell),
            it -> {
              condition(it, "Evicted", "True", "ClusterQueueStopped");
              condition(it, "QuotaReserved", "False", "Pending");
              it.withObjectProperty("status").remove(List.of("admission", "clusterName"));
            });
  }

  /** What the worker's scheduler does when the manager wants a copy to stop. */
  private static void stopThere(MemoryApiServer worker, Cell cell) {
    boolean isAsked =
        worker
            .objects()
            .find(workload(cell))
            .filter(it -> Conditions.isTrue(it, "DeactivationTarget"))
            .filter(it -> !Conditions.isTrue(it, "Evicted"))
            .isPresent();
    if (isAsked) {
      worker
          .objects()
          .edit(
              workload(cell),
              it -> {
                condition(it, "Evicted", "True", "Deactivated");
                condition(it, "QuotaReserved", "False", "Pending");
                condition(it, "Admitted", "False", "NoReservation");
              });
    }
  }

  /** What is on a worker of that job. The schedulers of the workers work meanwhile. */
  private static List<String> left(InMemoryFleet fleet, Cell cell) {
    List<String> left = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      stopThere(fleet.worker(name), cell);
      Stream.concat(
              Stream.of(workload(cell)),
              cell.family().members(cell.job()).stream()
                  .map(it -> cell.family().collection() + "/" + it))
          .filter(it -> fleet.has(name, it))
          .forEach(it -> left.add(name + it));
    }
    return left;
  }

  /** The manager reacted to a deletion on the worker: by a new copy, or by a Retry of the check. */
  private static boolean isNoticed(InMemoryFleet fleet, Cell cell) {
    return cell.state() == State.OFFERED
        ? fleet.has("a", workload(cell))
        : fleet.workload(cell.job()).at("/status/admissionChecks/0/state").asText().equals("Retry");
  }

  @ParameterizedTest
  @EnumSource(JobFamily.class)
  void nothingStaysOnAWorkerWhateverIsDeletedInWhateverState(JobFamily family) {
    List<Cell> cells = cells(family);
    try (InMemoryFleet fleet =
        new InMemoryFleet(folder, JobFamily.configuration(), JobFamily.more())) {
      fleet.startConnected("a", "b");
      begin(fleet, cells);

      cells.forEach(it -> delete(fleet, it));
      fleet.worker("a").mend();

      for (Cell cell : cells) {
        if (cell.deleted().isThere()) {
          await(cell + " is noticed", () -> isNoticed(fleet, cell));
          loseQuota(fleet, cell);
        }
      }
      for (Cell cell : cells) {
        await(cell + " leaves nothing", () -> left(fleet, cell).isEmpty());
      }
      for (String worker : List.of("a", "b")) {
        assertThat(fleet.worker(worker).deletions())
            .isNotEmpty()
            .allMatch(it -> it.contains("\"Background\"") && it.contains("\"uid\""));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(JobFamily.class)
  void aWorkerThatIsTakenAwayIsEmptiedFirst(JobFamily family) {
    Cell cell = new Cell(family, State.CHOSEN, Deleted.QUOTA);
    Cell waits = new Cell(family, State.OFFERED, Deleted.QUOTA);
    String cluster = Clusters.MULTI_KUEUE_CLUSTERS + "/a";
    try (InMemoryFleet fleet =
        new InMemoryFleet(folder, JobFamily.configuration(), JobFamily.more())) {
      fleet.startConnected("a", "b");
      begin(fleet, List.of(cell, waits));

      fleet
          .clusters
          .manager
          .objects()
          .edit(
              cluster,
              it ->
                  it.withObjectProperty("metadata")
                      .put("deletionTimestamp", "2026-11-24T10:00:00Z"));
      fleet.worker("a").mend();

      await(
          "the manager starts over",
          () ->
              fleet
                  .workload(cell.job())
                  .at("/status/admissionChecks/0/state")
                  .asText()
                  .equals("Retry"));
      loseQuota(fleet, cell);
      await(
          "the cluster is gone",
          () -> {
            var _ = left(fleet, cell); // its scheduler stops what runs
            return fleet.clusters.cluster("a").isEmpty();
          });
      assertThat(left(fleet, cell)).isEmpty();
      assertThat(left(fleet, waits)).as("it is offered to the other one").hasSize(1);
    }
  }
}
