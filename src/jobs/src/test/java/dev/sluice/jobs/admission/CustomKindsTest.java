package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.JobKinds;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.view.ObjectView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kinds of jobs that only a configuration knows. */
class CustomKindsTest {
  private static final GroupVersionKind FLOW = new GroupVersionKind("example.com", "v1", "Flow");

  private static CustomKind custom(@Nullable String suspend, String template) {
    return new CustomKind(
        FLOW,
        "flows",
        Optional.ofNullable(suspend).flatMap(ObjectPath::parse),
        ObjectPath.parse(template).stream().toList(),
        ObjectPath.parse("spec.managedBy"));
  }

  private static KindRules rules(@Nullable String suspend, String template) {
    return new RuleBook(JobKinds.rules(List.of(custom(suspend, template))))
        .find(new GroupKind("example.com", "Flow"))
        .orElseThrow();
  }

  private static JsonNode flow(String spec) {
    JsonNode flow =
        json(
            "{'apiVersion':'example.com/v1','kind':'Flow','metadata':{'name':'a','namespace':'ns'},'spec':"
                + spec
                + "}");
    return labelled(flow, Labels.QUEUE_NAME, "q");
  }

  private static JsonNode created(KindRules rules, JsonNode object) {
    return rules.apply(input(object, null), new ValidationResult()).object();
  }

  private static RuleInput input(JsonNode object, @Nullable JsonNode old) {
    Operation operation = old == null ? Operation.CREATE : Operation.UPDATE;
    return new RuleInput(operation, object, old, ReviewContext.UNKNOWN);
  }

  @Test
  void suspendsAKindThatHasASwitch() {
    KindRules rules = rules("spec.run.paused", "spec.template");

    assertThat(created(rules, flow("{}")).at("/spec/run/paused").asBoolean()).isTrue();
    assertThat(created(rules, labelled(flow("{}"), Labels.QUEUE_NAME, null)))
        .isEqualTo(labelled(flow("{}"), Labels.QUEUE_NAME, null));
    assertThat(rules.defaultedOn()).isEqualTo(Set.of(Operation.CREATE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{'steps':[[{}]]}", "{'steps':'x'}", "[[]]", "{'steps':[null]}"})
  void leavesFieldsOfAnotherTypeToTheSchema(String spec) {
    KindRules rules = rules(null, "spec.steps[*].pod");

    assertThat(created(rules, flow(spec)).path("spec")).isEqualTo(json(spec));
  }

  @Test
  void queuesThePodsOfAKindThatHasNone() {
    KindRules rules = rules(null, "spec.steps[*].pod");
    JsonNode flow =
        flow(
            "{'steps':[{'pod':{'spec':{}}},{'other':1},{'pod':{'metadata':{'labels':{'a':'b'}}}}]}");

    JsonNode created = created(rules, labelled(flow, Labels.PRIORITY_CLASS, "p"));

    assertThat(created.at("/spec/steps/0/pod/metadata/labels"))
        .isEqualTo(json("{'kueue.x-k8s.io/queue-name':'q','kueue.x-k8s.io/priority-class':'p'}"));
    assertThat(created.at("/spec/steps/1")).isEqualTo(json("{'other':1}"));
    assertThat(created.at("/spec/steps/2/pod/metadata/labels"))
        .isEqualTo(
            json("{'a':'b','kueue.x-k8s.io/queue-name':'q','kueue.x-k8s.io/priority-class':'p'}"));
    assertThat(created(rules, created)).isEqualTo(created);
    assertThat(rules.defaultedOn()).isEqualTo(Set.of(Operation.CREATE, Operation.UPDATE));
  }

  @ParameterizedTest
  @CsvSource({"spec.suspend, false", ", true"})
  void thePodsOfAKindWaitByThemselvesOnlyIfItHasNoSwitch(@Nullable String suspend, boolean waits) {
    JsonNode flow = flow("{}").deepCopy();
    ((ObjectNode) flow.path("metadata")).put("uid", "u-flow");
    JsonNode pod =
        json(
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'ns',"
                + "'labels':{'kueue.x-k8s.io/queue-name':'q'},'ownerReferences':[{"
                + "'apiVersion':'example.com/v1','kind':'Flow','name':'a','uid':'u-flow',"
                + "'controller':true}]},'spec':{'containers':[]}}");
    KindRules pods =
        new RuleBook(JobKinds.rules(List.of(custom(suspend, "spec.template"))))
            .find(new GroupKind("", "Pod"))
            .orElseThrow();
    var world =
        new ReviewContext(
            ObjectView.of(
                List.of(
                    flow,
                    json("{'apiVersion':'v1','kind':'Namespace'," + "'metadata':{'name':'ns'}}"))),
            JobScene.EMPTY.settings());

    JsonNode created =
        pods.apply(new RuleInput(Operation.CREATE, pod, null, world), new ValidationResult())
            .object();

    assertThat(created.at("/spec/schedulingGates").toString().contains("kueue.x-k8s.io/admission"))
        .isEqualTo(waits);
  }

  /** A default LocalQueue that comes later is set by an update, which must not be refused then. */
  @Test
  void letsTheQueueOfAKindWithoutASwitchChangeAtAnyTime() {
    KindRules rules = rules(null, "spec.steps[*].pod");
    JsonNode old = flow("{'steps':[]}");

    for (String queue : List.of("default", "another")) {
      JsonNode now = labelled(old, Labels.QUEUE_NAME, queue);
      assertThat(faults(rules.check(input(now, old)))).isEmpty();
      JsonNode unqueued = labelled(old, Labels.QUEUE_NAME, null);
      assertThat(faults(rules.check(input(now, unqueued)))).isEmpty();
    }
    assertThat(faults(rules.check(input(labelled(old, Labels.PRIORITY_CLASS, "p"), old))))
        .isEmpty();
  }

  @Test
  void appliesTheRulesOfAllKinds() {
    KindRules rules = rules("spec.suspend", "spec.template");
    JsonNode running = flow("{'suspend':false}");
    JsonNode bad = labelled(running, Labels.QUEUE_NAME, "Bad_Name");

    assertThat(faults(rules.check(input(bad, null))))
        .containsExactly("INVALID metadata.labels[kueue.x-k8s.io/queue-name]");
    assertThat(faults(rules.check(input(labelled(running, Labels.QUEUE_NAME, "r"), running))))
        .containsExactly("INVALID metadata.labels[kueue.x-k8s.io/queue-name]");
    JsonNode waiting = flow("{'suspend':true}");
    assertThat(faults(rules.check(input(labelled(waiting, Labels.QUEUE_NAME, "r"), waiting))))
        .isEmpty();
    JsonNode placed =
        flow("{'template':{'metadata':{'annotations':{'kueue.x-k8s.io/podset-slice-size':'2'}}}}");
    assertThat(faults(rules.check(input(placed, null))))
        .containsExactly(
            "FORBIDDEN spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-size]");
  }
}
