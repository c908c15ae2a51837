package dev.sluice.jobs.admission;

import static dev.sluice.rules.Reviews.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.NamespaceSelector;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ObjectView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and the choices of its operator, in which jobs are created and changed. All kinds are
 * on; each method gives another scene. JSON may be written with single quotes.
 */
public record JobScene(List<JsonNode> objects, Settings settings) {
  /** An empty cluster in which all kinds are on. */
  public static final JobScene EMPTY = new JobScene(List.of(), allKinds());

  private static Settings allKinds() {
    return new Settings(
        false,
        NamespaceSelector.allBut(Set.of("kube-system", "exempt")),
        JobKinds.standard().stream().map(JobIntegration::framework).collect(Collectors.toSet()),
        Set.of(new GroupKind("example.com", "External")),
        FeatureGates.DEFAULT.with(FeatureGate.SPARK_APPLICATION_INTEGRATION, true),
        Settings.DEFAULT.podGuard());
  }

  /** With these objects too. */
  public JobScene with(String... more) {
    List<JsonNode> all = new ArrayList<>(objects);
    for (String object : more) {
      all.add(json(object));
    }
    return new JobScene(all, settings);
  }

  /** With a LocalQueue of that name. */
  public JobScene withQueue(String name) {
    return with(
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{'name':'"
            + name
            + "','namespace':'ns'},'spec':{'clusterQueue':'cq'}}");
  }

  /** With a WorkloadPriorityClass of that name. */
  public JobScene withPriorityClass(String name) {
    return with(
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'WorkloadPriorityClass','metadata':{'name':'"
            + name
            + "'}}");
  }

  /** In which jobs without a queue name are managed too. */
  public JobScene managingAll() {
    return new JobScene(
        objects,
        new Settings(
            true,
            settings.managedNamespaces(),
            settings.frameworks(),
            settings.externalFrameworks(),
            settings.gates(),
            settings.podGuard()));
  }

  /** In which only these frameworks are on. */
  public JobScene withFrameworks(String... frameworks) {
    return new JobScene(
        objects,
        new Settings(
            settings.manageJobsWithoutQueueName(),
            settings.managedNamespaces(),
            Set.of(frameworks),
            settings.externalFrameworks(),
            settings.gates(),
            settings.podGuard()));
  }

  /** In which these features are off. */
  public JobScene without(FeatureGate... gates) {
    FeatureGates rest = settings.gates();
    for (FeatureGate gate : gates) {
      rest = rest.with(gate, false);
    }
    return new JobScene(
        objects,
        new Settings(
            settings.manageJobsWithoutQueueName(),
            settings.managedNamespaces(),
            settings.frameworks(),
            settings.externalFrameworks(),
            rest,
            settings.podGuard()));
  }

  private RuleInput input(Operation operation, JsonNode object, @Nullable JsonNode old) {
    return new RuleInput(
        operation, object, old, new ReviewContext(ObjectView.of(objects), settings));
  }

  /** The rules of the kind of the object. */
  public static KindRules rules(JsonNode object) {
    return new RuleBook(JobKinds.rules(List.of())).find(kind(object)).orElseThrow();
  }

  private static GroupKind kind(JsonNode object) {
    return GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText())
        .groupKind();
  }

  /** What defaulting makes of a new object; also that it makes no more of its own result. */
  public JsonNode created(JsonNode object) {
    return defaulted(input(Operation.CREATE, object, null));
  }

  /** What defaulting makes of a changed object. */
  public JsonNode changed(JsonNode old, JsonNode object) {
    return defaulted(input(Operation.UPDATE, object, old));
  }

  private static JsonNode defaulted(RuleInput input) {
    var findings = new ValidationResult();
    JsonNode once = rules(input.object()).apply(input, findings).object();
    PatchRecorder twice = rules(input.object()).apply(input.with(once), findings);
    if (!twice.edits().isEmpty()) {
      throw new AssertionError("a second pass changes " + twice.edits());
    }
    if (findings.failure().isPresent()) {
      throw new AssertionError(findings.failure().get().toString());
    }
    return once;
  }

  /** What speaks against defaulting a new object. */
  public ValidationResult creating(JsonNode object) {
    var findings = new ValidationResult();
    rules(object).apply(input(Operation.CREATE, object, null), findings);
    return findings;
  }

  /** What the rules find in a new object. */
  public ValidationResult onCreate(JsonNode object) {
    return rules(object).check(input(Operation.CREATE, object, null));
  }

  /** What the rules find in a changed object. */
  public ValidationResult onUpdate(JsonNode old, JsonNode object) {
    return rules(object).check(input(Operation.UPDATE, object, old));
  }

  /** What the rules find in an object that this user changed. */
  public ValidationResult onUpdateBy(String user, JsonNode old, JsonNode object) {
    RuleInput input = input(Operation.UPDATE, object, old);
    String namespace = input.request().namespace();
    return rules(object)
        .check(
            new RuleInput(
                Operation.UPDATE,
                object,
                old,
                new RuleInput.Request(namespace, "", user, false),
                input.world()));
  }

  /** The object with that label; without it, if the value is null. */
  public static JsonNode labelled(JsonNode object, String key, @Nullable String value) {
    return withMember(object, "labels", key, value);
  }

  /** The object with that annotation; without it, if the value is null. */
  public static JsonNode annotated(JsonNode object, String key, @Nullable String value) {
    return withMember(object, "annotations", key, value);
  }

  private static JsonNode withMember(
      JsonNode object, String map, String key, @Nullable String value) {
    ObjectNode copy = object.deepCopy();
    ObjectNode members = copy.withObject("/metadata").withObject("/" + map);
    if (value == null) {
      members.remove(key);
    } else {
      members.put(key, value);
    }
    return copy;
  }
}
