package dev.sluice.cli.installed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.controlplane.ApiClient;
import java.net.URI;
import java.util.Base64;
import java.util.List;

/**
 * The visibility API as installed, which answers on its own port: the API server has no network to
 * it here.
 */
final class VisibilityScene {
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices/";
  private static final List<String> NAMES =
      List.of(
          "v1beta2.visibility.kueue.x-k8s.io",
          "v1beta1.visibility.kueue.x-k8s.io",
          "v1alpha1.view.sluice.dev");

  private final Installed installed;

  VisibilityScene(Installed installed) {
    this.installed = installed;
  }

  private String bundle(String name) {
    String encoded =
        installed.api().get(SERVICES + name).orThrow().json().at("/spec/caBundle").asText();
    return new String(Base64.getDecoder().decode(encoded), UTF_8);
  }

  /** Whether all APIServices have a bundle. */
  boolean isPublished() {
    return NAMES.stream().noneMatch(name -> bundle(name).isEmpty());
  }

  /**
   * The status of an answer to the server's own account, which may ask for nothing; trusts what the
   * APIService does.
   */
  int ask() {
    String token = installed.api().serviceAccountToken("sluice-system", "sluice-see");
    URI server = URI.create("https://127.0.0.1:" + installed.seePort());
    try (var client = new ApiClient(server, token, bundle(NAMES.getFirst()))) {
      return client
          .get("/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/plain/pendingworkloads")
          .status();
    }
  }

  /** Controllers that look for all kinds would wait for the API. */
  void withdraw() {
    NAMES.forEach(name -> installed.api().delete(SERVICES + name).orThrow());
  }
}
