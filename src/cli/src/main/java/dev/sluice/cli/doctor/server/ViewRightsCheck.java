package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.check.Right;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.Target;
import dev.sluice.manifests.VisibilityServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether the account of the server of the visibility API may do what that server does. The API
 * server is asked, so a cluster may give the rights in any way.
 */
public final class ViewRightsCheck implements Check {
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String NAME = "sluice-see";
  private static final String READER = "extension-apiserver-authentication-reader";
  private static final String AUTHENTICATION = "extension-apiserver-authentication";

  private final Cluster cluster;
  private final ServerPlace place;

  /** What the server does with rights, and what comes of it if they are missing. */
  private enum Purpose {
    FOLLOW("it never becomes ready, for it cannot follow the queues"),
    TOKENS("nobody can show who they are by a token"),
    REVIEWS("nobody is allowed to read anything"),
    PUBLISH("the API server does not trust its certificate, so its APIServices are not available"),
    AUTHORITY("it has no certificate, so it does not start"),
    ANNOTATE("it writes no forecasts to Workloads"),
    FRONT_PROXY("it never becomes ready, for it cannot tell an API server from a forger");

    private final String consequence;

    Purpose(String consequence) {
      this.consequence = consequence;
    }

    private static Purpose of(String resource) {
      return switch (resource) {
        case "tokenreviews" -> TOKENS;
        case "subjectaccessreviews" -> REVIEWS;
        case "apiservices" -> PUBLISH;
        case "secrets" -> AUTHORITY;
        default -> FOLLOW;
      };
    }
  }

  /** A check of that cluster. */
  public ViewRightsCheck(Cluster cluster, ServerPlace place) {
    this.cluster = cluster;
    this.place = place;
  }

  @Override
  public void check(Findings findings) {
    deployment().ifPresent(it -> check(it, findings));
  }

  /** The one behind our APIServices; where there are none, that of an installation. */
  private Optional<JsonNode> deployment() {
    Set<Target.Service> services = new LinkedHashSet<>();
    for (JsonNode item : cluster.get(SERVICES).json().path("items")) {
      String group = item.at("/spec/group").asText();
      JsonNode service = item.at("/spec/service");
      if (service.has("name")
          && (group.equals(Domains.VIEW) || group.endsWith("." + ApiVersion.GROUP))) {
        service(service).ifPresent(services::add);
      }
    }
    if (services.isEmpty()) {
      services.add(new Target.Service(place.namespace(), NAME, 443));
    }
    return services.stream()
        .flatMap(it -> ServerPlace.deployment(cluster, it).stream())
        .filter(it -> arguments(it).anyMatch("see"::equals)) // else it is that of Kueue
        .findFirst();
  }

  private static Optional<Target.Service> service(JsonNode service) {
    try {
      return Optional.of(
          new Target.Service(
              service.path("namespace").asText(),
              service.path("name").asText(),
              service.path("port").asInt(443)));
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // the API server does not find it, either
    }
  }

  private static Stream<String> arguments(JsonNode deployment) {
    return deployment
        .at("/spec/template/spec/containers")
        .valueStream()
        .flatMap(it -> it.path("args").valueStream())
        .map(JsonNode::asText);
  }

  private void check(JsonNode deployment, Findings findings) {
    Right.Account account =
        new Right.Account(
            deployment.at("/metadata/namespace").asText(),
            deployment.at("/spec/template/spec/serviceAccountName").asText("default"));
    String object = "serviceaccount/" + account.name();
    Map<Purpose, List<Right>> needed = needed(account.namespace());
    if (arguments(deployment).noneMatch(it -> it.startsWith("--shared-certificates="))) {
      needed.remove(Purpose.AUTHORITY);
    }
    if (arguments(deployment).anyMatch(VisibilityServer.ANNOTATING_FLAG::equals)) {
      needed.put(
          Purpose.ANNOTATE, rights(new Manifests().forecastRbac(), account.namespace()).toList());
    }
    int granted = 0;
    boolean areAll = true;
    for (Map.Entry<Purpose, List<Right>> each : needed.entrySet()) {
      Right.Lacking lacking = Right.lacking(each.getValue(), account, cluster);
      if (!lacking.problem().isEmpty()) {
        findings.warning(
            object, "its rights cannot be checked: " + lacking.problem(), Remedies.RIGHTS);
        return;
      }
      granted += each.getValue().size() - lacking.rights().size();
      if (!lacking.rights().isEmpty()) {
        areAll = false;
        findings.error(
            object,
            "lacks rights: " + lacking.text() + ": " + each.getKey().consequence,
            remedy(each.getKey(), account));
      }
    }
    if (areAll) {
      findings.ok(object, "has its rights: " + granted);
    }
  }

  /** The role in kube-system is often somebody else's to bind, so it has a remedy of its own. */
  private static String remedy(Purpose purpose, Right.Account account) {
    return switch (purpose) {
      case FRONT_PROXY ->
          ("kubectl -n kube-system create rolebinding sluice-see-auth-reader --role=%s"
                  + " --serviceaccount=%s:%s")
              .formatted(READER, account.namespace(), account.name());
      case ANNOTATE -> "sluice install --forecast-annotations | kubectl apply -f -";
      case FOLLOW, TOKENS, REVIEWS, PUBLISH, AUTHORITY -> Remedies.INSTALL;
    };
  }

  /** What the manifests give, and what the role of kube-system does. */
  private static Map<Purpose, List<Right>> needed(String namespace) {
    Map<Purpose, List<Right>> needed = new LinkedHashMap<>();
    for (ObjectNode document : new Manifests().visibilityRbac()) {
      String where = document.path("kind").asText().equals("Role") ? namespace : "";
      for (JsonNode rule : document.path("rules")) {
        for (JsonNode resource : rule.path("resources")) {
          needed
              .computeIfAbsent(Purpose.of(resource.asText()), _ -> new ArrayList<>())
              .addAll(rights(rule, resource.asText(), where));
        }
      }
    }
    needed.put(
        Purpose.FRONT_PROXY,
        Stream.of("get", "list", "watch")
            .map(verb -> new Right(verb, "", "configmaps", "").in("kube-system").of(AUTHENTICATION))
            .toList());
    return needed;
  }

  private static Stream<Right> rights(List<ObjectNode> documents, String namespace) {
    return documents.stream()
        .flatMap(
            document -> {
              String where = document.path("kind").asText().equals("Role") ? namespace : "";
              return document
                  .path("rules")
                  .valueStream()
                  .flatMap(
                      rule ->
                          rule.path("resources")
                              .valueStream()
                              .flatMap(it -> rights(rule, it.asText(), where).stream()));
            });
  }

  private static List<Right> rights(JsonNode rule, String resource, String namespace) {
    List<Right> rights = new ArrayList<>();
    for (JsonNode verb : rule.path("verbs")) {
      Right right =
          new Right(verb.asText(), rule.at("/apiGroups/0").asText(), resource, "").in(namespace);
      if (rule.has("resourceNames")) {
        rule.path("resourceNames").forEach(name -> rights.add(right.of(name.asText())));
      } else {
        rights.add(right);
      }
    }
    return rights;
  }
}
