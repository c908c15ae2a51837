package dev.sluice.cli.doctor.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.trust.TrustCheck;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.ServedVersions;
import java.util.List;
import java.util.Optional;

/** Whether the definition of a kind is there and says what it should. */
public final class CrdCheck {
  private static final String PATH = "/convert";

  private static final String WITHOUT_WEBHOOK =
      "{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}";

  private final Cluster cluster;
  private final TrustCheck trust;
  private final String clusterArguments;

  /** A check of that cluster. */
  public CrdCheck(Cluster cluster, TrustCheck trust, String clusterArguments) {
    this.cluster = cluster;
    this.trust = trust;
    this.clusterArguments = clusterArguments;
  }

  /**
   * Looks at one kind.
   *
   * @return the definition, if it is there
   */
  public Optional<JsonNode> check(ApiKind kind, Findings findings) {
    String object = "crd/" + kind.crdName();
    Answer answer = cluster.get(StoredKind.definition(kind));
    if (answer.status() == 404) {
      findings.error(object, "is missing", Remedies.INSTALL);
      return Optional.empty();
    }
    if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return Optional.empty();
    }
    JsonNode crd = answer.json();
    established(object, crd, findings);
    StoredKind stored = StoredKind.of(kind, crd);
    versions(object, crd, stored, findings);
    storage(object, stored, findings);
    conversion(object, kind, crd.at("/spec/conversion"), findings);
    return Optional.of(crd);
  }

  private static void established(String object, JsonNode crd, Findings findings) {
    for (JsonNode condition : crd.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Established")
          && !condition.path("status").asText().equals("True")) {
        findings.error(
            object,
            "is not established: " + condition.path("message").asText(),
            "kubectl describe " + object);
      }
    }
  }

  private static void versions(String object, JsonNode crd, StoredKind stored, Findings findings) {
    List<String> missing =
        stored.kind().versions().stream()
            .map(ApiVersion::text)
            .filter(version -> !stored.servedVersions().contains(version))
            .filter(version -> !ServedVersions.leavesOut(crd, version))
            .toList();
    if (missing.isEmpty()) {
      findings.ok(object, "serves " + String.join(", ", stored.servedVersions()));
    } else {
      findings.error(object, "does not serve " + String.join(", ", missing), Remedies.INSTALL);
    }
  }

  private void storage(String object, StoredKind stored, Findings findings) {
    if (!stored.storageVersion().equals(ApiVersion.HUB.text())) {
      findings.warning(
          object,
          "stores %s (expected: %s)".formatted(stored.storageVersion(), ApiVersion.HUB),
          Remedies.INSTALL);
    } else if (!stored.isMigrated()) {
      findings.warning(
          object,
          "objects may still be stored at another version than %s: %s"
              .formatted(stored.storageVersion(), String.join(", ", stored.storedVersions())),
          "sluice migrate --kind " + stored.kind() + clusterArguments);
    } else {
      findings.ok(object, "everything is stored at " + stored.storageVersion());
    }
  }

  private void conversion(String object, ApiKind kind, JsonNode conversion, Findings findings) {
    boolean needsWebhook = isWebhook(new Manifests().crd(kind).at("/spec/conversion"));
    if (!isWebhook(conversion)) {
      if (needsWebhook) {
        findings.error(object, "has no conversion webhook, so fields are lost", Remedies.INSTALL);
      }
      return;
    }
    if (!needsWebhook) {
      findings.error(
          object,
          "has a conversion webhook that Sluice does not need and leaves as it is: "
              + target(conversion.at("/webhook/clientConfig")),
          "kubectl patch %s --type=merge -p '%s'".formatted(object, WITHOUT_WEBHOOK));
      return;
    }
    JsonNode config = conversion.at("/webhook/clientConfig");
    String path = config.path("url").asText("") + config.at("/service/path").asText("");
    if (!path.endsWith(PATH)) {
      findings.error(
          object, "conversions go to %s (expected: %s)".formatted(path, PATH), Remedies.INSTALL);
    }
    trust.check(object, config, findings);
  }

  private static String target(JsonNode config) {
    JsonNode service = config.path("service");
    return service.isMissingNode()
        ? config.path("url").asText()
        : "service %s/%s"
            .formatted(service.path("namespace").asText(), service.path("name").asText());
  }

  private static boolean isWebhook(JsonNode conversion) {
    return conversion.path("strategy").asText().equals("Webhook");
  }
}
