package dev.sluice.lifecycle.variant;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.InMemoryObjects;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.variant.Families.Family;
import dev.sluice.lifecycle.workload.StatusPatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random stories of one Workload and its variants. Whatever the engine, the checks, and users do,
 * and wherever the scheduler is killed between two writes: the job runs only on quota that a
 * variant holds, and in the end the variants are those that the Workload should have.
 */
class VariantLawTest {
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final ObjectKey PARENT = new ObjectKey("team", "job-x-0a1b2");
  private static final List<String> FLAVORS = List.of("a", "b", "c");
  private static final int EVENTS = 60;
  private static final int MOST_ROUNDS = 100;

  private final VariantPlanner planner = new VariantPlanner(StatusDetail.GRANULAR, true);
  private final InMemoryObjects objects = new InMemoryObjects((_, _, _) -> {});

  private static <T> T read(Class<T> type, JsonNode tree) {
    return HubObjects.read(type, tree);
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static ClusterQueue queue(String migration) {
    return read(
        ClusterQueue.class,
        yaml(
            """
            metadata: {name: cq}
            spec:
              concurrentAdmissionPolicy: {migration: {%s}}
              resourceGroups:
              - coveredResources: [cpu]
                flavors:
                - {name: a, resources: [{name: cpu, nominalQuota: 1}]}
                - {name: b, resources: [{name: cpu, nominalQuota: 1}]}
                - {name: c, resources: [{name: cpu, nominalQuota: 1}]}
            """
                .formatted(migration)));
  }

  private void create() {
    objects.put(
        ApiKind.WORKLOAD.hub(),
        yaml(
            """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {namespace: team, name: job-x-0a1b2}
            spec: {queueName: main, active: true, podSets: [{name: main, count: 1, template: {spec: {containers: []}}}]}
            status: {}
            """),
        NOW);
  }

  private Optional<Workload> parent() {
    return objects
        .find(WORKLOAD, PARENT.namespace(), PARENT.name())
        .map(it -> read(Workload.class, it));
  }

  private List<Workload> variants() {
    return objects.all(WORKLOAD).stream()
        .filter(it -> !ObjectKey.of(it).equals(PARENT))
        .map(it -> read(Workload.class, it))
        .toList();
  }

  private VariantPlan plan(ClusterQueue queue) {
    return planner.plan(new Family(parent(), variants(), Optional.of(queue)), NOW);
  }

  private void send(Write write) {
    objects.send(write, NOW);
    objects.collectGarbage(NOW);
    parent()
        .filter(it -> Variants.isReserved(it) && !Variants.isFinished(it))
        .ifPresent(this::checkQuota);
  }

  /** Pods of the job may run, on the flavor of its admission. */
  private void checkQuota(Workload parent) {
    assertThat(variants())
        .as("a variant holds the quota of %s", parent.status().admission())
        .anyMatch(
            it ->
                Variants.holdsQuota(it)
                    && it.spec().podSets().equals(parent.spec().podSets())
                    && Variants.hasOnly(parent.status().admission(), Variants.flavor(it)));
  }

  private void edit(Workload workload, UnaryOperator<StatusEditor> change) {
    StatusEditor edit = new StatusEditor(workload, StatusDetail.GRANULAR, NOW);
    WorkloadStatus wanted = change.apply(edit).build();
    StatusPatch.patch(workload, wanted).ifPresent(this::send);
  }

  private void setActive(Workload workload, boolean active) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec").put("active", active);
    send(Variants.patch(workload, body));
  }

  private static Admission admission(String flavor) {
    return requireNonNull(
        read(
                Workload.class,
                yaml(
                    """
                    metadata: {namespace: team, name: w}
                    spec: {podSets: []}
                    status: {admission: {clusterQueue: cq, podSetAssignments: [{name: main, flavors: {cpu: %s}, count: 1}]}}
                    """
                        .formatted(flavor)))
            .status()
            .admission());
  }

  private static UnaryOperator<StatusEditor> evicting(String reason) {
    return it -> it.evict(reason, reason, "", "why");
  }

  /** What the engine, the checks, and users do to the variants and their parent. */
  private void happen(Random random) {
    List<Workload> variants = variants();
    Optional<Workload> parent = parent();
    if (random.nextInt(4) == 0 && parent.isPresent()) {
      happen(parent.get(), random);
    } else if (!variants.isEmpty()) {
      Workload variant = variants.get(random.nextInt(variants.size()));
      boolean isOut = !variant.spec().active() || Variants.isLeaving(variant);
      if (Variants.isReserved(variant)) {
        edit(variant, random.nextBoolean() ? StatusEditor::admit : evicting("Preempted"));
      } else if (!isOut) {
        edit(variant, it -> it.reserve(admission(Variants.flavor(variant))));
      }
    }
  }

  private void happen(Workload parent, Random random) {
    switch (random.nextInt(5)) {
      case 0 -> setActive(parent, !parent.spec().active());
      case 1 -> {
        if (Variants.isReserved(parent)) {
          edit(parent, evicting("PodsReadyTimeout"));
        }
      }
      case 2 -> {
        if (!Variants.isReserved(parent)) {
          resize(parent, 1 + random.nextInt(3));
        }
      }
      default -> runJob(parent);
    }
  }

  private void resize(Workload parent, int count) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec")
        .set(
            "podSets",
            yaml("[{name: main, count: %d, template: {spec: {containers: []}}}]".formatted(count)));
    send(Variants.patch(parent, body));
  }

  /** The pods of an evicted job end. */
  private boolean runJob(Workload parent) {
    boolean ends = Variants.isReserved(parent) && Variants.isEvicted(parent);
    if (ends) {
      edit(parent, it -> it.giveBack("PendingEvaluation", "why"));
    }
    return ends;
  }

  /** Who is deactivated is evicted by the controller of Workloads. */
  private boolean deactivate(Workload workload) {
    boolean gives =
        !workload.spec().active()
            && Variants.eviction(workload)
                .filter(it -> it.reason().equals("Deactivated"))
                .isEmpty();
    if (gives) {
      edit(workload, evicting("Deactivated"));
    }
    return gives;
  }

  /** Sends the first writes of a plan; then the scheduler is killed. */
  private void killed(ClusterQueue queue, Random random) {
    List<Write> writes = plan(queue).writes();
    writes.stream().limit(random.nextInt(writes.size() + 1)).forEach(this::send);
  }

  private void settle(ClusterQueue queue) {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      List<Write> writes = plan(queue).writes();
      writes.forEach(this::send);
      boolean moved = !writes.isEmpty();
      List<Workload> all = new ArrayList<>(variants());
      parent().ifPresent(all::add);
      for (Workload workload : all) {
        moved |= deactivate(workload);
      }
      moved |= parent().filter(this::runJob).isPresent();
      if (!moved) {
        return;
      }
    }
    throw new AssertionError("does not come to rest: " + plan(queue).writes());
  }

  private void checkRest(ClusterQueue queue) {
    Optional<Workload> parent = parent().filter(it -> !Variants.isFinished(it));
    if (parent.isEmpty() || !parent.get().spec().active()) {
      assertThat(variants()).isEmpty();
      return;
    }
    List<Workload> admitted = variants().stream().filter(Variants::isAdmitted).toList();
    Flavors flavors = Flavors.of(Optional.of(queue));
    if (!Variants.isReserved(parent.get())) {
      assertThat(admitted).isEmpty();
      assertThat(variants())
          .allMatch(it -> it.spec().active())
          .extracting(Variants::flavor)
          .containsExactlyInAnyOrderElementsOf(FLAVORS);
      return;
    }
    assertThat(admitted)
        .singleElement()
        .satisfies(
            source -> {
              assertThat(source.status().admission()).isEqualTo(parent.get().status().admission());
              assertThat(variants())
                  .filteredOn(it -> !it.equals(source) && it.spec().active())
                  .extracting(Variants::flavor)
                  .containsExactlyInAnyOrderElementsOf(
                      FLAVORS.stream()
                          .filter(it -> flavors.isBetter(it, Variants.flavor(source)))
                          .toList());
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "mode: TryPreferredFlavors",
    "mode: RetainFirstAdmission",
    "'mode: TryPreferredFlavors, constraints: {lastAcceptableFlavorName: a}'"
  })
  void aJobRunsOnQuotaOfAVariantAndAnyKillIsMadeUpFor(String migration) {
    ClusterQueue queue = queue(migration);
    for (int seed = 0; seed < 30; seed++) {
      story(queue, new Random(seed));
    }
  }

  private void story(ClusterQueue queue, Random random) {
    create();
    settle(queue);
    for (int i = 0; i < EVENTS; i++) {
      happen(random);
      if (random.nextBoolean()) {
        killed(queue, random);
      }
      if (random.nextInt(6) == 0) {
        settle(queue);
        checkRest(queue);
      }
    }
    if (random.nextBoolean()) {
      parent().ifPresent(it -> edit(it, done -> done.finish("Succeeded", "done")));
    } else {
      objects.delete(WORKLOAD, PARENT, NOW);
      objects.collectGarbage(NOW);
    }
    killed(queue, random);
    settle(queue);
    assertThat(variants()).isEmpty();
    objects.delete(WORKLOAD, PARENT, NOW);
  }
}
