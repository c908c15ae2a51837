package dev.sluice.cli.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.cli.replay.RecordedDecision.Role;
import dev.sluice.cli.scenario.ScenarioDocument;
import dev.sluice.jobs.JobKinds;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.rules.RuleBook;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.world.ClusterState;
import dev.sluice.server.world.SimulatedCluster;
import dev.sluice.server.world.SimulatedConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Makes a scenario of a decision: the least objects, and the fewest cycles, that still show it. */
public final class ScenarioExport {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What the API server sets and no decision reads, or only with others. */
  private static final List<List<String>> FIELDS =
      List.of(List.of("resourceVersion", "generation"), List.of("ownerReferences", "labels"));

  private final RecordedDecision decision;
  private final BooleanSupplier goOn;
  private final Shown wanted;
  private final SimulatedConfiguration chosen;
  private final RuleBook rules; // made once, for hundreds of worlds

  private ScenarioExport(RecordedDecision decision, BooleanSupplier goOn) {
    this.decision = decision;
    this.goOn = goOn;
    this.wanted = Shown.of(decision.outcome());
    this.chosen = SimulatedConfiguration.read(decision.configuration(), JSON.objectNode());
    this.rules = new RuleBook(JobKinds.rules(chosen.extensions().customKinds()));
  }

  /**
   * The scenario, which {@code sluice test} passes.
   *
   * @param anonymize whether names, uids and labels are replaced
   * @param goOn asked whether there is time to leave out more
   * @throws CommandException if the decision depends on what objects do not say
   */
  public static ObjectNode of(RecordedDecision decision, boolean anonymize, BooleanSupplier goOn) {
    return new ScenarioExport(decision, goOn).export(anonymize);
  }

  private ObjectNode export(boolean anonymize) {
    List<ObjectNode> all = showing();
    int most = cyclesUntil(wanted, all, all.size() + 2);
    if (most == 0) {
      throw new CommandException(
          wanted.workload()
              + " at "
              + decision.at()
              + ": the decision depends on what the engine remembered of earlier cycles, so no"
              + " scenario shows it ("
              + wanted.kind()
              + ")");
    }
    List<ObjectNode> least =
        Reduction.of(all, some -> cyclesUntil(wanted, some, most) > 0, goOn).stream()
            .map(ObjectNode::deepCopy)
            .toList();
    simplify(least);
    ObjectNode scenario = scenario(wanted, least);
    if (anonymize) {
      Anonymizer names = Anonymizer.of(least);
      scenario = scenario(names.of(wanted), least.stream().map(names::of).toList());
    }
    String problem = ScenarioDocument.problem(scenario);
    if (!problem.isEmpty()) {
      throw new CommandException("the scenario does not show what it should: " + problem);
    }
    return scenario;
  }

  /**
   * The first of these worlds that shows the decision: the cycle's heads and what holds quota; the
   * head alone and what holds quota, since other heads may go on with a search that they began
   * before; all there is.
   */
  private List<ObjectNode> showing() {
    List<Predicate<RecordedDecision.Known>> worlds =
        List.of(
            it -> it.role() != Role.ASLEEP,
            it -> it.role() == Role.REST || it.key().equals(wanted.workload()));
    for (Predicate<RecordedDecision.Known> world : worlds) {
      List<ObjectNode> some =
          decision.objects().stream().filter(world).map(ScenarioExport::document).toList();
      if (cyclesUntil(wanted, some, some.size() + 2) > 0) {
        return some;
      }
    }
    return decision.objects().stream().map(ScenarioExport::document).toList();
  }

  private static ObjectNode document(RecordedDecision.Known known) {
    ObjectNode document = JSON.objectNode();
    GroupKind kind = known.kind().id();
    document.put("apiVersion", apiVersion(kind.group())).put("kind", kind.kind());
    document.setAll(HubObjects.write(known.object()));
    return document;
  }

  private static String apiVersion(String group) {
    return group.isEmpty()
        ? "v1"
        : group.equals(ApiVersion.GROUP) ? ApiVersion.HUB.groupVersion() : group + "/v1";
  }

  private SimulatedCluster cluster(List<ObjectNode> objects) {
    var cluster =
        new SimulatedCluster(
            chosen,
            decision.at(),
            new QuotaEngine(EngineConfiguration.of(chosen.configuration())),
            rules,
            _ -> Optional.empty());
    objects.forEach(cluster::apply);
    cluster.planJobs();
    return cluster;
  }

  /** In which cycle of that world the decision is made; 0 for in none of so many. */
  private int cyclesUntil(Shown shown, List<ObjectNode> objects, int most) {
    try {
      SimulatedCluster cluster = cluster(objects);
      for (int cycle = 1; cycle <= most; cycle++) {
        CycleResult result = cluster.cycle();
        for (Outcome outcome : result.outcomes()) {
          if (outcome.workload().equals(shown.workload()) && Shown.of(outcome).equals(shown)) {
            return cycle;
          }
        }
        if (!result.changed()) {
          return 0;
        }
      }
    } catch (IllegalArgumentException | IllegalStateException _) {
      // a world that cannot be is none that shows it
    }
    return 0;
  }

  private void simplify(List<ObjectNode> objects) {
    int cycles = cyclesUntil(wanted, objects, objects.size() + 2);
    for (ObjectNode object : objects) {
      for (List<String> fields : FIELDS) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        ObjectNode before = metadata.deepCopy();
        metadata.remove(fields);
        if (cyclesUntil(wanted, objects, cycles) == 0) {
          metadata.setAll(before);
        }
      }
    }
  }

  private ObjectNode scenario(Shown shown, List<ObjectNode> objects) {
    int cycles = cyclesUntil(shown, objects, objects.size() + 2);
    if (cycles == 0) {
      throw new CommandException("the decision depends on the names (expected: no --anonymize)");
    }
    SimulatedCluster cluster = cluster(objects);
    for (int i = 0; i < cycles; i++) {
      cluster.cycle();
    }
    ObjectNode scenario = JSON.objectNode();
    scenario.put("apiVersion", ScenarioDocument.API_VERSION).put("kind", ScenarioDocument.KIND);
    scenario.putObject("metadata").put("name", title(shown));
    ObjectNode spec = scenario.putObject("spec");
    spec.put("now", decision.at().toString());
    spec.set("configuration", decision.configuration());
    spec.putArray("objects").addAll(objects);
    spec.put("cycles", cycles);
    ArrayNode expected = spec.putObject("expect").putArray("workloads");
    expect(shown.workload(), cluster.state(), expected);
    shown.victims().forEach(victim -> expect(victim, cluster.state(), expected));
    return scenario;
  }

  private String title(Shown shown) {
    String victims =
        shown.victims().isEmpty()
            ? ""
            : " " + String.join(", ", shown.victims().stream().map(ObjectKey::toString).toList());
    String reason = shown.reason().isEmpty() ? "" : " " + shown.reason();
    return "%s at %s: %s%s%s"
        .formatted(shown.workload(), decision.at(), shown.kind(), victims, reason);
  }

  private static void expect(ObjectKey key, ClusterState state, ArrayNode expected) {
    ObjectNode one = expected.addObject();
    one.put("namespace", key.namespace()).put("name", key.name());
    one.put("state", state.phase(key).text());
    Workload workload = state.workloads().get(key);
    if (workload == null) {
      return;
    }
    Optional<Condition> reserved = workload.status().condition(ConditionTypes.QUOTA_RESERVED);
    reserved.filter(it -> !it.reason().isEmpty()).ifPresent(it -> one.put("reason", it.reason()));
    var admission = workload.status().admission();
    if (admission != null && !admission.podSetAssignments().isEmpty()) {
      ObjectNode flavors = one.putObject("flavors");
      admission
          .podSetAssignments()
          .forEach(
              it -> {
                ObjectNode own = flavors.putObject(it.name());
                it.flavors().forEach(own::put);
              });
    }
  }
}
