package dev.sluice.lifecycle.variant;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.variant.Families.Family;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is written about Workload {@code job} and its variants, in a ClusterQueue with the flavors
 * {@code a}, {@code b} and {@code c}, the most preferred first.
 */
class VariantPlannerTest {
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static final String RESERVED = condition("QuotaReserved", "True", "QuotaReserved");
  private static final String ADMITTED =
      RESERVED + ", " + condition("Admitted", "True", "Admitted");

  private final VariantPlanner planner = new VariantPlanner(StatusDetail.GRANULAR, true);

  private static String condition(String type, String status, String reason) {
    return "{type: %s, status: \"%s\", reason: %s, message: why, lastTransitionTime: \"2026-01-01T11:00:00Z\"}"
        .formatted(type, status, reason);
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClusterQueue queue(String migration) {
    return HubObjects.read(
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

  private static Workload workload(String metadata, String spec, String status) {
    return HubObjects.read(
        Workload.class,
        yaml(
            """
            metadata: {namespace: team, resourceVersion: "7", %s}
            spec: {queueName: main, %s, podSets: [{name: main, count: 1, template: {spec: {containers: []}}}]}
            status: {%s}
            """
                .formatted(metadata, spec, status)));
  }

  /** The Workload of a job, which is split where its labels say so. */
  private static Workload parent(String spec, String status) {
    return workload(
        "name: job-x-0a1b2, uid: p, labels: {kueue.x-k8s.io/concurrent-admission-parent: \"true\"}",
        spec,
        status);
  }

  private static Workload pending() {
    return parent("active: true", "");
  }

  private static Workload running(String flavor, String more) {
    return parent("active: true", status(ADMITTED + more, flavor));
  }

  private static String status(String conditions, String flavor) {
    return "conditions: ["
        + conditions
        + "], admission: {clusterQueue: cq, podSetAssignments: [{name: main, flavors: {cpu: "
        + flavor
        + "}, count: 1}]}";
  }

  private static Workload variant(String flavor, String spec, String status) {
    return workload(
        """
        name: v-%s, uid: u-%s, finalizers: [kueue.x-k8s.io/resource-in-use],
          annotations: {kueue.x-k8s.io/workload-allowed-resource-flavors: %s},
          ownerReferences: [{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, name: job-x-0a1b2, uid: p, controller: true}]
        """
            .formatted(flavor, flavor, flavor)
            .strip(),
        spec + ", preemptionGates: [{name: kueue.x-k8s.io/concurrent-admission}]",
        status);
  }

  private static Workload waits(String flavor) {
    return variant(flavor, "active: true", "");
  }

  private static Workload out(String flavor) {
    return variant(flavor, "active: false", "");
  }

  private static Workload admitted(String flavor) {
    return variant(flavor, "active: true", status(ADMITTED, flavor));
  }

  private static String gate(String position, String since) {
    return "preemptionGates: [{name: kueue.x-k8s.io/concurrent-admission, position: %s, lastTransitionTime: \"%s\"}]"
        .formatted(position, since);
  }

  private static Workload open(String flavor, String since) {
    return variant(flavor, "active: true", gate("Open", since));
  }

  private VariantPlan plan(String migration, Workload parent, Workload... variants) {
    return planner.plan(
        new Family(Optional.of(parent), List.of(variants), Optional.of(queue(migration))), NOW);
  }

  /** The writes, each as a word and what it is about, and the reasons of events. */
  private static List<String> words(VariantPlan plan) {
    return plan.writes().stream().map(VariantPlannerTest::word).toList();
  }

  private static String word(Write write) {
    String name = write.target().name();
    return switch (write) {
      case Write.Create _ -> "create " + name.replaceAll("-[0-9a-f]{5}$", "");
      case Write.MergePatch patch -> "patch " + name + " " + patch.patch();
      case Write.Apply _ -> "apply " + name;
      case Write.Delete _ -> "delete " + name;
      case Write.Event event -> event.reason();
    };
  }

  private static List<String> kinds(VariantPlan plan) {
    return plan.writes().stream()
        .map(it -> it instanceof Write.Event event ? event.reason() : it.target().name())
        .toList();
  }

  @Test
  void aWorkloadThatIsToBeSplitGetsALabel() {
    Workload plain = workload("name: job, uid: p", "active: true", "");

    assertThat(words(plan("mode: TryPreferredFlavors", plain)))
        .containsExactly(
            "patch job"
                + " {\"metadata\":{\"labels\":{\"kueue.x-k8s.io/concurrent-admission-parent\":\"true\"}}}");
  }

  @Test
  void whatHasQuotaAlreadyAndSlicesOfJobsThatGrowAreNotSplit() {
    String slice = "name: job, uid: p, annotations: {kueue.x-k8s.io/workload-slice-name: s}";
    for (Workload plain :
        List.of(
            workload("name: job, uid: p", "active: true", status(ADMITTED, "a")),
            workload(slice, "active: true", ""))) {
      assertThat(plan("mode: TryPreferredFlavors", plain).writes()).isEmpty();
    }
  }

  @Test
  void thereIsAVariantForEachFlavor() {
    VariantPlan plan = plan("mode: TryPreferredFlavors", pending(), waits("b"));

    assertThat(words(plan))
        .containsExactly(
            "create job-x-variant-a", "CreatedVariant", "create job-x-variant-c", "CreatedVariant");
    JsonNode body = ((Write.Create) plan.writes().getFirst()).body();
    assertThat(body.at("/metadata/annotations"))
        .hasToString("{\"kueue.x-k8s.io/workload-allowed-resource-flavors\":\"a\"}");
    assertThat(body.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("p");
    assertThat(body.at("/metadata/ownerReferences/0/controller").asBoolean()).isTrue();
    assertThat(body.at("/spec/preemptionGates"))
        .hasToString("[{\"name\":\"kueue.x-k8s.io/concurrent-admission\"}]");
    assertThat(body.at("/spec/queueName").asText()).isEqualTo("main");
  }

  @Test
  void aVariantOfAFlavorThatIsNotThereAnyMoreGoes() {
    assertThat(
            kinds(
                plan(
                    "mode: TryPreferredFlavors",
                    pending(),
                    waits("a"),
                    waits("b"),
                    waits("c"),
                    waits("d"))))
        .containsExactly("v-d", "v-d", "DeletedVariant");
  }

  /** Gates open one at a time, five minutes apart. */
  @ParameterizedTest(name = "opened {0}")
  @CsvSource({"'', v-a", "2026-01-01T11:55:00Z, v-b", "2026-01-01T11:55:01Z, ''"})
  void thePreferredOneMayPreemptFirstAndTheNextFiveMinutesLater(String since, String opened) {
    VariantPlan plan =
        plan(
            "mode: TryPreferredFlavors",
            pending(),
            since.isEmpty() ? waits("a") : open("a", since),
            waits("b"),
            waits("c"));

    if (opened.isEmpty()) {
      assertThat(plan.writes()).isEmpty();
      assertThat(plan.again()).contains(Instant.parse(since).plus(Duration.ofMinutes(5)));
    } else {
      assertThat(kinds(plan)).containsExactly(opened, "PreemptionUngatedVariant");
      assertThat(words(plan).getFirst()).contains("\"position\":\"Open\"", "2026-01-01T12:00:00Z");
    }
  }

  @Test
  void theWorkloadGetsTheAdmissionOfTheVariantThatWins() {
    VariantPlan plan =
        plan("mode: TryPreferredFlavors", pending(), waits("a"), admitted("b"), waits("c"));

    assertThat(kinds(plan)).containsExactly("job-x-0a1b2", "Admitted");
    assertThat(words(plan).getFirst())
        .contains("\"cpu\":\"b\"", "\"QuotaReserved\"", "\"Admitted\"");
  }

  @ParameterizedTest(name = "{0}: on {1} out of {2}")
  @CsvSource({
    "mode: TryPreferredFlavors, b, c",
    "mode: TryPreferredFlavors, a, b c",
    "mode: TryPreferredFlavors, c, ''",
    "mode: RetainFirstAdmission, b, a c",
    "'mode: TryPreferredFlavors, constraints: {lastAcceptableFlavorName: a}', c, b"
  })
  void thoseThatItIsNotToMoveToAreTakenOut(String migration, String winner, String out) {
    Workload[] variants =
        Stream.of("a", "b", "c")
            .map(
                it ->
                    it.equals(winner)
                        ? admitted(it)
                        : variant(it, "active: true", gate("Open", "2026-01-01T11:59:00Z")))
            .toArray(Workload[]::new);

    VariantPlan plan = plan(migration, running(winner, ""), variants);

    assertThat(words(plan).stream().filter(it -> it.startsWith("patch")))
        .containsExactlyElementsOf(
            out.isEmpty()
                ? List.of()
                : Stream.of(out.split(" ", -1))
                    .map("patch v-%s {\"spec\":{\"active\":false}}"::formatted)
                    .toList());
  }

  @Test
  void whoLosesItsVariantIsEvictedAndTheVariantKeepsItsQuotaUntilThePodsHaveEnded() {
    String evicted = ", " + condition("Evicted", "True", "FlavorMigration");
    Workload moving = variant("b", "active: true", status(ADMITTED + evicted, "b"));

    VariantPlan first =
        plan("mode: TryPreferredFlavors", running("b", ""), waits("a"), moving, out("c"));
    assertThat(kinds(first)).containsExactly("job-x-0a1b2", "EvictedDueToVariantEvicted");
    assertThat(words(first).getFirst()).contains("Variant v-b was evicted: why");

    Workload stopping = running("b", ", " + condition("Evicted", "True", "VariantEvicted"));
    assertThat(plan("mode: TryPreferredFlavors", stopping, waits("a"), moving, out("c")).writes())
        .isEmpty();

    VariantPlan last = plan("mode: TryPreferredFlavors", pending(), waits("a"), moving, out("c"));
    assertThat(kinds(last)).containsExactly("v-b");
    assertThat(words(last).getFirst()).contains("\"admission\":null", "\"Requeued\"");
  }

  @Test
  void whoIsEvictedTakesItsVariantAlong() {
    Workload stopping = running("b", ", " + condition("Evicted", "True", "PodsReadyTimeout"));

    assertThat(kinds(plan("mode: TryPreferredFlavors", stopping, out("a"), admitted("b"))))
        .containsExactly("v-b", "EvictedDueToConcurrentAdmission");
  }

  @Test
  void theVariantIsToldWhatBecameOfThePods() {
    Workload ready = running("a", ", " + condition("PodsReady", "True", "Started"));

    assertThat(words(plan("mode: RetainFirstAdmission", ready, admitted("a"), out("b"), out("c"))))
        .singleElement()
        .asString()
        .startsWith("patch v-a")
        .contains("\"PodsReady\"");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "requeueState: {requeueAt: \"2026-01-01T12:30:00Z\"}",
        "conditions: [{type: QuotaReserved, status: \"False\", reason: OnHold, message: why,"
            + " lastTransitionTime: \"2026-01-01T11:00:00Z\"}]",
        "conditions: [{type: WaitingForReplacementPods, status: \"True\", reason: PodsFailed,"
            + " message: why, lastTransitionTime: \"2026-01-01T11:00:00Z\"}]"
      })
  void variantsOfAWorkloadThatMayNotRunAreDeactivatedBeforeTheirQuotaIsReturned(String status) {
    Workload idle = parent("active: true", status);
    Workload evicted =
        variant(
            "b",
            "active: true",
            status(ADMITTED + ", " + condition("Evicted", "True", "ConcurrentAdmission"), "b"));

    assertThat(words(plan("mode: TryPreferredFlavors", idle, waits("a"), evicted, out("c"))))
        .containsExactly(
            "patch v-a {\"spec\":{\"active\":false}}",
            "DeactivatedVariant",
            "patch v-b {\"spec\":{\"active\":false}}",
            "DeactivatedVariant");
  }

  @Test
  void variantsOfAWorkloadThatMayRunAgainAreActivated() {
    assertThat(
            words(plan("mode: TryPreferredFlavors", pending(), out("a"), waits("b"), waits("c"))))
        .containsExactly("patch v-a {\"spec\":{\"active\":true}}", "ActivatedVariant");
  }

  @Test
  void aDeactivatedWorkloadHasNoVariants() {
    assertThat(kinds(plan("mode: TryPreferredFlavors", parent("active: false", ""), waits("a"))))
        .containsExactly("v-a", "v-a", "DeletedVariant");
  }

  @Test
  void aVariantThatACheckRejectsStaysOutAndTheOthersGoOn() {
    VariantPlan plan =
        plan("mode: TryPreferredFlavors", pending(), rejected("a"), waits("b"), waits("c"));

    assertThat(kinds(plan)).containsExactly("v-b", "PreemptionUngatedVariant");
  }

  @Test
  void aWorkloadOfWhichEveryVariantIsRejectedIsDeactivated() {
    VariantPlan plan =
        plan("mode: TryPreferredFlavors", pending(), rejected("a"), rejected("b"), rejected("c"));

    assertThat(words(plan))
        .singleElement()
        .asString()
        .startsWith("patch job-x-0a1b2 ")
        .contains("\"DeactivationTarget\"", "\"AdmissionCheck\"", "v-a: why");
  }

  private static Workload rejected(String flavor) {
    return variant(
        flavor,
        "active: false",
        "conditions: [" + condition("Evicted", "True", "DeactivatedDueToAdmissionCheck") + "]");
  }

  /** Both got quota while their checks were pending. */
  @Test
  void aPreferredVariantThatIsAdmittedLaterTakesOverWhenThePodsHaveEnded() {
    String mode = "mode: TryPreferredFlavors";
    VariantPlan first = plan(mode, running("b", ""), admitted("a"), admitted("b"), out("c"));
    assertThat(kinds(first)).containsExactly("v-b", "EvictedDueToFlavorMigration");

    Workload moving =
        variant(
            "b",
            "active: true",
            status(ADMITTED + ", " + condition("Evicted", "True", "FlavorMigration"), "b"));
    assertThat(kinds(plan(mode, running("b", ""), admitted("a"), moving, out("c"))))
        .containsExactly("job-x-0a1b2", "EvictedDueToVariantEvicted");

    Workload stopping = running("b", ", " + condition("Evicted", "True", "VariantEvicted"));
    assertThat(plan(mode, stopping, admitted("a"), moving, out("c")).writes()).isEmpty();

    assertThat(kinds(plan(mode, pending(), admitted("a"), moving, out("c"))))
        .containsExactly("v-b");
    assertThat(words(plan(mode, pending(), admitted("a"), waits("b"), out("c"))).getFirst())
        .startsWith("patch job-x-0a1b2 ")
        .contains("\"cpu\":\"a\"");
  }

  @Test
  void anotherVariantThatIsAdmittedIsDeactivatedWhereTheFirstAdmissionStays() {
    assertThat(
            words(
                plan(
                    "mode: RetainFirstAdmission",
                    running("b", ""),
                    admitted("a"),
                    admitted("b"),
                    out("c"))))
        .containsExactly("patch v-a {\"spec\":{\"active\":false}}", "DeactivatedVariant");
  }

  @Test
  void variantsHaveTheLabelsOfTheWorkloadAndWhatItsChecksRead() {
    Workload labelled =
        workload(
            """
            name: job-x-0a1b2, uid: p,
              labels: {kueue.x-k8s.io/concurrent-admission-parent: "true", kueue.x-k8s.io/job-uid: j, team: red},
              annotations: {provreq.kueue.x-k8s.io/maxRunDurationSeconds: "60", kueue.x-k8s.io/job-owner-name: n}
            """
                .strip(),
            "active: true",
            "");

    JsonNode body =
        ((Write.Create) plan("mode: TryPreferredFlavors", labelled).writes().getFirst()).body();
    assertThat(body.at("/metadata/labels")).hasToString("{\"team\":\"red\"}");
    assertThat(body.at("/metadata/annotations"))
        .hasToString(
            "{\"provreq.kueue.x-k8s.io/maxRunDurationSeconds\":\"60\","
                + "\"kueue.x-k8s.io/workload-allowed-resource-flavors\":\"a\"}");
  }

  /** The boost and the priority of a variant decide its place in the queue and who preempts it. */
  @ParameterizedTest(name = "{0} becomes {1}: {2}")
  @CsvSource(
      nullValues = "null",
      value = {
        "null, 5, '\"5\"'",
        "3, 5, '\"5\"'",
        "3, null, null",
        "'', null, null",
      })
  void variantsFollowThePriorityBoostWhileTheyWaitAndWhileTheyRun(
      String before, String after, String written) {
    String boost = "\"kueue.x-k8s.io/priority-boost\":" + written;
    for (String status : List.of("", status(ADMITTED, "a"))) {
      Workload parent = boosted(parent("active: true", status), after);
      Workload[] variants =
          Stream.of(variant("a", "active: true", status), out("b"), out("c"))
              .map(it -> boosted(it, before))
              .toArray(Workload[]::new);

      assertThat(words(plan("mode: RetainFirstAdmission", parent, variants)))
          .contains("patch v-a {\"metadata\":{\"annotations\":{" + boost + "}}}");
    }
  }

  private static Workload boosted(Workload workload, String boost) {
    ObjectNode tree = HubObjects.write(workload);
    if (boost != null) {
      tree.withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put("kueue.x-k8s.io/priority-boost", boost);
    }
    return HubObjects.read(Workload.class, tree);
  }

  @Test
  void aVariantThatRunsFollowsThePriorityOnly() {
    Workload parent = parent("priority: 7, active: true", status(ADMITTED, "a"));

    assertThat(words(plan("mode: RetainFirstAdmission", parent, admitted("a"), out("b"), out("c"))))
        .contains("patch v-a {\"spec\":{\"priority\":7}}");
  }

  private static Workload leaving(String finalizers, String status) {
    return workload(
        """
        name: job-x-0a1b2, uid: p, labels: {kueue.x-k8s.io/concurrent-admission-parent: "true"},
          deletionTimestamp: "2026-01-01T11:30:00Z", finalizers: [%s]
        """
            .formatted(finalizers)
            .strip(),
        "active: true",
        status);
  }

  @Test
  void variantsOfAWorkloadThatIsDeletedStayUntilItsPodsHaveEnded() {
    Workload leaving =
        leaving("foregroundDeletion, kueue.x-k8s.io/resource-in-use", status(ADMITTED, "a"));

    assertThat(plan("mode: TryPreferredFlavors", leaving, admitted("a"), waits("b")).writes())
        .isEmpty();
  }

  /** The garbage collector deletes it only when its variants are gone. */
  @Test
  void variantsGoBeforeAWorkloadThatIsDeletedInTheForeground() {
    Workload ended = leaving("foregroundDeletion", status(ADMITTED, "a"));
    String done = "conditions: [" + condition("Finished", "True", "Succeeded") + "]";
    Workload finished = leaving("foregroundDeletion, kueue.x-k8s.io/resource-in-use", done);

    for (Workload leaving : List.of(ended, finished)) {
      assertThat(words(plan("mode: TryPreferredFlavors", leaving, admitted("a"))))
          .containsExactly(
              "patch v-a {\"metadata\":{\"finalizers\":[]}}", "delete v-a", "DeletedVariant");
    }
  }

  @Test
  void aWorkloadThatRunsKeepsItsVariantsWhileItsClusterQueueIsUnknown() {
    Family family =
        new Family(
            Optional.of(running("b", "")),
            List.of(waits("a"), admitted("b"), out("c")),
            Optional.empty());

    assertThat(planner.plan(family, NOW)).isEqualTo(VariantPlan.REST);
  }

  @Test
  void anEvictedVariantReturnsItsQuotaAlsoWhileTheClusterQueueIsUnknown() {
    String evicted = ADMITTED + ", " + condition("Evicted", "True", "Preempted");
    Family family =
        new Family(
            Optional.of(running("b", "")),
            List.of(variant("a", "active: true", status(evicted, "a")), admitted("b")),
            Optional.empty());

    assertThat(kinds(planner.plan(family, NOW))).containsExactly("v-a");
  }

  @Test
  void aVariantWhoseFlavorBecamePreferredIsActivated() {
    assertThat(
            words(
                plan(
                    "mode: TryPreferredFlavors",
                    running("c", ""),
                    rejected("a"),
                    out("b"),
                    admitted("c"))))
        .containsExactly("patch v-b {\"spec\":{\"active\":true}}", "ActivatedVariant");
  }

  private static Workload edited(Workload workload, String spec) {
    ObjectNode tree = HubObjects.write(workload);
    tree.withObjectProperty("spec").setAll((ObjectNode) yaml(spec));
    return HubObjects.read(Workload.class, tree);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "podSets: [{name: main, count: 4, template: {spec: {containers: []}}}]",
        "queueName: other"
      })
  void aVariantWithQuotaForWhatTheWorkloadNoLongerRequestsIsEvictedBeforeItCouldWin(String change) {
    Workload changed = edited(pending(), change);
    Workload waitsForChecks = variant("b", "active: true", status(RESERVED, "b"));
    String mode = "mode: TryPreferredFlavors";

    VariantPlan plan = plan(mode, changed, admitted("a"), waitsForChecks, waits("c"));
    assertThat(kinds(plan))
        .containsExactly(
            "v-a", "EvictedDueToConcurrentAdmission", "v-b", "EvictedDueToConcurrentAdmission");

    Workload evicted =
        variant(
            "a",
            "active: true",
            status(ADMITTED + ", " + condition("Evicted", "True", "ConcurrentAdmission"), "a"));
    assertThat(kinds(plan(mode, changed, evicted, waits("b"), waits("c")))).containsExactly("v-a");
    assertThat(words(plan(mode, changed, waits("a"), waits("b"), waits("c"))))
        .hasSize(3)
        .allSatisfy(it -> assertThat(it).startsWith("patch v-").contains("\"spec\""));
  }

  @Test
  void itsVariantsGoWithIt() {
    Workload finished =
        parent("active: true", "conditions: [" + condition("Finished", "True", "Succeeded") + "]");

    assertThat(kinds(plan("mode: TryPreferredFlavors", finished, waits("a"))))
        .containsExactly("v-a", "v-a", "DeletedVariant");
    assertThat(
            words(
                planner.plan(
                    new Family(Optional.empty(), List.of(waits("a")), Optional.empty()), NOW)))
        .containsExactly("patch v-a {\"metadata\":{\"finalizers\":[]}}", "delete v-a");
  }
}
