package dev.sluice.cli.multikueue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.scheduler.write.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

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

  /** The role with the rights that a manager can do without. */
  static final String QUEUES = "sluice-manager-queues";

  private static final String OPTIONAL =
      "without this role, messages say less of why a Workload waits here";
  private static final List<String> READS = List.of("get", "list", "watch");
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
    return documents(settings, Set.of());
  }

  /**
   * The same for a manager that writes in some namespaces only. It still reads its own objects
   * everywhere, as one watch of each kind is for all namespaces.
   *
   * @param namespaces those that it may write in; empty for all
   */
  public static List<ObjectNode> documents(JobSettings settings, Set<String> namespaces) {
    Predicate<String> isHere = namespaces.isEmpty() ? _ -> true : READS::contains;
    List<ObjectNode> documents = new ArrayList<>();
    documents.add(document("v1", "Namespace", NAMESPACE));
    documents.add(inItsNamespace(document("v1", "ServiceAccount", NAME)));
    ObjectNode role = document(RBAC + "/v1", "ClusterRole", NAME);
    addRules(role, settings, isHere);
    // its uid tells whether this is still the same cluster
    addRule(role, "", "namespaces", List.of("get")).putArray("resourceNames").add("kube-system");
    documents.add(role);
    documents.add(binding("ClusterRole", NAME));
    for (String namespace : namespaces) {
      ObjectNode there = document(RBAC + "/v1", "Role", NAME);
      addRules(there, settings, it -> !READS.contains(it));
      documents.add(in(namespace, there));
      documents.add(in(namespace, binding("Role", NAME)));
    }
    documents.add(queues());
    documents.add(binding("ClusterRole", QUEUES));
    return List.copyOf(documents);
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

  private static void addRules(ObjectNode role, JobSettings settings, Predicate<String> verbs) {
    addRule(role, ApiVersion.GROUP, ApiKind.WORKLOAD.plural(), only(OF_WORKLOADS, verbs));
    List<String> ofStatus = only(List.of("patch"), verbs);
    if (!ofStatus.isEmpty()) {
      addRule(role, ApiVersion.GROUP, ApiKind.WORKLOAD.plural() + "/status", ofStatus);
    }
    verbs(settings)
        .forEach((kind, all) -> addRule(role, kind.group(), Paths.plural(kind), only(all, verbs)));
  }

  private static List<String> only(List<String> verbs, Predicate<String> wanted) {
    return verbs.stream().filter(wanted).toList();
  }

  /** A manager works without these rights, and then knows less of why a Workload waits. */
  private static ObjectNode queues() {
    ObjectNode role = document(RBAC + "/v1", "ClusterRole", QUEUES);
    role.withObject("/metadata/annotations").put(Annotations.OPTIONAL, OPTIONAL);
    addRule(role, ApiVersion.GROUP, ApiKind.LOCAL_QUEUE.plural(), READS);
    addRule(role, ApiVersion.GROUP, ApiKind.CLUSTER_QUEUE.plural(), READS);
    addRule(role, "", "namespaces", READS);
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

  private static ObjectNode binding(String kind, String name) {
    String bindingKind = kind.equals("Role") ? "RoleBinding" : "ClusterRoleBinding";
    ObjectNode binding = document(RBAC + "/v1", bindingKind, name);
    binding.putObject("roleRef").put("apiGroup", RBAC).put("kind", kind).put("name", name);
    binding
        .putArray("subjects")
        .addObject()
        .put("kind", "ServiceAccount")
        .put("name", NAME)
        .put("namespace", NAMESPACE);
    return binding;
  }

  private static ObjectNode inItsNamespace(ObjectNode document) {
    return in(NAMESPACE, document);
  }

  private static ObjectNode in(String namespace, ObjectNode document) {
    document.withObject("/metadata").put("namespace", namespace);
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
