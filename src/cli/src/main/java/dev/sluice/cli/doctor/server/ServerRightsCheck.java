package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Whether the accounts of a server in the cluster have the rights that its manifests give them. */
public final class ServerRightsCheck implements Check {
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

  /** The server of the visibility API is no part of every installation. */
  private static final String VISIBILITY = "sluice-see";

  private static final Map<String, String> PATHS =
      Map.of(
          "ClusterRole", "clusterroles/",
          "ClusterRoleBinding", "clusterrolebindings/",
          "Role", "namespaces/%s/roles/",
          "RoleBinding", "namespaces/%s/rolebindings/");

  private final Cluster cluster;
  private final ServerPlace place;

  /** A check of that cluster. */
  public ServerRightsCheck(Cluster cluster, ServerPlace place) {
    this.cluster = cluster;
    this.place = place;
  }

  @Override
  public void check(Findings findings) {
    if (place.deployment().isPresent() && place.service().isPresent()) {
      check(place.service().get(), findings);
    }
  }

  private void check(Target.Service service, Findings findings) {
    int complete = 0;
    List<ObjectNode> expected =
        Installation.into(service).documents().stream().filter(this::isNeeded).toList();
    for (ObjectNode document : expected) {
      complete += isComplete(document, service, findings) ? 1 : 0;
    }
    if (complete == expected.size()) {
      findings.ok("rights of the server", "are as installed: %d objects".formatted(complete));
    }
  }

  /** Those of our programs; roles for people are nobody's before somebody binds them. */
  private boolean isNeeded(ObjectNode document) {
    String name = document.at("/metadata/name").asText();
    boolean ofTheSecret = document.path("kind").asText().startsWith("Role");
    return PATHS.containsKey(document.path("kind").asText())
        && name.startsWith("sluice-")
        && !name.startsWith(VISIBILITY)
        && !(ofTheSecret
            && name.equals("sluice-webhook")
            && place.option("--shared-certificates").isEmpty());
  }

  private boolean isComplete(ObjectNode document, Target.Service service, Findings findings) {
    String kind = document.path("kind").asText();
    String name = document.at("/metadata/name").asText();
    String object = kind.toLowerCase(Locale.ROOT) + "/" + name;
    Answer answer =
        cluster.get(RBAC + PATHS.getOrDefault(kind, "").formatted(service.namespace()) + name);
    if (answer.status() == 404) {
      findings.error(object, "is missing: the server lacks its rights", Remedies.INSTALL);
      return false;
    }
    if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return false;
    }
    List<String> lacking = new ArrayList<>();
    for (JsonNode rule : document.path("rules")) {
      if (!contains(answer.json().path("rules"), rule)) {
        lacking.add(texts(rule.path("verbs")) + " " + texts(rule.path("resources")));
      }
    }
    for (JsonNode subject : document.path("subjects")) {
      if (!contains(answer.json().path("subjects"), subject)) {
        lacking.add("subject " + subject.path("name").asText());
      }
    }
    boolean bindsAnother = document.has("roleRef") && !isBoundTo(answer.json(), document);
    if (bindsAnother) {
      lacking.add("role " + document.at("/roleRef/name").asText());
    }
    if (!lacking.isEmpty()) {
      findings.error(
          object,
          "differs from what is installed, lacks: " + String.join("; ", lacking),
          bindsAnother ? remake(kind, name, service) : Remedies.INSTALL);
    }
    return lacking.isEmpty();
  }

  private static boolean isBoundTo(JsonNode binding, JsonNode wanted) {
    return Stream.of("/roleRef/kind", "/roleRef/name")
        .allMatch(it -> binding.at(it).equals(wanted.at(it)));
  }

  /** The API server refuses to change the role of a binding, so an apply does not mend it. */
  private static String remake(String kind, String name, Target.Service service) {
    return "kubectl -n %s delete %s %s, then %s"
        .formatted(service.namespace(), kind.toLowerCase(Locale.ROOT), name, Remedies.INSTALL);
  }

  private static boolean contains(JsonNode list, JsonNode wanted) {
    return list.valueStream().anyMatch(it -> covers(it, wanted));
  }

  /** Whether each list has all that is wanted, and each other field is the same. */
  private static boolean covers(JsonNode there, JsonNode wanted) {
    return wanted
        .propertyStream()
        .allMatch(
            field -> {
              JsonNode value = there.path(field.getKey());
              return field.getValue().isArray()
                  ? field.getValue().valueStream().allMatch(it -> has(value, it))
                  : value.equals(field.getValue());
            });
  }

  private static boolean has(JsonNode list, JsonNode wanted) {
    return list.valueStream().anyMatch(wanted::equals);
  }

  private static String texts(JsonNode list) {
    return String.join(",", list.valueStream().map(JsonNode::asText).toList());
  }
}
