package dev.sluice.cli.shadow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.see.shadow.Judgement;
import dev.sluice.see.shadow.Verdict;
import dev.sluice.server.shadow.KnownObjects;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShadowScenariosTest {
  private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private Path folder;
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final Supervisor supervisor =
      new Supervisor((_, why) -> ends.add(why), InstantSource.system(), System::nanoTime);
  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  private <T> void tell(ObjectKind<T> kind, Class<T> type, String json) {
    engine.apply(
        Change.upserted(kind, HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8))), AT);
  }

  /** A difference about a Workload that our engine admits. */
  private Judgement judgement() {
    tell(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'a'}}");
    tell(ObjectKind.RESOURCE_FLAVOR, ResourceFlavor.class, "{'metadata':{'name':'f'}}");
    tell(
        ObjectKind.CLUSTER_QUEUE,
        ClusterQueue.class,
        """
        {'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':[
        {'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
        {'name':'cpu','nominalQuota':'1'}]}]}]}}\
        """);
    tell(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'q','namespace':'a'},'spec':{'clusterQueue':'cq'}}");
    tell(
        ObjectKind.WORKLOAD,
        Workload.class,
        """
        {'metadata':{'name':'w','namespace':'a','uid':'u'},'spec':{'queueName':'q','podSets':[
        {'name':'main','count':1,'template':{'spec':{'containers':[{'name':'c','resources':
        {'requests':{'cpu':'1'}}}]}}}]}}\
        """);
    QuotaEngine before = engine.fork();
    Outcome outcome = engine.fork().cycle(AT).outcomes().getFirst();
    return new Judgement(
        AT,
        Verdict.LATER,
        "",
        new ObjectKey("a", "w"),
        "u",
        "cq",
        "leaves it",
        "admits it",
        new Judgement.Evidence(before, AT, outcome));
  }

  private static String result(ShadowScenarios scenarios, Judgement judgement) {
    try (scenarios) {
      scenarios.take(judgement, new KnownObjects());
    }
    return scenarios.of(ShadowScenarios.key(judgement));
  }

  private ShadowScenarios failingWith(Fault fault) {
    return new ShadowScenarios(
        folder,
        5,
        EngineConfiguration.defaults(),
        (_, _) -> {
          fault.strike();
          throw new AssertionError("it goes on after " + fault);
        },
        supervisor);
  }

  @Test
  void whatNoScenarioShowsIsSaidAndIsNoFailure() {
    var scenarios = new ShadowScenarios(folder, 5, EngineConfiguration.defaults(), supervisor);

    assertThat(result(scenarios, judgement()))
        .startsWith("none: ")
        .contains("no scenario shows it");
    assertThat(supervisor.part("scenarios").failures()).isZero();
    assertThat(supervisor.health().problems()).isEmpty();
  }

  @Test
  void aFailureIsCountedAndSaidAndTheProcessGoesOn() {
    assertThat(result(failingWith(Fault.RUNTIME_EXCEPTION), judgement()))
        .isEqualTo("none: thrown by a test");

    assertThat(supervisor.part("scenarios").failures()).isEqualTo(1);
    assertThat(ends).isEmpty();
  }

  @Test
  void anErrorEndsTheProcess() {
    assertThat(result(failingWith(Fault.ERROR), judgement())).isEmpty();

    assertThat(supervisor.part("scenarios").failures()).isEqualTo(1);
    assertThat(ends).singleElement().asString().contains("scenarios", Fault.ERROR_TEXT);
  }
}
