package dev.sluice.cli.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import java.util.ArrayList;
import java.util.List;

/** Whose webhooks the API server calls, and who serves the APIs of both. */
final class WebhooksCheck implements Check {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

  private final Cluster cluster;
  private final Side from;
  private final Side to;

  WebhooksCheck(Cluster cluster, Side from, Side to) {
    this.cluster = cluster;
    this.from = from;
    this.to = to;
  }

  @Override
  public void check(Findings findings) {
    for (String plural :
        List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")) {
      Answer answer = cluster.get(REGISTRATION + plural);
      if (answer.isSuccess()) {
        configurations(plural, answer.json().path("items"), findings);
      } else {
        findings.warning(plural, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      }
    }
    services(findings);
  }

  private void configurations(String plural, JsonNode items, Findings findings) {
    List<String> old = names(items, from);
    List<String> next = names(items, to);
    String singular = plural.substring(0, plural.length() - 1);
    if (!old.isEmpty() && !next.isEmpty()) {
      findings.error(
          plural,
          "%s and %s are both called for each write: %s"
              .formatted(from.name(), to.name(), String.join(", ", old)),
          "once %s is stopped: kubectl delete %s %s"
              .formatted(from.name(), singular, String.join(" ", old)));
    } else if (!old.isEmpty()) {
      findings.ok(
          plural,
          "%s of %s, to be deleted once it is stopped"
              .formatted(String.join(", ", old), from.name()));
    } else {
      findings.ok(plural, next.isEmpty() ? "none of either" : "only those of " + to.name());
    }
  }

  private static List<String> names(JsonNode items, Side side) {
    List<String> names = new ArrayList<>();
    for (JsonNode item : items) {
      String name = item.at("/metadata/name").asText();
      String namespace = item.at("/webhooks/0/clientConfig/service/namespace").asText();
      if (name.startsWith(side.webhooks()) || namespace.equals(side.namespace())) {
        names.add(name);
      }
    }
    return names;
  }

  private void services(Findings findings) {
    Answer answer = cluster.get(SERVICES);
    for (JsonNode service : answer.isSuccess() ? answer.json().path("items") : answer.json()) {
      String name = service.at("/metadata/name").asText();
      String namespace = service.at("/spec/service/namespace").asText();
      if (namespace.equals(from.namespace())) {
        findings.warning(
            "apiservice/" + name,
            "leads to %s: nobody answers once it is stopped, and no namespace can be deleted then"
                .formatted(from.name()),
            from.name().equals("Kueue")
                ? "sluice install replaces it"
                : "kubectl delete apiservice " + name);
      }
    }
  }
}
