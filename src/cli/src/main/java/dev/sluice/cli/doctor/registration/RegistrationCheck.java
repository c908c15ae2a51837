package dev.sluice.cli.doctor.registration;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.trust.TrustCheck;
import dev.sluice.manifests.JobSelection;
import dev.sluice.manifests.Manifests;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Whether writes of our kinds are sent to be validated. A server in the cluster registers itself
 * once it answers, and the registration is on trial until the API server has reached it.
 */
public final class RegistrationCheck implements Check {
  /** Which jobs are managed is a choice that is not known here. */
  private static final JobSelection OWN_KINDS = new JobSelection(Set.of(), List.of());

  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private final Cluster cluster;
  private final TrustCheck trust;

  /** A check of that cluster. */
  public RegistrationCheck(Cluster cluster, TrustCheck trust) {
    this.cluster = cluster;
    this.trust = trust;
  }

  /** Looks for everything that our manifests register. */
  @Override
  public void check(Findings findings) {
    for (JsonNode expected : new Manifests().registration(OWN_KINDS)) {
      check(expected, findings);
    }
  }

  private void check(JsonNode expected, Findings findings) {
    String resource = expected.path("kind").asText().toLowerCase(Locale.ROOT) + "s";
    String name = expected.at("/metadata/name").asText();
    String object = resource + "/" + name;
    Answer answer = cluster.get(GROUP + resource + "/" + name);
    if (answer.status() == 404) {
      findings.error(object, "is missing: objects are not validated", Remedies.REGISTER);
      return;
    }
    if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return;
    }
    JsonNode found = answer.json().path("webhooks");
    called(object, resource, answer.json(), findings);
    int before = expected.path("webhooks").size();
    int present = 0;
    boolean isOnTrial = isOnTrial(expected, found);
    for (JsonNode webhook : expected.path("webhooks")) {
      present += webhook(object, webhook, found, isOnTrial, findings) ? 1 : 0;
    }
    if (present == before) {
      findings.ok(object, "has all " + before + " webhooks");
    }
    if (isOnTrial) {
      findings.warning(
          object,
          "is on trial: no review has reached the server yet, so writes go through unchecked"
              + " while it does not answer",
          Remedies.START);
    }
  }

  /** A webhook of a Service that is gone refuses every write it is asked about. */
  private void called(String object, String resource, JsonNode live, Findings findings) {
    String name = live.at("/metadata/name").asText();
    for (JsonNode webhook : live.path("webhooks")) {
      JsonNode service = webhook.at("/clientConfig/service");
      if (service.isMissingNode()) {
        continue;
      }
      String namespace = service.path("namespace").asText();
      String called = service.path("name").asText();
      Answer answer = cluster.get("/api/v1/namespaces/" + namespace + "/services/" + called);
      if (answer.status() == 404) {
        findings.error(
            object,
            "calls the service %s/%s, which does not exist: writes are refused"
                .formatted(namespace, called),
            "install again, or remove what was left behind: kubectl delete "
                + resource.substring(0, resource.length() - 1)
                + " "
                + name,
            new Findings.Fix(
                object,
                "deleted, because its server was gone",
                () -> cluster.delete(GROUP + resource + "/" + name, live)));
      }
      return; // all lead to the same
    }
  }

  private static boolean isOnTrial(JsonNode expected, JsonNode found) {
    for (JsonNode webhook : expected.path("webhooks")) {
      Optional<JsonNode> there = find(webhook.at("/clientConfig/service/path").asText(), found);
      if (there.isEmpty() || !isIgnored(there.get())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIgnored(JsonNode webhook) {
    return webhook.path("failurePolicy").asText().equals("Ignore");
  }

  private boolean webhook(
      String object, JsonNode expected, JsonNode found, boolean isOnTrial, Findings findings) {
    String path = expected.at("/clientConfig/service/path").asText();
    String what = object + " " + expected.path("name").asText();
    Optional<JsonNode> match = find(path, found);
    if (match.isEmpty()) {
      findings.error(what, "no webhook calls " + path, Remedies.INSTALL);
      return false;
    }
    JsonNode webhook = match.get();
    if (!covers(webhook.path("rules"), expected.path("rules"))) {
      findings.error(what, "its rules lack operations, versions or resources", Remedies.INSTALL);
    }
    if (isIgnored(webhook) && !isOnTrial) {
      findings.warning(
          what,
          "failurePolicy is Ignore: writes go through unseen while the server is away",
          Remedies.INSTALL);
    }
    if (webhook.path("matchPolicy").asText().equals("Exact")) {
      findings.warning(
          what, "matchPolicy is Exact: writes at other versions go unseen", Remedies.INSTALL);
    }
    trust.check(object, webhook.path("clientConfig"), findings);
    return true;
  }

  private static Optional<JsonNode> find(String path, JsonNode webhooks) {
    for (JsonNode webhook : webhooks) {
      JsonNode config = webhook.path("clientConfig");
      if (config.at("/service/path").asText("").equals(path)
          || config.path("url").asText("").endsWith(path)) {
        return Optional.of(webhook);
      }
    }
    return Optional.empty();
  }

  /** Whether each resource and operation that is expected is in some rule. */
  private static boolean covers(JsonNode rules, JsonNode expected) {
    for (JsonNode rule : expected) {
      for (JsonNode resource : rule.path("resources")) {
        for (JsonNode operation : rule.path("operations")) {
          if (!covers(rules, resource.asText(), operation.asText())) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean covers(JsonNode rules, String resource, String operation) {
    for (JsonNode rule : rules) {
      if (has(rule.path("resources"), resource) && has(rule.path("operations"), operation)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(JsonNode list, String wanted) {
    for (JsonNode each : list) {
      if (each.asText().equals(wanted) || each.asText().equals("*")) {
        return true;
      }
    }
    return false;
  }
}
