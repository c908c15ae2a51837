package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.installed.Printed;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.ServerConfiguration;
import dev.sluice.manifests.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** What is installed in a cluster without controllers: tests say how far these have come. */
final class InstalledServer {
  static final String NAMESPACE = "/namespaces/sluice-system/";
  static final String DEPLOYMENT = "/apis/apps/v1" + NAMESPACE + "deployments/sluice-webhook";
  static final String SLICES = "/apis/discovery.k8s.io/v1" + NAMESPACE + "endpointslices";
  static final String LEASES = "/apis/coordination.k8s.io/v1" + NAMESPACE + "leases";
  static final String SECRETS = "/api/v1" + NAMESPACE + "secrets";
  static final String MUTATING =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      integrations:
        frameworks: [batch/job, ray.io/rayjob]
      """;
  static final Installation INSTALLATION =
      Installation.into(Target.Service.DEFAULT)
          .configuredBy(new ServerConfiguration(CONFIGURATION, "ConcurrentAdmission=true"));

  private final ApiClient api;

  InstalledServer(ApiClient api) {
    this.api = api;
  }

  /** As installed, with two replicas that are ready, one of which leads. */
  void heal() {
    List<JsonNode> documents = new ArrayList<>(INSTALLATION.documents());
    // nothing answers there
    documents.removeIf(it -> it.path("kind").asText().equals("APIService"));
    api.delete(DEPLOYMENT);
    Printed.apply(api, documents);
    status(2, 2);
    apply(
        SLICES + "/ready",
        """
        {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
        "metadata":{"name":"ready","labels":{"kubernetes.io/service-name":"sluice-webhook"}},
        "ports":[{"name":"https","port":9443}],"endpoints":[
        {"addresses":["10.0.0.1"],"conditions":{"ready":true}},
        {"addresses":["10.0.0.2"],"conditions":{"ready":true}}]}\
        """);
    lease(Instant.now());
    authorities("signing since %s until %s, serial 1".formatted(at(-1), at(100)));
    api.delete(MUTATING + "/sluice-mutating");
  }

  void apply(String path, String body) {
    api.serverSideApply(path, "test", body).orThrow();
  }

  void status(int ready, int updated) {
    api.mergePatch(
            DEPLOYMENT + "/status",
            "{\"status\":{\"replicas\":2,\"readyReplicas\":%d,\"updatedReplicas\":%d}}"
                .formatted(ready, updated))
        .orThrow();
  }

  void lease(Instant renewed) {
    apply(
        LEASES + "/c1f6bfd2.kueue.x-k8s.io",
        """
        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
        "metadata":{"name":"c1f6bfd2.kueue.x-k8s.io"},"spec":{"holderIdentity":"one",
        "leaseDurationSeconds":60,"renewTime":"%s"}}\
        """
            .formatted(renewed.truncatedTo(ChronoUnit.MICROS)));
  }

  void authorities(String text) {
    apply(
        SECRETS + "/sluice-webhook-authority",
        """
        {"apiVersion":"v1","kind":"Secret","metadata":{"name":"sluice-webhook-authority",
        "annotations":{"sluice.dev/authorities":"%s"}}}\
        """
            .formatted(text));
  }

  String at(int days) {
    return Instant.ofEpochSecond(Instant.now().plus(Duration.ofDays(days)).getEpochSecond())
        .toString();
  }

  /** A webhook that asks about Deployments. */
  void register(String selector) {
    api.delete(MUTATING + "/sluice-mutating");
    api.create(
            MUTATING,
            """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
            "metadata":{"name":"sluice-mutating"},"webhooks":[{"name":"mjob.kb.io",
            "admissionReviewVersions":["v1"],"sideEffects":"None","namespaceSelector":%s,
            "objectSelector":{"matchLabels":{"asked":"about"}},
            "rules":[{"apiGroups":["apps"],"apiVersions":["v1"],"operations":["CREATE"],
            "resources":["deployments"]}],"clientConfig":{"service":{"namespace":"sluice-system",
            "name":"sluice-webhook","path":"/mutate"}}}]}\
            """
                .formatted(selector))
        .orThrow();
  }

  /** The kinds whose versions the server converts. */
  static List<ApiKind> converted() {
    Manifests manifests = new Manifests();
    return Stream.of(ApiKind.values())
        .filter(it -> manifests.crd(it).at("/spec/conversion/strategy").asText().equals("Webhook"))
        .toList();
  }

  /** Makes this the bundle for conversions of a kind; none if it is empty. */
  void publish(ApiKind kind, String pem) {
    api.mergePatch(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + kind.crdName(),
            "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":%s}}}}}"
                .formatted(
                    pem.isEmpty()
                        ? "null"
                        : "\"%s\""
                            .formatted(Base64.getEncoder().encodeToString(pem.getBytes(UTF_8)))))
        .orThrow();
  }
}
