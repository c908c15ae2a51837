package dev.sluice.examples.bakery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.step.Mode;
import dev.sluice.webhook.ServerContext;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookRegistration;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.ListenAddress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The webhooks of the bakery's operator: admission and conversion of Orders. */
public final class BakeryWebhooks {
  private BakeryWebhooks() {}

  /** Runs in a Pod behind the Service {@code bakery-webhooks}, until the process is stopped. */
  public static void main(String[] args) throws IOException, InterruptedException {
    ServerOptions options =
        ServerOptions.builder()
            .listeningOn(new ListenAddress("0.0.0.0", 9443), new ListenAddress("0.0.0.0", 8080))
            .build();
    Path certificates = Path.of("/var/lib/bakery/certificates");
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        WebhookServer server = start(options, certificates, "bakery-webhooks.bakery.svc")) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      while (true) { // a new authority is published here long before it signs
        String ca = server.caBundlePem();
        register(client, WebhookRegistration.ofService("bakery", "bakery-webhooks", ca));
        Thread.sleep(Duration.ofMinutes(1));
      }
    }
  }

  /** Starts the server with a certificate for that name, and waits until it is ready. */
  static WebhookServer start(ServerOptions options, Path certificates, String name) {
    CertificateFolder source =
        CertificateFolder.open(
            certificates, List.of(name), Lifetimes.DEFAULT, Clock.systemUTC(), new SecureRandom());
    Converter conversions = new Converter(Mode.CARRY, List.of(Orders.VERSIONS));
    ServerContext context = ServerContext.ofOperator(List.of(Orders.RULES), conversions);
    return WebhookServer.start(options, source, context);
  }

  /** Applies the CRD with its conversion, and the webhook that checks Orders. */
  static void register(KubernetesClient client, WebhookRegistration registration)
      throws IOException {
    ObjectNode crd = crd();
    crd.withObjectProperty("spec").set("conversion", registration.conversion());
    apply(client, crd);
    apply(client, registration.validating("bakery", Orders.RULES, Orders.PLURAL));
  }

  private static ObjectNode crd() throws IOException {
    try (InputStream yaml =
        BakeryWebhooks.class.getResourceAsStream("/orders.bakery.example.yaml")) {
      return (ObjectNode) new YAMLMapper().readTree(Objects.requireNonNull(yaml));
    }
  }

  private static void apply(KubernetesClient client, ObjectNode object) {
    client.resource(object.toString()).fieldManager("bakery").forceConflicts().serverSideApply();
  }
}
