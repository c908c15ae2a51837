package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a Workload waits for on a worker is told in the message of its check. When that is
 * mended, it runs there. Each reason has a namespace of its own; all are played at the same time.
 */
@FullTier
@Timeout(240)
@Order(1) // it takes long, so it begins first
class ExplainedTest {
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";

  /** What is wrong on the worker, and the sentence of it. */
  private enum Reason {
    NAMESPACE_MISSING("namespace namespace-missing is not there"),
    NAMESPACE_TERMINATING("namespace namespace-terminating is terminating"),
    WORKLOAD_REFUSED("create workloads.kueue.x-k8s.io refused: not here"),
    JOB_REFUSED("create jobs.batch refused: not here"),
    NAME_REFUSED("get jobs.batch refused: not here"),
    NO_LOCAL_QUEUE("LocalQueue no-local-queue/lq is not there"),
    QUEUE_NOT_ACTIVE("ClusterQueue queue-not-active is not active: its flavor is missing"),
    SILENT(
        "ClusterQueue silent is active, and the worker has not looked at the workload;"
            + " touched once"),
    NO_QUOTA("waits for quota: 3 more cpu needed"),
    CHECKS_PENDING("has quota, waits for checks p (soon)"),
    HELD_BY_FINALIZER("Workload j is being deleted, held by finalizer example.com/hold"),
    LABEL_REMOVED(
        "somebody removed the label kueue.x-k8s.io/multikueue-origin from the copy: put it back or"
            + " delete the copy"),
    OTHER_CHECK_PENDING("waits for its other admission checks"),
    STILL_SUSPENDED("Job is still held back there: is the integration of Job on there?"),
    NO_POD_READY("no Pod of it is ready there");

    private final String sentence;

    Reason(String sentence) {
      this.sentence = sentence;
    }

    String namespace() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String workload() {
      return KUEUE + "namespaces/" + namespace() + "/workloads/j";
    }

    String job() {
      return "/apis/batch/v1/namespaces/" + namespace() + "/jobs/j";
    }

    /** Whether a copy is there while it is told. */
    boolean hasCopy() {
      return switch (this) {
        case NAMESPACE_MISSING,
            NAMESPACE_TERMINATING,
            WORKLOAD_REFUSED,
            NAME_REFUSED,
            OTHER_CHECK_PENDING ->
            false;
        default -> true;
      };
    }

    /** Whether the reason is about a job whose worker was chosen. */
    boolean isOfChosen() {
      return this == STILL_SUSPENDED || this == NO_POD_READY;
    }
  }

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // set at the beginning of each test
  private InMemoryFleet fleet;

  /** The reasons whose requests are not refused any more. */
  private final Set<Reason> mended = ConcurrentHashMap.newKeySet();

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static void until(String what, Callable<Boolean> condition) {
    await(what).atMost(InMemoryFleet.AMPLE).until(condition);
  }

  private MemoryObjects here() {
    return fleet.clusters.manager.objects();
  }

  private MemoryObjects there() {
    return fleet.worker("a").objects();
  }

  private static ObjectNode condition(String type, boolean isTrue, String message) {
    return MemoryObjects.tree(
        "{'type': '%s', 'status': '%s', 'reason': 'R', 'message': '%s',"
                .formatted(type, isTrue ? "True" : "False", message)
            + " 'lastTransitionTime': '2026-11-24T09:00:00Z'}");
  }

  private void clusterQueue(Reason reason, boolean isActive, String message) {
    there()
        .put(
            KUEUE + "clusterqueues",
            """
            {'metadata': {'name': '%s', 'creationTimestamp': '2026-11-24T09:00:00Z'},
             'status': {'conditions': [%s]}}\
            """
                .formatted(
                    reason.namespace(),
                    condition("Active", isActive, message).toString().replace('"', '\'')));
  }

  private void localQueue(Reason reason) {
    there()
        .put(
            KUEUE + "namespaces/" + reason.namespace() + "/localqueues",
            """
            {'metadata': {'name': 'lq', 'namespace': '%1$s',
             'creationTimestamp': '2026-11-24T09:00:00Z'}, 'spec': {'clusterQueue': '%1$s'}}\
            """
                .formatted(reason.namespace()));
  }

  private void namespace(Reason reason, boolean isTerminating) {
    there()
        .put(
            "/api/v1/namespaces",
            "{'metadata': {'name': '%s'%s}}"
                .formatted(
                    reason.namespace(),
                    isTerminating ? ", 'deletionTimestamp': '2026-11-24T09:00:00Z'" : ""));
  }

  private void refuse(Reason reason, String call) {
    fleet
        .worker("a")
        .with(
            it ->
                it.startsWith(call) && !mended.contains(reason)
                    ? Optional.of(Answer.of(403, "not here"))
                    : Optional.empty());
  }

  private static String collection(String object) {
    return object.substring(0, object.lastIndexOf('/'));
  }

  /** What is so on the worker before the job comes. */
  private void prepare(Reason reason) {
    if (reason != Reason.NAMESPACE_MISSING) {
      namespace(reason, reason == Reason.NAMESPACE_TERMINATING);
    }
    if (reason != Reason.NO_LOCAL_QUEUE) {
      localQueue(reason);
    }
    boolean isActive = reason != Reason.QUEUE_NOT_ACTIVE;
    clusterQueue(reason, isActive, isActive ? "" : "its flavor is missing");
    switch (reason) {
      case WORKLOAD_REFUSED -> refuse(reason, "POST " + collection(reason.workload()));
      case JOB_REFUSED -> refuse(reason, "POST " + collection(reason.job()));
      case NAME_REFUSED -> refuse(reason, "GET " + reason.job());
      default -> {}
    }
  }

  private void create(Reason reason) {
    fleet.job(reason.namespace(), "j");
    if (reason == Reason.OTHER_CHECK_PENDING) {
      here().edit(reason.workload(), it -> otherCheck(it, "Pending"));
    }
  }

  private static void otherCheck(ObjectNode workload, String state) {
    ObjectNode check =
        MemoryObjects.tree(
            "{'name': 'other', 'message': '', 'lastTransitionTime': '2026-11-24T09:00:00Z'}");
    var checks = workload.withObjectProperty("status").withArrayProperty("admissionChecks");
    if (checks.size() > 1) {
      checks.remove(1);
    }
    checks.add(check.put("state", state));
  }

  private void edit(Reason reason, Consumer<ObjectNode> change) {
    there().edit(reason.workload(), change);
  }

  /** What goes wrong once a copy is there. */
  private void spoil(Reason reason) {
    switch (reason) {
      case NO_QUOTA -> edit(reason, it -> conditions(it, "QuotaReserved", false));
      case CHECKS_PENDING ->
          edit(
              reason,
              it -> {
                conditions(it, "QuotaReserved", true);
                it.withObjectProperty("status")
                    .putArray("admissionChecks")
                    .addObject()
                    .put("name", "p")
                    .put("state", "Pending")
                    .put("message", "soon");
              });
      case HELD_BY_FINALIZER -> {
        edit(
            reason,
            it -> it.withObjectProperty("metadata").putArray("finalizers").add("example.com/hold"));
        here()
            .edit(reason.workload(), it -> ((ObjectNode) it.at("/spec/podSets/0")).put("count", 2));
      }
      case LABEL_REMOVED -> edit(reason, it -> it.withObjectProperty("metadata").remove("labels"));
      case JOB_REFUSED -> admit(reason);
      case STILL_SUSPENDED, NO_POD_READY -> {
        admit(reason);
        until(reason + " is chosen", () -> runs(reason));
        if (reason == Reason.NO_POD_READY) {
          start(reason, 0);
        }
        here()
            .edit(
                reason.workload(),
                it ->
                    ((ObjectNode) it.at("/status/admissionChecks/0"))
                        .put("lastTransitionTime", "2026-11-24T09:00:00Z"));
      }
      default -> {}
    }
  }

  private static void conditions(ObjectNode workload, String type, boolean isTrue) {
    workload
        .withObjectProperty("status")
        .putArray("conditions")
        .add(condition(type, isTrue, isTrue ? "" : "3 more cpu needed"));
  }

  private void start(Reason reason, int ready) {
    there()
        .edit(
            reason.job(),
            it -> {
              it.withObjectProperty("spec").put("suspend", false);
              it.withObjectProperty("status").put("active", 1).put("ready", ready);
            });
  }

  private void mend(Reason reason) {
    mended.add(reason);
    switch (reason) {
      case NAMESPACE_MISSING, NAMESPACE_TERMINATING -> namespace(reason, false);
      case NO_LOCAL_QUEUE -> localQueue(reason);
      case QUEUE_NOT_ACTIVE -> clusterQueue(reason, true, "");
      case HELD_BY_FINALIZER -> there().remove(reason.workload());
      case LABEL_REMOVED ->
          edit(
              reason,
              it ->
                  it.withObjectProperty("metadata")
                      .putObject("labels")
                      .put("kueue.x-k8s.io/multikueue-origin", "multikueue"));
      case OTHER_CHECK_PENDING -> here().edit(reason.workload(), it -> otherCheck(it, "Ready"));
      case STILL_SUSPENDED, NO_POD_READY -> start(reason, 1);
      default -> {}
    }
  }

  private void admit(Reason reason) {
    edit(
        reason,
        it -> {
          conditions(it, "QuotaReserved", true);
          ((ObjectNode) it.path("status"))
              .withArrayProperty("conditions")
              .add(condition("Admitted", true, ""));
        });
  }

  private String message(Reason reason) {
    return here()
        .find(reason.workload())
        .orElseThrow()
        .at("/status/admissionChecks/0/message")
        .asText();
  }

  private boolean runs(Reason reason) {
    JsonNode workload = here().find(reason.workload()).orElseThrow();
    return workload.at("/status/clusterName").asText().equals("a")
        && there().find(reason.job()).isPresent();
  }

  @Test
  void eachReasonIsToldAndTheWorkloadRunsWhenItIsMended() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a");
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");
    List<Reason> reasons = List.of(Reason.values());
    reasons.forEach(this::prepare);
    reasons.forEach(this::create);
    for (Reason reason : reasons) {
      if (reason.hasCopy()) {
        until(reason + " has a copy", () -> there().find(reason.workload()).isPresent());
        spoil(reason);
      }
    }
    for (Reason reason : reasons) {
      await(reason.name())
          .atMost(InMemoryFleet.AMPLE)
          .untilAsserted(
              () -> {
                if (reason == Reason.LABEL_REMOVED) {
                  spoil(reason); // a touch that was under way may have brought it back
                }
                assertThat(message(reason)).endsWith(reason.sentence);
              });
    }

    Map<Reason, Long> millis = new EnumMap<>(Reason.class);
    for (Reason reason : reasons) {
      long began = System.nanoTime();
      mend(reason);
      until(reason + " goes on", () -> goesOn(reason));
      if (!reason.isOfChosen() && reason != Reason.JOB_REFUSED) {
        admit(reason);
      }
      until(reason + " runs", () -> runs(reason));
      millis.put(reason, (System.nanoTime() - began) / 1_000_000);
    }
    System.out.println("ms from the end of a reason until the job is there: " + millis);
  }

  /** Whether the worker has the next object that it lacked, or nothing is told any more. */
  private boolean goesOn(Reason reason) {
    if (reason.isOfChosen()) {
      return message(reason).equals("The workload was admitted on \"a\"");
    }
    if (reason == Reason.JOB_REFUSED) {
      return there().find(reason.job()).isPresent();
    }
    return there()
        .find(reason.workload())
        .filter(it -> !it.at("/metadata").has("deletionTimestamp"))
        .isPresent();
  }

  @Test
  void aWorkerThatIsOutOfReachIsToldWithItsErrorAndTheNextAttempt() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a");
    fleet.worker("a").answer("GET ", Answer.of(503, "starting"));
    fleet.connect("a");
    fleet.job("j");
    await()
        .atMost(InMemoryFleet.AMPLE)
        .untilAsserted(
            () ->
                assertThat(fleet.checkMessage("j"))
                    .startsWith("1 cluster. a: not connected: ")
                    .contains("starting, next attempt 20"));

    fleet.worker("a").mend();

    fleet.awaitCopy("a", "j");
  }

  @Test
  void whatADispatcherOfOthersNominatesIsToldAsFarAsItIsNotUsed() {
    fleet =
        new InMemoryFleet(
            folder,
            ConfigurationReader.excerpt(
                Lookup.tree(
                    "{'namespace': 'home',"
                        + " 'multiKueue': {'dispatcherName': 'example.com/dispatcher'}}")),
            List.of());
    fleet.start("a");
    fleet.connect("a");
    fleet.job("j");
    until("not nominated", () -> fleet.checkMessage("j").equals("1 cluster. a: not nominated"));

    here()
        .edit(
            Clusters.WORKLOADS + "/j",
            it ->
                it.withObjectProperty("status")
                    .putArray("nominatedClusterNames")
                    .add("a")
                    .add("nowhere"));

    fleet.awaitCopy("a", "j");
    until(
        "unknown name",
        () -> fleet.checkMessage("j").endsWith("; nominated cluster nowhere is unknown"));
  }
}
