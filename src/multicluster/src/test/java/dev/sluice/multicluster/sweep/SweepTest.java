package dev.sluice.multicluster.sweep;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.sweep.Leftover.Absence;
import dev.sluice.multicluster.sweep.Leftover.JobLeft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SweepTest {
  private static final GroupVersionKind JOB = new GroupVersionKind("batch", "v1", "Job");
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

  private final Sweep sweep = new Sweep(new Identity("multikueue", "us"));

  private static ObjectNode object(String name, String manager) {
    String mark =
        manager.isEmpty() ? "" : "'sluice.dev/multikueue-manager': '%s',".formatted(manager);
    return json(
        """
        {'metadata': {'name': '%1$s', 'namespace': 'ns', 'uid': '%1$s-uid', 'resourceVersion': '1',
          'labels': {'kueue.x-k8s.io/multikueue-origin': 'multikueue'},
          'annotations': {%2$s 'kueue.x-k8s.io/prebuilt-workload-name': 'w'}}}
        """
            .formatted(name, mark));
  }

  private static Leftover left(Optional<JsonNode> workload, List<JobLeft> jobs, Absence absence) {
    return new Leftover(new ObjectKey("ns", "w"), workload, jobs, absence);
  }

  private static JobLeft job(String manager) {
    return new JobLeft(JOB, "j", Optional.of(object("j", manager)));
  }

  private Sweep.Result plan(boolean isShared, Leftover... leftovers) {
    return sweep.plan("a", isShared, 1, List.of(leftovers), Set.of(), NOW);
  }

  private static List<String> deleted(Sweep.Result result) {
    return result.writes().stream()
        .filter(it -> it instanceof Write.Delete)
        .map(it -> it.target().uid())
        .toList();
  }

  @Test
  void theJobGoesFirstThenTheWorkload() {
    Optional<JsonNode> workload = Optional.of(object("w", "us"));

    assertThat(deleted(plan(false, left(workload, List.of(job("us")), Absence.ASKED))))
        .containsExactly("j-uid");
    assertThat(
            deleted(
                plan(
                    false,
                    left(
                        workload,
                        List.of(new JobLeft(JOB, "j", Optional.empty())),
                        Absence.ASKED))))
        .containsExactly("w-uid");
  }

  @Test
  void aJobWhoseWorkloadIsGoneIsCollectedToo() {
    assertThat(deleted(plan(false, left(Optional.empty(), List.of(job("us")), Absence.ASKED))))
        .containsExactly("j-uid");
  }

  @Test
  void theOwnersThatACopyNamesAreAskedForBeforeItGoes() {
    ObjectNode workload = object("w", "us");
    workload
        .withObjectProperty("metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "batch/v1")
        .put("kind", "Job")
        .put("name", "j");

    Sweep.Result result = plan(false, left(Optional.of(workload), List.of(), Absence.ASKED));

    assertThat(result.writes()).isEmpty();
    assertThat(result.asksThere()).containsExactly(new Plan.Ask("a", JOB, "ns", "j"));
  }

  @Test
  void absenceHereIsAskedForFirst() {
    Leftover unlisted = left(Optional.of(object("w", "us")), List.of(), Absence.UNLISTED);

    assertThat(plan(false, unlisted).writes()).isEmpty();
    assertThat(plan(false, unlisted).asksHere()).containsExactly(new ObjectKey("ns", "w"));
  }

  @Test
  void aManagerThatDoesNotKnowItsOwnWorkloadsSweepsNothing() {
    Sweep.Result result =
        plan(false, left(Optional.of(object("w", "us")), List.of(job("us")), Absence.UNKNOWN));

    assertThat(result.writes()).isEmpty();
    assertThat(result.asksHere()).isEmpty();
  }

  @Test
  void whatIsNotProvedIsCountedAndNotTouched() {
    Leftover other = left(Optional.of(object("w", "them")), List.of(job("them")), Absence.ASKED);

    assertThat(plan(false, other).writes()).isEmpty();
    assertThat(plan(false, other).unproven()).containsExactly(new ObjectKey("ns", "w"));
  }

  @Test
  void whatHasNoMarkIsCollectedUnlessAnotherManagerHasOurOriginThere() {
    Leftover unmarked = left(Optional.of(object("w", "")), List.of(), Absence.ASKED);

    assertThat(deleted(plan(false, unmarked))).containsExactly("w-uid");
    assertThat(plan(true, unmarked).writes()).isEmpty();
  }

  @Test
  void aJobThatNamesAnotherWorkloadIsNotThisOnes() {
    ObjectNode job = object("j", "us");
    ((ObjectNode) job.at("/metadata/annotations"))
        .put("kueue.x-k8s.io/prebuilt-workload-name", "another");

    assertThat(
            plan(
                    false,
                    left(
                        Optional.empty(),
                        List.of(new JobLeft(JOB, "j", Optional.of(job))),
                        Absence.ASKED))
                .writes())
        .isEmpty();
  }

  private static List<Leftover> many(int count, Absence absence) {
    return IntStream.range(0, count)
        .mapToObj(i -> absence.name().toLowerCase(Locale.ROOT) + i)
        .map(
            name ->
                new Leftover(
                    new ObjectKey("ns", name), Optional.of(object(name, "us")), List.of(), absence))
        .toList();
  }

  @Test
  void aMassIsAskedForOnceMoreAndThenGoes() {
    List<Leftover> many = many(21, Absence.ASKED);

    Sweep.Result first = sweep.plan("a", false, 30, many, Set.of(), NOW);
    assertThat(first.isMass()).isTrue();
    assertThat(first.writes()).isEmpty();
    assertThat(first.asksHere()).hasSize(21);

    Set<ObjectKey> confirmed = Set.copyOf(first.asksHere());
    assertThat(sweep.plan("a", false, 30, many, confirmed, NOW).writes()).hasSize(21);
    assertThat(sweep.plan("a", false, 100, many, Set.of(), NOW).isMass())
        .as("not more than half")
        .isFalse();
  }

  @Test
  void aMassIsOneThoughOnlySomeOfItWereAskedFor() {
    List<Leftover> asked = many(5, Absence.ASKED);
    List<Leftover> all = new ArrayList<>(many(60, Absence.UNLISTED));
    all.addAll(asked);

    Sweep.Result result = sweep.plan("a", false, 100, all, Set.of(), NOW);

    assertThat(result.isMass()).isTrue();
    assertThat(result.writes()).isEmpty();
    assertThat(result.asksHere())
        .as("those that one answer is missing for come first")
        .hasSize(65)
        .startsWith(asked.stream().map(Leftover::key).toArray(ObjectKey[]::new));
  }
}
