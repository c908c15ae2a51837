package dev.sluice.cli.doctor.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;

/**
 * Whether the APIServices of our groups are available. One that is not slows down every discovery,
 * and namespaces cannot be deleted.
 */
public final class ApiServiceCheck implements Check {
  private static final String PATH = "/apis/apiregistration.k8s.io/v1/apiservices";

  private final Cluster cluster;

  /** A check of that cluster. */
  public ApiServiceCheck(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public void check(Findings findings) {
    Answer answer = cluster.get(PATH);
    if (!answer.isSuccess()) {
      findings.warning("apiservices", "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return;
    }
    int available = 0;
    for (JsonNode service : answer.json().path("items")) {
      if (isOurs(service.at("/spec/group").asText())) {
        available += isAvailable(service, findings) ? 1 : 0;
      }
    }
    if (available > 0) {
      findings.ok("apiservices", available + " of Sluice's groups are available");
    }
  }

  private static boolean isOurs(String group) {
    return group.endsWith(ApiVersion.GROUP) || group.equals(Domains.VIEW);
  }

  private static boolean isAvailable(JsonNode service, Findings findings) {
    String name = service.at("/metadata/name").asText();
    for (JsonNode condition : service.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Available")
          && !condition.path("status").asText().equals("True")) {
        findings.error(
            "apiservice/" + name,
            "is not available: " + condition.path("message").asText(),
            "start what serves it; if that is gone for good: kubectl delete apiservice " + name);
        return false;
      }
    }
    return true;
  }
}
