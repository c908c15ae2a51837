package dev.sluice.cli.devcluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.Installation;
import java.time.Duration;

/** Applies what is installed by URL, and waits until the API server serves our kinds. */
public final class Installing {
  private static final String FIELD_MANAGER = "sluice-install";
  private static final String CRD = "CustomResourceDefinition";
  private static final Duration ESTABLISHED = Duration.ofSeconds(30);

  private Installing() {}

  /** Applies all documents; what is there already is brought up to date. */
  public static void into(ApiClient client, Installation installation) {
    for (ObjectNode document : installation.documents()) {
      client.serverSideApply(path(document), FIELD_MANAGER, document.toString()).orThrow();
    }
    for (ObjectNode document : installation.documents()) {
      if (document.path("kind").asText().equals(CRD)) {
        client.awaitEstablished(document.at("/metadata/name").asText(), ESTABLISHED);
      }
    }
  }

  private static String path(ObjectNode document) {
    String name = document.at("/metadata/name").asText();
    return switch (document.path("kind").asText()) {
      case CRD -> "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name;
      case "MutatingWebhookConfiguration" ->
          "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/" + name;
      case "ValidatingWebhookConfiguration" ->
          "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/" + name;
      default ->
          throw new IllegalStateException(document.path("kind") + " is not installed by URL");
    };
  }
}
