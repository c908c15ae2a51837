package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects of others on a worker that have the names of ours: nobody here ever changes them. */
@FullTier
@Timeout(240)
class ForeignObjectsTest {
  /** By what an object shows that it is not ours. */
  private enum Mark {
    NO_ORIGIN(""),
    OTHER_ORIGIN("'labels': {'kueue.x-k8s.io/multikueue-origin': 'theirs'}, "),
    OTHER_MANAGER(
        "'labels': {'kueue.x-k8s.io/multikueue-origin': 'multikueue'}, "
            + "'annotations': {'sluice.dev/multikueue-manager': 'them',"
            + " 'kueue.x-k8s.io/prebuilt-workload-name': '%1$s'}, ");

    private final String metadata;

    Mark(String metadata) {
      this.metadata = metadata;
    }

    String object(String name, String workload) {
      return "{'metadata': {%s'name': '%s', 'namespace': 'ns'}, 'spec': {}}"
          .formatted(metadata.formatted(workload), name);
    }
  }

  /** When it comes to the worker. */
  enum When {
    BEFORE_THE_OFFER,
    AFTER_THE_OFFER
  }

  /**
   * An object of somebody else.
   *
   * @param family the kind of the job here
   * @param isWorkload whether it has the name of the Workload, and not that of its job
   */
  private record Sort(JobFamily family, boolean isWorkload, Mark mark, When when) {
    String workload() {
      return (family + "-" + (isWorkload ? "workload-" : "") + mark + "-" + when)
          .toLowerCase(Locale.ROOT)
          .replace('_', '-');
    }

    String collection() {
      return isWorkload ? Clusters.WORKLOADS : family.collection();
    }

    String name() {
      return isWorkload ? workload() : family.members(workload()).getFirst();
    }

    String path() {
      return collection() + "/" + name();
    }
  }

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithTwoWorkers() {
    fleet = new InMemoryFleet(folder, JobFamily.configuration(), JobFamily.more());
    fleet.startConnected("a", "b");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  private static List<Sort> sorts(When when) {
    List<Sort> sorts = new ArrayList<>();
    for (Mark mark : Mark.values()) {
      for (JobFamily family : JobFamily.values()) {
        sorts.add(new Sort(family, false, mark, when));
      }
      if (when == When.BEFORE_THE_OFFER) {
        sorts.add(new Sort(JobFamily.JOB, true, mark, when));
      }
    }
    return sorts;
  }

  private static void until(String what, BooleanSupplier condition) {
    await(what).atMost(InMemoryFleet.AMPLE).until(condition::getAsBoolean);
  }

  private void putForeign(Sort sort) {
    fleet
        .worker("a")
        .objects()
        .put(sort.collection(), sort.mark().object(sort.name(), sort.workload()));
  }

  private void create(Sort sort) {
    for (String member : sort.family().members(sort.workload())) {
      fleet
          .clusters
          .manager
          .objects()
          .put(sort.family().collection(), sort.family().object(member));
    }
    fleet.workload(
        sort.workload(), sort.family().owners(sort.workload()), sort.family().annotations());
  }

  private JsonNode there(Sort sort) {
    return fleet.worker("a").objects().find(sort.path()).orElseThrow();
  }

  private boolean runsOnB(Sort sort) {
    return fleet.workload(sort.workload()).at("/status/clusterName").asText().equals("b")
        && sort.family().members(sort.workload()).stream()
            .allMatch(it -> fleet.has("b", sort.family().collection() + "/" + it));
  }

  private boolean isTold(Sort sort) {
    String taken = "Worker cluster \"a\": name taken by ";
    return fleet.clusters.events.stream()
        .anyMatch(
            it -> it.target().name().equals(sort.workload()) && it.message().startsWith(taken));
  }

  /** The job is deleted here by a user, or finishes. */
  private void end(Sort sort, boolean isDeleted) {
    if (!isDeleted) {
      fleet.finish(sort.workload());
      return;
    }
    var here = fleet.clusters.manager.objects();
    sort.family()
        .members(sort.workload())
        .forEach(it -> here.remove(sort.family().collection() + "/" + it));
    here.remove(Clusters.WORKLOADS + "/" + sort.workload());
  }

  private boolean isAwayFrom(String worker, Sort sort) {
    return !fleet.has(worker, Clusters.WORKLOADS + "/" + sort.workload())
        && sort.family().members(sort.workload()).stream()
            .noneMatch(it -> fleet.has(worker, sort.family().collection() + "/" + it));
  }

  @ParameterizedTest
  @EnumSource(When.class)
  void whateverBecomesOfOursTheirsStaysAsItIsAndOursRunsElsewhere(When when) {
    List<Sort> sorts = sorts(when);
    if (when == When.BEFORE_THE_OFFER) {
      sorts.forEach(this::putForeign);
    }
    sorts.forEach(this::create);
    if (when == When.AFTER_THE_OFFER) {
      sorts.forEach(it -> fleet.awaitCopy("a", it.workload()));
      sorts.forEach(this::putForeign);
      sorts.forEach(it -> fleet.admit("a", it.workload()));
    }
    Map<String, JsonNode> before = new TreeMap<>();
    sorts.forEach(it -> before.put(it.path(), there(it)));
    // once it runs on the other worker, nobody asks this one for the name
    sorts.forEach(it -> until(it + " is told", () -> isTold(it)));
    for (Sort sort : sorts) {
      fleet.awaitCopy("b", sort.workload());
      fleet.admit("b", sort.workload());
    }
    sorts.forEach(it -> until(it + " runs on the other worker", () -> runsOnB(it)));

    fleet.restart();
    for (int i = 0; i < sorts.size(); i++) {
      end(sorts.get(i), i % 2 == 0);
    }

    sorts.forEach(it -> until(it + " is away", () -> isAwayFrom("b", it)));
    for (Sort sort : sorts) {
      assertThat(there(sort)).as("%s", sort).isEqualTo(before.get(sort.path()));
      if (!sort.isWorkload()) {
        until(
            sort + " leaves no copy",
            () -> !fleet.has("a", Clusters.WORKLOADS + "/" + sort.workload()));
      }
    }
  }

  @Test
  void aWorkloadThatOnlyClaimsAJobByItsAnnotationsTakesNothingAway() {
    fleet.job("ours");
    fleet.awaitCopy("a", "ours");
    fleet.admit("a", "ours");
    fleet.runs("a", "ours");
    fleet
        .worker("a")
        .objects()
        .put(
            Clusters.JOBS,
            "{'metadata': {'name': 'theirs', 'namespace': 'ns'}, 'spec': {'suspend': false}}");
    List<String> claimed = List.of("ours", "theirs");
    for (String job : claimed) {
      fleet.workload(
          "claims-" + job,
          "",
          "'kueue.x-k8s.io/job-owner-gvk': 'batch/v1, Kind=Job',"
              + " 'kueue.x-k8s.io/job-owner-name': '%s'".formatted(job));
    }
    List<JsonNode> before =
        claimed.stream()
            .map(it -> fleet.worker("a").objects().find(Clusters.JOBS + "/" + it).orElseThrow())
            .toList();
    claimed.forEach(
        it ->
            until(
                it + " is refused",
                () -> fleet.checkMessage("claims-" + it).startsWith("No multikueue adapter")));

    claimed.forEach(
        it -> fleet.clusters.manager.objects().remove(Clusters.WORKLOADS + "/claims-" + it));
    fleet.restart();
    fleet.awaitActive("a", "Connected");
    fleet.job("later");
    fleet.awaitCopy("a", "later");

    assertThat(
            claimed.stream()
                .map(
                    it -> fleet.worker("a").objects().find(Clusters.JOBS + "/" + it).orElseThrow()))
        .containsExactlyElementsOf(before);
  }
}
