package dev.sluice.cli.multikueue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.scheduler.write.Paths;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The account of a manager on a worker, with the rights that it uses there: Workloads and jobs of
 * the kinds that can be sent, in all namespaces, and the identity of the cluster.
 */
public final class WorkerAccount {
  static final String NAMESPACE = "multikueue";
  static final String NAME = "sluice-manager";

  /** Where the API server gives tokens of the account. */
  public static final String TOKEN_PATH =
      "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts/" + NAME + "/token";

  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final List<String> OF_JOBS = List.of("get", "list", "watch", "create", "delete");
  private static final List<String> OF_PATCHED_JOBS =
      List.of("get", "list", "watch", "create", "patch", "delete");
  private static final List<String> OF_WORKLOADS = OF_PATCHED_JOBS;

  private WorkerAccount() {}

  /**
   * The documents, in an order in which they can be applied.
   *
   * @param settings name the custom kinds that are sent beside the standard ones
   */
  public static List<ObjectNode> documents(JobSettings settings) {
    return List.of(
        document("v1", "Namespace", NAMESPACE),
        inItsNamespace(document("v1", "ServiceAccount", NAME)),
        role(settings),
        binding());
  }

  /** The question for a token that lasts so long. */
  public static String tokenRequest(Duration lasting) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
    request.putObject("spec").put("expirationSeconds", lasting.toSeconds());
    return request.toString();
  }

  /** The kinds that can be sent to a worker. */
  static List<GroupVersionKind> kinds(JobSettings settings) {
    return List.copyOf(verbs(settings).keySet());
  }

  /** What a manager does with each kind of jobs that can be sent, as verbs of the API. */
  public static Map<GroupVersionKind, List<String>> verbs(JobSettings settings) {
    Map<GroupVersionKind, List<String>> verbs = new LinkedHashMap<>();
    JobKinds.remote(settings)
        .forEach((kind, jobs) -> verbs.put(kind, jobs.isPatched() ? OF_PATCHED_JOBS : OF_JOBS));
    return verbs;
  }

  /** What it does with Workloads; their status it patches. */
  public static List<String> verbsOfWorkloads() {
    return OF_WORKLOADS;
  }

  private static ObjectNode role(JobSettings settings) {
    ObjectNode role = document(RBAC + "/v1", "ClusterRole", NAME);
    addRule(role, ApiVersion.GROUP, ApiKind.WORKLOAD.plural(), OF_WORKLOADS);
    addRule(role, ApiVersion.GROUP, ApiKind.WORKLOAD.plural() + "/status", List.of("patch"));
    verbs(settings)
        .forEach((kind, verbs) -> addRule(role, kind.group(), Paths.plural(kind), verbs));
    // sluice doctor compares the queues of both sides; a manager does without
    addRule(role, ApiVersion.GROUP, ApiKind.LOCAL_QUEUE.plural(), List.of("get"));
    // its uid tells whether this is still the same cluster
    addRule(role, "", "namespaces", List.of("get")).putArray("resourceNames").add("kube-system");
    return role;
  }

  private static ObjectNode addRule(
      ObjectNode role, String group, String resource, List<String> verbs) {
    ObjectNode rule = role.withArrayProperty("rules").addObject();
    rule.putArray("apiGroups").add(group);
    rule.putArray("resources").add(resource);
    verbs.forEach(rule.putArray("verbs")::add);
    return rule;
  }

  private static ObjectNode binding() {
    ObjectNode binding = document(RBAC + "/v1", "ClusterRoleBinding", NAME);
    binding.putObject("roleRef").put("apiGroup", RBAC).put("kind", "ClusterRole").put("name", NAME);
    binding
        .putArray("subjects")
        .addObject()
        .put("kind", "ServiceAccount")
        .put("name", NAME)
        .put("namespace", NAMESPACE);
    return binding;
  }

  private static ObjectNode inItsNamespace(ObjectNode document) {
    document.withObject("/metadata").put("namespace", NAMESPACE);
    return document;
  }

  private static ObjectNode document(String apiVersion, String kind, String name) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("apiVersion", apiVersion).put("kind", kind);
    document
        .putObject("metadata")
        .put("name", name)
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "sluice");
    return document;
  }
}
