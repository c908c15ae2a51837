package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Roles for the people of a cluster, under the names that Kueue gives them: a viewer and an editor
 * of each kind, and two roles that collect these by their labels. Nobody has one before somebody
 * binds it.
 */
final class UserRoles {
  private static final String PREFIX = "kueue-";
  private static final String ADMIN = Labels.OF_BATCH_ADMINS;
  private static final String USER = Labels.OF_BATCH_USERS;
  private static final List<String> VIEW = List.of("get", "list", "watch");
  private static final List<String> EDIT =
      List.of("create", "delete", "get", "list", "patch", "update", "watch");

  /** What somebody with jobs may look at of the queues. */
  private static final Set<ApiKind> SEEN_BY_USERS = Set.of(ApiKind.LOCAL_QUEUE, ApiKind.WORKLOAD);

  /** Kinds that the roles edit and view of every cluster are about. */
  private static final Set<String> BUILT_IN = Set.of("pod", "deployment", "statefulset");

  private final JsonNode jobs;

  /** Roles for our own kinds and for those of this list. */
  UserRoles(JsonNode jobs) {
    this.jobs = jobs;
  }

  /** First the two collections, then the roles that they collect. */
  List<ObjectNode> documents() {
    List<ObjectNode> documents =
        new ArrayList<>(List.of(collection("batch-admin", ADMIN), collection("batch-user", USER)));
    for (ApiKind kind : ApiKind.values()) {
      documents.add(editor(kind.kind(), ApiVersion.GROUP, kind.plural(), Set.of(ADMIN)));
      documents.add(
          viewer(
              kind.kind(),
              ApiVersion.GROUP,
              kind.plural(),
              SEEN_BY_USERS.contains(kind) ? Set.of(ADMIN, USER) : Set.of(ADMIN)));
    }
    for (JsonNode job : jobs.path("kinds")) {
      if (job.has("mutate") && !BUILT_IN.contains(job.path("framework").asText())) {
        String kind = job.path("kind").asText();
        String group = job.path("group").asText();
        String resource = job.at("/resources/0").asText();
        documents.add(editor(kind, group, resource, Set.of(ADMIN, USER)));
        documents.add(viewer(kind, group, resource, Set.of(ADMIN, USER)));
      }
    }
    documents.add(pendingWorkloads("cq", "clusterqueues", Set.of(ADMIN)));
    documents.add(pendingWorkloads("lq", "localqueues", Set.of(ADMIN, USER)));
    documents.add(viewOfUsers());
    documents.add(viewOfAdministrators());
    return documents;
  }

  /**
   * May read which Workloads wait in a queue; also for those with a role that every cluster has.
   */
  private static ObjectNode pendingWorkloads(
      String abbreviation, String plural, Set<String> collectedBy) {
    ObjectNode role = role("pending-workloads-" + abbreviation + "-viewer-role");
    ObjectNode labels = (ObjectNode) role.at("/metadata/labels");
    collectedBy.stream().sorted().forEach(collection -> labels.put(collection, "true"));
    for (String standard : List.of("admin", "edit", "view")) {
      labels.put("rbac.authorization.k8s.io/aggregate-to-" + standard, "true");
    }
    addRule(role, Domains.VISIBILITY, plural + "/pendingworkloads", VIEW);
    return role;
  }

  /** May ask why own workloads wait, and what would become of others. */
  private static ObjectNode viewOfUsers() {
    ObjectNode role = role("view-user-role");
    ((ObjectNode) role.at("/metadata/labels")).put(USER, "true");
    addRule(role, Domains.VIEW, "workloads/explanation", List.of("get"));
    addRule(role, Domains.VIEW, "workloads/timeline", List.of("get"));
    addRule(role, Domains.VIEW, "workloads/forecast", List.of("get"));
    addRule(role, Domains.VIEW, "localqueues/line", List.of("get"));
    addRule(role, Domains.VIEW, "log", List.of("list"));
    addRule(role, Domains.VIEW, "simulations", List.of("create"));
    return role;
  }

  /** May ask that of all, and see every queue. */
  private static ObjectNode viewOfAdministrators() {
    ObjectNode role = role("view-admin-role");
    ((ObjectNode) role.at("/metadata/labels")).put(ADMIN, "true");
    for (String read :
        List.of(
            "workloads/explanation",
            "workloads/timeline",
            "workloads/forecast",
            "localqueues/line",
            "clusterqueues/line",
            "clusterqueues/holders",
            "clusterqueues/quotas",
            "clusterqueues/usage",
            "topologies/domains",
            "resourceflavors/domains")) {
      addRule(role, Domains.VIEW, read, List.of("get"));
    }
    addRule(role, Domains.VIEW, "standing", List.of("list"));
    addRule(role, Domains.VIEW, "inventory", List.of("list"));
    addRule(role, Domains.VIEW, "log", List.of("list"));
    addRule(role, Domains.VIEW, "clusterlog", List.of("list"));
    addRule(role, Domains.VIEW, "history", List.of("list"));
    addRule(role, Domains.VIEW, "forecastscores", List.of("list"));
    addRule(role, Domains.VIEW, "simulations", List.of("create"));
    addRule(role, Domains.VIEW, "clustersimulations", List.of("create"));
    return role;
  }

  private static ObjectNode collection(String name, String label) {
    ObjectNode role = role(name + "-role");
    role.putObject("aggregationRule")
        .putArray("clusterRoleSelectors")
        .addObject()
        .putObject("matchLabels")
        .put(label, "true");
    return role;
  }

  private static ObjectNode editor(
      String kind, String group, String resource, Set<String> collectedBy) {
    return ofKind(kind, "editor", group, resource, EDIT, collectedBy);
  }

  private static ObjectNode viewer(
      String kind, String group, String resource, Set<String> collectedBy) {
    return ofKind(kind, "viewer", group, resource, VIEW, collectedBy);
  }

  private static ObjectNode ofKind(
      String kind,
      String what,
      String group,
      String resource,
      List<String> verbs,
      Set<String> collectedBy) {
    ObjectNode role = role(kind.toLowerCase(Locale.ROOT) + "-" + what + "-role");
    ObjectNode labels = (ObjectNode) role.at("/metadata/labels");
    collectedBy.stream().sorted().forEach(collection -> labels.put(collection, "true"));
    addRule(role, group, resource, verbs);
    addRule(role, group, resource + "/status", List.of("get"));
    return role;
  }

  private static void addRule(ObjectNode role, String group, String resource, List<String> verbs) {
    ObjectNode rule = role.withArrayProperty("rules").addObject();
    rule.putArray("apiGroups").add(group);
    rule.putArray("resources").add(resource);
    verbs.forEach(rule.putArray("verbs")::add);
  }

  private static ObjectNode role(String name) {
    ObjectNode role = JsonNodeFactory.instance.objectNode();
    role.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", "ClusterRole");
    role.putObject("metadata")
        .put("name", PREFIX + name)
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "sluice");
    return role;
  }
}
