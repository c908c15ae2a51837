package dev.sluice.examples.bakery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookRegistration;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.ListenAddress;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The example as users of an API server see it. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class BakeryWebhooksE2E {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String OLD = "/apis/bakery.example/v1alpha1/namespaces/default/orders";
  private static final String NEW = "/apis/bakery.example/v1/namespaces/default/orders";

  private final ApiClient api;
  private final ControlPlane controlPlane;
  private WebhookServer server;

  BakeryWebhooksE2E(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
    this.api = controlPlane.client();
  }

  @BeforeAll
  void startAndRegister(@TempDir Path folder) throws Exception {
    ListenAddress address = new ListenAddress("127.0.0.1", Ports.free());
    ServerOptions options =
        ServerOptions.builder()
            .listeningOn(address, new ListenAddress("127.0.0.1", 0))
            .warmUp(Duration.ZERO)
            .build();
    server = BakeryWebhooks.start(options, folder.resolve("certificates"), "127.0.0.1");
    Config config = Config.fromKubeconfig(Files.readString(controlPlane.kubeconfig()));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      URI url = URI.create("https://" + address);
      BakeryWebhooks.register(client, WebhookRegistration.ofUrl(url, server.caBundlePem()));
    }
    api.awaitEstablished("orders.bakery.example", SOON);
    api.await(OLD, SOON, _ -> true);
    api.await(NEW, SOON, _ -> true);
    awaitRules();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** An API server asks a new webhook a moment after it was written. */
  private void awaitRules() {
    long end = System.nanoTime() + SOON.toNanos();
    while (createAtNew("probe?dryRun=All", "{'loaves':101}").isSuccess()) {
      assertThat(System.nanoTime()).as("the webhook is never asked").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private Response createAtNew(String name, String spec) {
    return create(NEW, "v1", name, spec);
  }

  private Response create(String collection, String version, String name, String spec) {
    String[] nameAndQuery = name.split("(?=\\?)", 2);
    String query = nameAndQuery.length == 1 ? "" : nameAndQuery[1];
    String object =
        "{'apiVersion':'bakery.example/%s','kind':'Order','metadata':{'name':'%s'},'spec':%s}"
            .formatted(version, nameAndQuery[0], spec);
    return api.create(collection + query, object.replace('\'', '"'));
  }

  @Test
  void refusesAnOrderThatTheOvenCannotHoldInEitherVersion() {
    Response atNew = createAtNew("large", "{'loaves':101}");
    Response atOld = create(OLD, "v1alpha1", "large", "{'count':101}");

    assertThat(atNew.status()).isEqualTo(403);
    assertThat(atNew.json().path("message").asText())
        .contains("spec.loaves")
        .contains("101")
        .contains("what the oven holds");
    assertThat(atOld.status()).isEqualTo(403);
    assertThat(atOld.json().path("message").asText()).contains("spec.loaves");
  }

  @Test
  void showsAnOldOrderAtTheNewVersion() {
    create(OLD, "v1alpha1", "old", "{'count':3}").orThrow();

    JsonNode read = api.get(NEW + "/old").orThrow().json();

    assertThat(read.path("spec").path("loaves").asInt()).isEqualTo(3);
    assertThat(read.path("spec").has("count")).isFalse();
  }

  @Test
  void keepsWhatTheOldVersionCannotSayWhenItIsChangedThere() {
    createAtNew("kept", "{'loaves':2,'glutenFree':true}").orThrow();

    JsonNode old = api.get(OLD + "/kept").orThrow().json();
    api.put(OLD + "/kept", old.toString().replace("\"count\":2", "\"count\":5")).orThrow();

    assertThat(old.path("spec").path("count").asInt()).isEqualTo(2);
    JsonNode read = api.get(NEW + "/kept").orThrow().json();
    assertThat(read.path("spec").path("loaves").asInt()).isEqualTo(5);
    assertThat(read.path("spec").path("glutenFree").asBoolean()).isTrue();
    assertThat(read.path("metadata").has("annotations")).isFalse();
  }
}
