package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.installed.AuditLog;
import dev.sluice.cli.kinds.Resources;
import dev.sluice.cli.schedule.DispatchedJob.Kind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * However a job ends, nothing of it stays on a worker. The ways are played at the same time, each
 * with a job of its own of each kind: while all is well, while a worker is away, and while the
 * manager's scheduler is. Each job loses the race on one of the workers first.
 */
@FullTier
@NeedsControlPlane(Part.KUBE_CONTROLLER_MANAGER)
@Timeout(900)
class MultiKueueDeletionE2E {
  /** Jobs, JobSets, groups of Pods, and a kind of another program: so many of these. */
  private static final List<Kind> KINDS =
      Stream.of(Kind.values())
          .limit(Tier.number("sluice.test.multikueueDeletionKinds", 1, 2))
          .toList();

  private static final int ROOM = 100;
  private static final String PODS = Kind.POD_GROUP.everywhere();
  private static final Configuration CONFIGURATION = configuration();

  private static final Map<String, AuditLog> AUDITS = Map.of("a", audit(), "b", audit());

  @RegisterExtension
  private static final Fleet FLEET =
      new Fleet(it -> OwnCluster.ofControllersWith(requireNonNull(AUDITS.get(it)).flags()));

  private static List<AutoCloseable> manager;

  /** The namespace that is deleted in a round. */
  private static String namespace(String round) {
    return "gone-" + round;
  }

  private static DispatchedJob job(DeletionWay way, Kind kind, String round) {
    String name = kind + "-" + round + "-" + way;
    return new DispatchedJob(
        FLEET,
        kind,
        way == DeletionWay.NAMESPACE_DELETED ? namespace(round) : Fleet.NAMESPACE,
        name.toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /**
   * A job that runs.
   *
   * @param there the uids of its objects on its worker
   */
  private record Cell(DeletionWay way, DispatchedJob job, Set<String> there) {
    static Cell running(DeletionWay way, DispatchedJob job) {
      job.runs();
      return new Cell(way, job, job.uidsThere());
    }

    void play() {
      way.play(FLEET.api(), job);
    }
  }

  private static AuditLog audit() {
    return AuditLog.inNewFolder(AuditLog.policyOfDeletions(FleetSetup.USER));
  }

  private static Configuration configuration() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("namespace", Fleet.HOME);
    ArrayNode frameworks = document.putObject("integrations").putArray("frameworks");
    Stream.of(Framework.JOB, Framework.JOB_SET, Framework.POD)
        .forEach(it -> frameworks.add(it.frameworkName()));
    Wagons.configure(document);
    return ConfigurationReader.excerpt(document);
  }

  @BeforeAll
  static void schedulers() {
    FLEET.serve(Resources.text("kinds/jobset.yaml"), "jobsets.jobset.x-k8s.io");
    Wagons.serve(FLEET);
    FLEET.workers.values().forEach(it -> FLEET.opened(InProcessScheduler.of(it, CONFIGURATION)));
    manager = Fleet.manager(FLEET.manager, CONFIGURATION);
    DeletionWay.prepare(FLEET.api());
    FLEET.openQueue(ROOM, DeletionWay.SHARED);
    FLEET.openQueue(ROOM, DeletionWay.DRAINED);
    FleetSetup.queue(
        FLEET.api(),
        DeletionWay.LEFT,
        ROOM,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"left\"}]}");
    FLEET
        .workers
        .keySet()
        .forEach(it -> FleetSetup.queue(FLEET.api(it), DeletionWay.LEFT, ROOM, ""));
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable part : manager.reversed()) {
      part.close();
    }
    manager = List.of();
  }

  /** Lets a job of each kind run for each of the ways. */
  private static List<Cell> running(String round) {
    FLEET.openNamespace(namespace(round), DeletionWay.SHARED);
    List<Map.Entry<DeletionWay, DispatchedJob>> jobs = new ArrayList<>();
    for (DeletionWay way : DeletionWay.values()) {
      KINDS.stream()
          .filter(way::isPossible)
          .forEach(it -> jobs.add(Map.entry(way, job(way, it, round))));
    }
    jobs.forEach(it -> it.getValue().create(it.getKey().queue()));
    return jobs.stream().map(it -> Cell.running(it.getKey(), it.getValue())).toList();
  }

  private static void playThere(List<Cell> cells) {
    cells.stream().filter(it -> it.way.isThere()).forEach(Cell::play);
  }

  private static void playHere(List<Cell> cells) {
    cells.stream().filter(it -> !it.way.isThere()).forEach(Cell::play);
  }

  /** Waits for it while the other program stops what is evicted on these workers and here. */
  private static void await(String what, Collection<String> workers, BooleanSupplier condition) {
    FLEET.await(
        what,
        () -> {
          Wagons.stopEvicted(FLEET.api());
          workers.forEach(it -> Wagons.stopEvicted(FLEET.api(it)));
          return condition.getAsBoolean();
        });
  }

  /** The objects of jobs of these kinds in a cluster, and their Pods. */
  private static Stream<JsonNode> objects(ApiClient api) {
    return Stream.concat(KINDS.stream().map(Kind::everywhere), Stream.of(PODS))
        .distinct()
        .flatMap(it -> items(api, it));
  }

  private static Stream<JsonNode> items(ApiClient api, String collection) {
    return api.get(collection).orThrow().json().path("items").valueStream();
  }

  /** What is in a cluster: Workloads, jobs, Pods, and quota in use. */
  private static List<String> left(ApiClient api) {
    List<String> left =
        Stream.concat(items(api, Kueue.everywhere(WORKLOAD)), objects(api))
            .map(SampleJobs::name)
            .collect(Collectors.toCollection(ArrayList::new));
    items(api, Kueue.everywhere(CLUSTER_QUEUE))
        .filter(it -> it.at("/status/reservingWorkloads").asInt() > 0)
        .forEach(it -> left.add("quota of " + SampleJobs.name(it)));
    return left;
  }

  private static List<String> leftOnWorkers() {
    return FLEET.workers.keySet().stream().flatMap(it -> left(FLEET.api(it)).stream()).toList();
  }

  private static boolean isThere(Cell cell) {
    return FLEET.workers.keySet().stream()
        .flatMap(it -> items(FLEET.api(it), cell.job.kind().everywhere()))
        .anyMatch(it -> cell.there.contains(it.at("/metadata/uid").asText()));
  }

  /** Waits until all clusters are empty, and makes room for the next round. */
  private static void leavesNothing(List<Cell> cells) {
    List<Cell> again = cells.stream().filter(it -> it.way.leadsToAnotherDispatch()).toList();
    Set<String> all = FLEET.workers.keySet();
    for (Cell cell : again) {
      await(cell.job.name() + " is stopped", all, () -> !isThere(cell));
      cell.job.delete();
    }
    await("the workers are empty", all, () -> leftOnWorkers().isEmpty());
    cells.forEach(it -> it.job.delete());
    await("the manager is empty", all, () -> left(FLEET.api()).isEmpty());
    DeletionWay.undo(FLEET.api());
    assertThat(leftOnWorkers()).isEmpty();
    assertThat(AUDITS.values())
        .allSatisfy(
            log ->
                assertThat(log.deletions())
                    .isNotEmpty()
                    .allMatch(MultiKueueDeletionE2E::isCareful));
  }

  private static boolean isCareful(JsonNode deletion) {
    JsonNode options = deletion.path("requestObject");
    return options.path("propagationPolicy").asText().equals("Background")
        && options.at("/preconditions/uid").isTextual();
  }

  @Test
  void whileAllIsWellNothingStays() {
    List<Cell> cells = running("well");

    playThere(cells);
    playHere(cells);

    leavesNothing(cells);
  }

  @Test
  void whileAWorkerIsAwayNothingStaysWhenItIsBack() {
    List<Cell> cells = running("away");
    playThere(cells);

    FLEET.cluster("a").controlPlane().stopApiServer();
    try {
      playHere(cells);
      await("the other one is empty", Set.of("b"), () -> isEmptyOfEnded("b", cells));
    } finally {
      FLEET.cluster("a").controlPlane().restartApiServer();
    }

    leavesNothing(cells);
  }

  private static boolean isEmptyOfEnded(String worker, List<Cell> cells) {
    List<String> dispatched =
        cells.stream()
            .filter(it -> it.way.leadsToAnotherDispatch())
            .map(it -> it.job.name())
            .toList();
    return objects(FLEET.api(worker))
        .map(SampleJobs::name)
        .allMatch(it -> dispatched.stream().anyMatch(it::contains));
  }

  @Test
  void whileTheManagersSchedulerIsAwayNothingStaysWhenItIsBack() throws Exception {
    List<Cell> cells = running("killed");

    stop();
    playThere(cells);
    playHere(cells);
    manager = Fleet.manager(FLEET.manager, CONFIGURATION);

    leavesNothing(cells);
  }
}
