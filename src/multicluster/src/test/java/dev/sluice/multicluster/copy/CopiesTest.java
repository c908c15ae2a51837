package dev.sluice.multicluster.copy;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopiesTest {
  private static final Identity US = new Identity("o", "us");

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "o, us,   w, false, OURS",
        "o, us,   v, false, OTHER_LIFE",
        "o, us,   w, true,  OURS",
        "o, them, w, false, FOREIGN",
        "o, -,    -, false, UNMARKED",
        "o, -,    -, true,  FOREIGN",
        "p, us,   w, false, RELABELED",
        "-, us,   w, false, RELABELED",
        "-, us,   v, false, FOREIGN",
        "p, -,    -, false, FOREIGN",
        "-, -,    -, false, FOREIGN"
      })
  void whoseAnObjectIsFollowsFromItsMarks(
      @Nullable String origin,
      @Nullable String manager,
      @Nullable String workload,
      boolean isShared,
      Ownership whose) {
    OwnershipMarks marks = new OwnershipMarks(text(origin), text(manager), text(workload), "", "");

    assertThat(marks.ownership(US, "w", isShared)).isEqualTo(whose);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  @Test
  void theDispatchIsTheSumOfAllEvictions() {
    assertThat(
            WorkloadCopies.dispatch(
                json(
                    "{'status': {'schedulingStats': {'evictions': [{'count': 2}, {'count':"
                        + " 3}]}}}")))
        .isEqualTo(5);
    assertThat(WorkloadCopies.dispatch(json("{}"))).isZero();
  }

  @Test
  void theDigestDoesNotDependOnTheOrderOfMembersNorOnWhatIsFollowed() {
    ObjectNode one = json("{'spec': {'queueName': 'q', 'podSets': [{'name': 'm', 'count': 1}]}}");
    ObjectNode two =
        json(
            """
            {'spec': {'podSets': [{'count': 1, 'name': 'm'}], 'queueName': 'q', 'priority': 3,
              'active': false, 'preemptionGates': []}}
            """);

    assertThat(WorkloadCopies.digest(two)).isEqualTo(WorkloadCopies.digest(one));
    two.withObjectProperty("spec").put("queueName", "r");
    assertThat(WorkloadCopies.digest(two)).isNotEqualTo(WorkloadCopies.digest(one));
  }

  @Test
  void onlyElasticJobsMayShrinkWithoutANewCopy() {
    String text =
        """
        {'metadata': {'annotations': {%s}}, 'spec': {'podSets': [{'name': 'm', 'count': %d}]}}
        """;
    String slice = "'kueue.x-k8s.io/workload-slice-name': 's'";
    ObjectNode elastic = json(text.formatted(slice, 2));

    assertThat(WorkloadCopies.isOfSameSpec(elastic, json(text.formatted(slice, 3)))).isTrue();
    assertThat(WorkloadCopies.followed(elastic, json(text.formatted(slice, 3))).toString())
        .isEqualTo("{\"spec\":{\"podSets\":[{\"name\":\"m\",\"count\":2}]}}");
    assertThat(WorkloadCopies.isOfSameSpec(elastic, json(text.formatted(slice, 1)))).isFalse();
    assertThat(
            WorkloadCopies.isOfSameSpec(json(text.formatted("", 2)), json(text.formatted("", 3))))
        .isFalse();
  }

  @Test
  void aPriorityBoostIsFollowed() {
    ObjectNode here = json("{'metadata': {'annotations': {'kueue.x-k8s.io/priority-boost': '2'}}}");
    ObjectNode none = json("{'metadata': {'annotations': {}}}");

    assertThat(WorkloadCopies.followed(here, none).toString()).contains("priority-boost\":\"2\"");
    assertThat(WorkloadCopies.followed(none, here).toString()).contains("priority-boost\":null");
    assertThat(WorkloadCopies.followed(here, here)).isEmpty();
  }

  @Test
  void aJobNamesItsWorkloadByEitherMarking() {
    String name = "kueue.x-k8s.io/prebuilt-workload-name";

    assertThat(JobCopies.workloadOf(json("{'metadata': {'labels': {'%s': 'w'}}}".formatted(name))))
        .isEqualTo("w");
    assertThat(
            JobCopies.workloadOf(
                json("{'metadata': {'annotations': {'%s': 'w'}}}".formatted(name))))
        .isEqualTo("w");
    assertThat(JobCopies.workloadOf(json("{}"))).isEmpty();
  }

  @Test
  void differencesAreThoseOfWhatWasSentOnly() {
    ObjectNode sent = json("{'spec': {'a': 1, 'b': {'c': [1, 2]}, 'd': 'x'}}");
    ObjectNode there = json("{'spec': {'a': 2, 'b': {'c': [1, 3]}, 'e': 1}}");

    assertThat(JobCopies.differences(sent, there, 3))
        .containsExactly("spec.a", "spec.b.c[1]", "spec.d");
    assertThat(JobCopies.differences(sent, there, 1)).containsExactly("spec.a");
  }

  @ParameterizedTest
  @CsvSource({"true, 5, annotations", "false, 63, labels", "false, 64, annotations"})
  void aNameThatFitsNoLabelIsInTheAnnotation(boolean isByAnnotation, int length, String place) {
    String name = "w".repeat(length);
    ObjectNode job = json("{'metadata': {'name': 'j', 'namespace': 'ns'}, 'spec': {}}");

    ObjectNode change =
        new JobCopies(US, isByAnnotation)
            .takenOver(job, json("{'metadata': {'name': '%s', 'uid': 'u'}}".formatted(name)));

    assertThat(change.at("/metadata/" + place).path("kueue.x-k8s.io/prebuilt-workload-name"))
        .isEqualTo(TextNode.valueOf(name));
    assertThat(JobCopies.workloadOf(change)).isEqualTo(name);
  }
}
