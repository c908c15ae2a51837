package dev.sluice.cli.testcluster;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.webhook.WebhookServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A control plane with Sluice installed that one class of tests has for itself: from before its
 * first test until after its last. Its folder stays if a test failed. Its API server may have
 * served a class before this one, see {@link ClusterPool}; nothing of that is left.
 *
 * <p>It stands in a static field with {@code @RegisterExtension}, of a class that is marked {@link
 * dev.sluice.testkit.controlplane.NeedsControlPlane}.
 */
public final class OwnCluster
    implements BeforeAllCallback, AfterTestExecutionCallback, AfterAllCallback {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  private final ControlPlane.Options parts;
  private final FeatureGate[] gates;
  private @Nullable TestCluster started;

  private OwnCluster(ControlPlane.Options parts, FeatureGate... gates) {
    this.parts = parts;
    this.gates = gates.clone();
  }

  /** Etcd and the API server: nothing that is stored there moves by itself. */
  public static OwnCluster ofAnApiServer() {
    return new OwnCluster(ControlPlane.Options.apiServer());
  }

  /** The same with more flags of the API server. */
  public static OwnCluster ofAnApiServerWith(String... flags) {
    return new OwnCluster(ControlPlane.Options.apiServer().withApiServerFlags(flags));
  }

  /** The API server and the controllers of Kubernetes: Jobs have Pods, and no node runs them. */
  public static OwnCluster ofControllers() {
    return ofControllersWith();
  }

  /** The same with more flags of the API server. */
  public static OwnCluster ofControllersWith(String... flags) {
    return new OwnCluster(
        ControlPlane.Options.apiServer()
            .withParts(Set.of(Part.KUBE_CONTROLLER_MANAGER))
            .withApiServerFlags(flags));
  }

  /**
   * All parts: Jobs run on simulated nodes, once there are some.
   *
   * @param gates what is on in the server beside the defaults
   */
  public static OwnCluster ofAllParts(FeatureGate... gates) {
    return new OwnCluster(ControlPlane.Options.wholeCluster(), gates);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isUsual()) {
      started = ClusterPool.of(context).take();
      partsBeside().forEach(controlPlane()::startPart);
    } else {
      started = TestCluster.start(parts, gates);
    }
  }

  /** Whether its API server and server are like those of other classes. */
  private boolean isUsual() {
    return gates.length == 0 && parts.apiServerFlags().isEmpty();
  }

  private List<Part> partsBeside() {
    return parts.parts().stream()
        .filter(part -> part.compareTo(Part.KUBE_APISERVER) > 0)
        .sorted()
        .toList();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    keepFilesAfterAFailure(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (started == null) {
      return;
    }
    keepFilesAfterAFailure(context);
    if (isUsual()) {
      partsBeside().reversed().forEach(controlPlane()::stopPart);
      ClusterPool.of(context).giveBack(started);
    } else {
      started.close();
    }
  }

  private void keepFilesAfterAFailure(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      started().keepFiles();
    }
  }

  private TestCluster started() {
    return requireNonNull(started, "started before all tests");
  }

  /** A folder for what tests write, beside the state and the logs of the cluster. */
  public Path folder() {
    return started().folder();
  }

  public ControlPlane controlPlane() {
    return started().cluster().controlPlane();
  }

  /** The server that the control plane calls, in this process. */
  public WebhookServer server() {
    return started().cluster().server();
  }

  /** A client with all rights. */
  public ApiClient api() {
    return controlPlane().client();
  }

  /** No webhook validates any more, so that a status can be stored that a rule would refuse. */
  public void stopValidating() {
    JsonNode all = api().get(VALIDATING).orThrow().json().path("items");
    for (JsonNode each : all) {
      api().delete(VALIDATING + "/" + each.at("/metadata/name").asText()).orThrow();
    }
  }
}
