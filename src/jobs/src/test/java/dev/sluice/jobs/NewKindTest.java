package dev.sluice.jobs;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.jobs.admission.JobScene;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.toy.RenderingIntegration;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.view.ObjectView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A new kind is one integration in a package of its own, and one entry in the registry. */
class NewKindTest {
  private static final List<JobIntegration> KINDS =
      Stream.concat(JobKinds.standard().stream(), Stream.of(new RenderingIntegration())).toList();
  private static final JobKey KEY =
      JobKey.of(RenderingIntegration.KIND.groupKind(), TestCluster.NAMESPACE, "r");
  private static final String RENDERING =
      """
      {'apiVersion': 'studio.example.com/v1', 'kind': 'Rendering',
       'metadata': {'name': 'r', 'namespace': 'ns', 'labels': {'kueue.x-k8s.io/queue-name': 'lq'}},
       'spec': {'frames': 3, 'template': {'metadata': {'labels': {'a': 'b'}},
         'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}}}
      """;

  private final TestCluster cluster = new TestCluster(Jobs.settings(), KINDS);

  private static KindRules rules() {
    return new RuleBook(JobKinds.rulesOf(KINDS))
        .find(RenderingIntegration.KIND.groupKind())
        .orElseThrow();
  }

  private static RuleInput creation(JsonNode object) {
    JobScene scene =
        JobScene.EMPTY.withFrameworks(new RenderingIntegration().framework()).withQueue("lq");
    return new RuleInput(
        Operation.CREATE,
        object,
        null,
        new ReviewContext(ObjectView.of(scene.objects()), scene.settings()));
  }

  private static JsonNode created() {
    return rules().apply(creation(json(RENDERING)), new ValidationResult()).object();
  }

  @Test
  void aReviewSuspendsIt() {
    assertThat(created().at("/spec/paused").asBoolean()).isTrue();
  }

  @Test
  void aReviewAppliesTheRulesOfAllJobsAndItsOwn() {
    var wrong = json(RENDERING.replace("'frames': 3", "'frames': 0"));
    wrong.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "Not a name");

    assertThat(faults(rules().check(creation(created())))).isEmpty();
    assertThat(faults(rules().check(creation(wrong))))
        .containsExactly(
            "INVALID metadata.labels[kueue.x-k8s.io/queue-name]", "INVALID spec.frames");
  }

  @Test
  void itIsQueuedStartedStoppedAndFinished() {
    cluster.add(Jobs.FLAVOR);
    cluster.add(created().toString());
    cluster.settle(KEY);
    JsonNode waiting = cluster.get(KEY).path("spec");
    assertThat(cluster.onlyWorkloadName()).startsWith("rendering-r-");
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/count").asInt()).isEqualTo(3);

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    assertThat(cluster.get(KEY).at("/spec/paused").asBoolean()).isFalse();
    assertThat(cluster.get(KEY).at("/spec/template/spec/nodeSelector/pool").asText())
        .isEqualTo("p1");

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    assertThat(cluster.get(KEY).path("spec")).isEqualTo(waiting);

    cluster.change(KEY, it -> Admissions.condition(it, "Rendered", true, "AllFrames", "all"));
    cluster.settle(KEY);
    assertThat(Conditions.isTrue(cluster.onlyWorkload(), ConditionTypes.FINISHED)).isTrue();
  }

  @Test
  void itIsWatchedBesideTheKindsThatAreOn() {
    assertThat(cluster.planner().kinds()).contains(Framework.JOB.type(), RenderingIntegration.KIND);
  }
}
