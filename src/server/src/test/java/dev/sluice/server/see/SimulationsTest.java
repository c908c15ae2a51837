package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.names.Names;
import dev.sluice.see.whatif.Answer;
import dev.sluice.see.whatif.WhatIfResult;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.whatif.WhatIf;
import dev.sluice.server.whatif.WhatIfRequest;
import dev.sluice.server.world.SimulatedConfiguration;
import dev.sluice.webhook.StandardRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NullAway.Init") // set before each test
class SimulationsTest {
  private static final String IN_A = "namespaces/a/simulations";
  private static final String ANYWHERE = "clustersimulations";

  @TempDir private Path folder;
  private final LiveQueues queues = new LiveQueues();
  private Asked asked;

  @BeforeEach
  void aQueueWithFourFree() throws IOException {
    queues.namespace("a");
    queues.namespace("secret");
    queues.flavor("f");
    queues.clusterQueue("cq", 10, "'preemption':{'withinClusterQueue':'LowerPriority'},");
    queues.localQueue("a", "team", "cq");
    queues.localQueue("secret", "team", "cq");
    queues.store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'WorkloadPriorityClass','metadata':{
        'name':'high'},'value':100}\
        """);
    queues.running("secret", "hidden", 6, 0, "cq");
    asked = new Asked(queues, folder, Runnable::run);
  }

  @AfterEach
  void end() {
    asked.close();
  }

  private static String job(int cpu, String labels) {
    return """
    {'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'train','labels':{
    'kueue.x-k8s.io/queue-name':'team'%s}},'spec':{'parallelism':1,'completions':1,'template':{
    'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i','resources':{'requests':{
    'cpu':'%d'}}}]}}}}\
    """
        .formatted(labels, cpu);
  }

  private static String of(String objects, String edits) {
    return "{'spec':{'objects':[%s],'edits':[%s]}}".formatted(objects, edits);
  }

  private JsonNode status(String user, String path, String body) {
    Reply reply = asked.post(user, path, body);
    assertThat(reply.status()).as(new String(reply.body(), UTF_8)).isEqualTo(201);
    return Asked.json(reply).path("status");
  }

  private JsonNode outcome(String user, String job) {
    return status(user, IN_A, of(job, "")).at("/outcomes/0");
  }

  @Test
  void aJobThatFitsIsAdmittedWithItsFlavor() {
    JsonNode status = status("user", IN_A, of(job(4, ""), ""));

    JsonNode outcome = status.at("/outcomes/0");
    assertThat(outcome.path("answer").asText()).isEqualTo("Admitted");
    assertThat(outcome.at("/object/kind").asText()).isEqualTo("Job");
    assertThat(outcome.at("/workload/name").asText()).startsWith("job-train-");
    assertThat(outcome.at("/podSets/0/flavors/cpu").asText()).isEqualTo("f");
    assertThat(status.at("/usage/0/before").asText()).isEqualTo("6");
    assertThat(status.at("/usage/0/after").asText()).isEqualTo("10");
    assertThat(status.path("truncated").asBoolean(true)).isFalse();
  }

  @Test
  void aJobThatDoesNotFitWaitsWithWhatWouldHelp() {
    JsonNode outcome = outcome("admin", job(5, ""));

    assertThat(outcome.path("answer").asText()).isEqualTo("Waits");
    assertThat(outcome.path("ahead").asInt(-1)).isZero();
    assertThat(outcome.at("/shortages/0/free").asText()).isEqualTo("4");
    assertThat(outcome.path("remedies").findValuesAsText("change"))
        .contains("Workload secret/hidden ends");
  }

  @Test
  void aJobLargerThanTheQueueNeverRuns() {
    assertThat(outcome("user", job(11, "")).path("answer").asText()).isEqualTo("Never");
  }

  @Test
  void whoIsEvictedIsNamedToWhomMaySeeIt() {
    String job = job(5, ",'kueue.x-k8s.io/priority-class':'high'");

    JsonNode status = status("admin", IN_A, of(job, ""));

    assertThat(status.at("/outcomes/0/answer").asText()).isEqualTo("AdmittedAfterPreemption");
    assertThat(status.at("/outcomes/0/preempts/0/name").asText()).isEqualTo("hidden");
    assertThat(status.at("/delayed/0/name").asText()).isEqualTo("hidden");
    assertThat(status.at("/delayed/0/now").asText()).isEqualTo("Waits");
    JsonNode seen = status("user", IN_A, of(job, ""));
    assertThat(seen.at("/outcomes/0/preempts/0/workloads").asInt()).isEqualTo(1);
    assertThat(seen.at("/delayed/0/namespace").isNull()).isTrue();
    assertThat(seen.toString()).doesNotContain("hidden").doesNotContain("secret");
  }

  @Test
  void whatWaitsAlreadyGoesFirst() {
    queues.waiting("secret", "hidden-before", 4, 50);

    JsonNode outcome = outcome("user", job(4, ""));

    assertThat(outcome.path("answer").asText()).isEqualTo("Waits");
    assertThat(outcome.toString()).doesNotContain("hidden").doesNotContain("secret");
  }

  @Test
  void aSmallerQuotaShowsWhoWouldWait() {
    String edit =
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'cq'},
        'spec':{'stopPolicy':'HoldAndDrain'}}\
        """;

    JsonNode status = status("admin", ANYWHERE, of("", edit));

    assertThat(status.at("/delayed/0/name").asText()).isEqualTo("hidden");
    assertThat(status.at("/usage/0/after").asText()).isEqualTo("0");
  }

  @Test
  void aHigherPriorityClassShowsWhoIsPreempted() {
    queues.store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'waits',
        'namespace':'a'},'spec':{'queueName':'team','active':true,'priority':0,'priorityClassRef':{
        'group':'kueue.x-k8s.io','kind':'WorkloadPriorityClass','name':'high'},
        'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[
        {'name':'c','resources':{'requests':{'cpu':'5'}}}]}}}]}}\
        """);
    String edit =
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'WorkloadPriorityClass','metadata':{
        'name':'high'},'value':200}\
        """;

    JsonNode delayed = status("admin", ANYWHERE, of("", edit)).path("delayed");

    assertThat(delayed.findValuesAsText("name")).containsExactly("hidden");
  }

  @Test
  void moreQuotaAdmitsAJob() {
    String edit =
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'cq'},
        'spec':{'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
        {'name':'cpu','nominalQuota':'20'}]}]}]}}\
        """;
    String job = job(11, "").replace("'name':'train',", "'name':'train','namespace':'a',");

    JsonNode status = status("admin", ANYWHERE, of(job, edit));

    assertThat(status.at("/outcomes/0/answer").asText()).isEqualTo("Admitted");
  }

  @Test
  void aRefusalReadsAsAtAdmission() {
    JsonNode outcome = outcome("user", job(1, "").replace("'team'", "'NoName!'"));

    assertThat(outcome.path("answer").asText()).isEqualTo("Refused");
    assertThat(outcome.path("message").asText()).contains("queue-name").contains("NoName!");
  }

  @Test
  void aJobWithoutAQueueGetsNoWorkload() {
    JsonNode outcome = outcome("user", job(1, "").replace("queue-name", "other-label"));

    assertThat(outcome.path("answer").asText()).isEqualTo("Refused");
    assertThat(outcome.path("message").asText()).contains("No Workload is made of it");
  }

  @Test
  void podsOfOneGroupHaveOneOutcome() {
    String pod =
        """
        {'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s','labels':{
        'kueue.x-k8s.io/queue-name':'team','kueue.x-k8s.io/pod-group-name':'group'},'annotations':{
        'kueue.x-k8s.io/pod-group-total-count':'2'}},'spec':{'containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}\
        """;

    JsonNode outcomes =
        status("user", IN_A, of(pod.formatted("one") + "," + pod.formatted("two"), ""))
            .path("outcomes");

    assertThat(outcomes).hasSize(1);
    assertThat(outcomes.at("/0/workload/name").asText()).isEqualTo("group");
    assertThat(outcomes.at("/0/answer").asText()).isEqualTo("Admitted");
  }

  @Test
  void aDeploymentHasAnOutcomeForEachOfItsPods() {
    String deployment =
        """
        {'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web','labels':{
        'kueue.x-k8s.io/queue-name':'team'}},'spec':{'replicas':3,'selector':{'matchLabels':{
        'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},'spec':{'containers':[{
        'name':'c','image':'i','resources':{'requests':{'cpu':'2'}}}]}}}}\
        """;

    JsonNode outcomes = status("user", IN_A, of(deployment, "")).path("outcomes");

    assertThat(outcomes)
        .extracting(it -> it.at("/object/kind").asText() + " " + it.path("answer").asText())
        .containsExactly("Deployment Admitted", "Deployment Admitted", "Deployment Waits");
  }

  @Test
  void aTrainJobHasThePodsOfTheRuntimeInTheCluster() {
    queues.store(
        """
        {'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',
        'metadata':{'name':'torch'},'spec':{'mlPolicy':{'numNodes':2},'template':{'spec':{
        'replicatedJobs':[{'name':'node','template':{'metadata':{'labels':{
        'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}},'spec':{'template':{'spec':{
        'containers':[{'name':'node','image':'i','resources':{'requests':{'cpu':'2'}}}]}}}}}]}}}}\
        """);
    String trainJob =
        """
        {'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'TrainJob','metadata':{
        'name':'train','labels':{'kueue.x-k8s.io/queue-name':'team'}},
        'spec':{'runtimeRef':{'name':'torch'}}}\
        """;

    JsonNode status = status("user", IN_A, of(trainJob, ""));

    assertThat(status.at("/outcomes/0/answer").asText()).isEqualTo("Admitted");
    assertThat(status.at("/usage/0/after").asText()).isEqualTo("10");
  }

  private static String forward(String time, String objects) {
    return "{'spec':{'objects':[%s],'forward':'%s'}}".formatted(objects, time);
  }

  @Test
  void playedForwardAJobThatWaitsHasTheTimeOfItsStart() {
    queues.runningFor(600, "secret", "timed", 4, "cq");

    JsonNode status = status("user", IN_A, forward("1h", job(4, "")));

    assertThat(status.at("/outcomes/0/answer").asText()).isEqualTo("Waits");
    assertThat(status.at("/outcomes/0/starts").asText()).isEqualTo("2026-01-01T12:10:00Z");
    assertThat(status.path("until").asText()).isEqualTo("2026-01-01T13:00:00Z");
    assertThat(status.path("truncated").asBoolean(true)).isFalse();
    JsonNode sooner = status("user", IN_A, forward("9m", job(4, "")));
    assertThat(sooner.at("/outcomes/0").has("starts")).isFalse();
    assertThat(sooner.path("truncated").asBoolean(true)).isFalse();
  }

  @Test
  void aJobThatIsAdmittedStartsNow() {
    assertThat(status("user", IN_A, forward("1h", job(4, ""))).at("/outcomes/0/starts").asText())
        .isEqualTo(LiveQueues.NOW.toString());
  }

  @Test
  void whoWouldStartLaterIsDelayedAndNamedToWhomMaySeeIt() {
    queues.runningFor(600, "secret", "timed", 2, "cq");
    queues.runningFor(1200, "secret", "slow", 2, "cq");
    queues.waiting("secret", "hidden-other", 2, 0);
    String smaller =
        """
        {'spec':{'forward':'1h','edits':[{'apiVersion':'kueue.x-k8s.io/v1beta2',
        'kind':'ClusterQueue','metadata':{'name':'cq'},'spec':{'resourceGroups':[
        {'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
        {'name':'cpu','nominalQuota':'8'}]}]}]}}]}}\
        """;

    JsonNode delayed = status("admin", ANYWHERE, smaller).path("delayed");

    assertThat(delayed).hasSize(1);
    assertThat(delayed.at("/0/name").asText()).isEqualTo("hidden-other");
    assertThat(delayed.at("/0/was").asText()).isEqualTo("2026-01-01T12:10:00Z");
    assertThat(delayed.at("/0/now").asText()).isEqualTo("2026-01-01T12:20:00Z");
    JsonNode seen = status("user", ANYWHERE, smaller);
    assertThat(seen.at("/delayed/0/workloads").asInt()).isEqualTo(1);
    assertThat(seen.at("/delayed/0/was").asText()).isEqualTo("Later");
    assertThat(seen.at("/delayed/0/now").asText()).isEqualTo("Later");
    assertThat(seen.toString()).doesNotContain("hidden").doesNotContain("secret");
  }

  @Test
  void simulatingChangesNothing() {
    String tag = queues.state().orElseThrow().tag();
    int waiting = queues.snapshot().waitingCount("cq");

    status("admin", IN_A, of(job(4, ""), ""));

    assertThat(queues.state().orElseThrow().tag()).isEqualTo(tag);
    assertThat(queues.snapshot().waitingCount("cq")).isEqualTo(waiting);
    assertThat(outcome("admin", job(4, "")).path("answer").asText()).isEqualTo("Admitted");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ | the body is no JSON",
        "[] | the body: no object",
        "{'spec':{}} | nothing to simulate",
        "{'spec':{'forwards':'1h'}} | spec.forwards: unknown field",
        "{'spec':{'objects':[{'spec':{'replicas':3000}},{'spec':{'replicas':2147483647}}]}} |"
            + " spec.objects[1].spec.replicas: 2147486647 with those before it (expected: at most"
            + " 5000",
        "{'spec':{'forward':'soon'}} | spec.forward: \"soon\" (expected: a time such as 30m",
        "{'spec':{'forward':'-1h'}} | spec.forward: \"-1h\" (expected",
        "{'spec':{'forward':'0'}} | spec.forward: \"0\" (expected",
        "{'spec':{'forward':3600}} | spec.forward: 3600 (expected",
        "{'spec':{'forward':'169h'}} | at most 168h",
        "{'spec':{'objects':[1]}} | spec.objects[0]: no object",
        "{'spec':{'objects':[{'apiVersion':'v1','kind':'Secret'}]}} | spec.objects[0].kind",
        "{'spec':{'objects':[{'apiVersion':'batch/v1','kind':'Job'}]}} | metadata.name: missing",
        "{'spec':{'edits':[{'kind':'ClusterQueue','name':'cq','delete':true}]}} | spec.edits",
      })
  void aBodyThatSaysNothingIsRefusedWithItsField(String body, String problem) {
    Reply reply = asked.post("user", IN_A, body);

    assertThat(reply.status()).isEqualTo(422);
    assertThat(Asked.json(reply).path("message").asText()).contains(problem);
  }

  @Test
  void aSimulationInANamespaceNamesNoOther() {
    String foreign = job(1, "").replace("'name':'train',", "'name':'train','namespace':'secret',");

    assertThat(asked.post("user", IN_A, of(foreign, "")).status()).isEqualTo(422);
    assertThat(asked.post("user", ANYWHERE, of(job(1, ""), "")).status()).isEqualTo(422);
  }

  @Test
  void moreThanTwoHundredObjectsAreRefused() {
    String many = String.join(",", Collections.nCopies(201, job(1, "")));

    assertThat(Asked.json(asked.post("user", IN_A, of(many, ""))).path("message").asText())
        .contains("201")
        .contains("at most 200");
  }

  @Test
  void oneSimulationOfEachUserAndTwoOfAllRunAtATime() {
    SimulationSlots slots = new SimulationSlots();

    assertThat(slots.enter("jane")).isTrue();
    assertThat(slots.enter("jane")).isFalse();
    assertThat(slots.enter("joe")).isTrue();
    assertThat(slots.enter("jim")).isFalse();
    slots.leave("jane");
    assertThat(slots.enter("jim")).isTrue();
  }

  @Test
  void whenTheTimeIsOverTheAnswerHasWhatIsKnown() {
    var chosen =
        new SimulatedConfiguration(Configuration.defaults("sluice-system"), Extensions.DEFAULT);
    var request =
        WhatIfRequest.read(
            Asked.json(
                new Reply(200, Map.of(), of(job(4, ""), "").replace('\'', '"').getBytes(UTF_8))),
            "a",
            chosen);

    WhatIfResult result =
        new WhatIf(
                queues.fork().join().fork(),
                queues,
                chosen,
                StandardRules.book(),
                LiveQueues.NOW,
                Names.ALL,
                KnownRuns::none,
                () -> false)
            .run(request);

    assertThat(result.truncated()).isTrue();
    assertThat(result.outcomes())
        .singleElement()
        .satisfies(it -> assertThat(it.answer()).isEqualTo(Answer.WAITS));
  }
}
