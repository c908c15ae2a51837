package dev.sluice.server.register;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.certs.TrustBundle;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.api.ConnectionException.Reason;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the cluster knows of this server up to date: the CA bundle in our CRDs and webhook
 * configurations, and the configurations themselves where the server registers itself. Only what
 * differs is written; what is not there yet is found in a later round. Runs on a thread of its own,
 * since the client takes a second to load.
 */
public final class ClusterPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPublisher.class);
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MUTATING = "mutatingwebhookconfigurations/sluice-mutating";
  private static final String VALIDATING = "validatingwebhookconfigurations/sluice-validating";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final Duration ROUND = Duration.ofSeconds(15);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  /** Longer than a round in which each of its calls takes all the time it may. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final Connection cluster;
  private final ClusterObjects objects;
  private final Supplier<String> bundle;
  private final Optional<Registrar> registrar;
  private final Part part;
  private final SupervisedThread thread;
  private String lastComplaint = "";

  private ClusterPublisher(
      Connection cluster,
      Supplier<String> bundle,
      Optional<SelfRegistration> registration,
      Supervisor supervisor) {
    this.cluster = cluster;
    this.objects = new ClusterObjects(cluster);
    this.bundle = bundle;
    this.registrar = registration.map(it -> new Registrar(objects, it));
    this.part = supervisor.part("ca-bundle");
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /**
   * Starts with a first round at once.
   *
   * @param bundle the certificates by which the server is trusted, as PEM; empty for none
   * @param registration the server, if it registers itself; otherwise only CA bundles are written
   */
  public static ClusterPublisher start(
      ClusterAccess access,
      Supplier<String> bundle,
      Optional<SelfRegistration> registration,
      Supervisor supervisor) {
    ClusterPublisher publisher =
        new ClusterPublisher(Connection.to(access), bundle, registration, supervisor);
    publisher.thread.start();
    return publisher;
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    round();
    long end = System.nanoTime() + ROUND.toNanos();
    do {
      TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
    } while (System.nanoTime() - end < 0 && !registrar.map(Registrar::isDue).orElse(false));
    return true;
  }

  /** A round that fails does not make the server unhealthy: a restart would not help it. */
  private void round() {
    try {
      complain(publish(bundle.get()));
    } catch (ConnectionException e) {
      complain(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      var _ = Thread.interrupted(); // or the pause would end at once
      part.failed(e, "retrying in " + ROUND.toSeconds() + " s");
    }
  }

  /** What went wrong; empty if nothing did. A refusal of one leaves the others their bundle. */
  private String publish(String pem) {
    List<Runnable> tasks = new ArrayList<>();
    if (!pem.isEmpty()) { // else clients rely on authorities they know anyway
      for (ApiKind kind : ApiKind.values()) {
        tasks.add(() -> injectIntoCrd(kind, pem));
      }
    }
    if (registrar.isPresent()) {
      tasks.addAll(registrar.get().tasks(pem));
    } else if (!pem.isEmpty()) {
      tasks.add(() -> injectIntoConfiguration(MUTATING, pem));
      tasks.add(() -> injectIntoConfiguration(VALIDATING, pem));
    }
    Set<String> refusals = new LinkedHashSet<>();
    for (Runnable task : tasks) {
      try {
        task.run();
      } catch (ConnectionException e) {
        if (e.reason() != Reason.FORBIDDEN && e.reason() != Reason.REFUSED) {
          throw e; // what holds up one holds up all: no answer, or a server in trouble
        }
        refusals.add(String.valueOf(e.getMessage()));
      }
    }
    return String.join("; ", refusals);
  }

  /** Says the same thing once, not every round. */
  private void complain(String complaint) {
    if (!complaint.isEmpty() && !complaint.equals(lastComplaint)) {
      LOG.warn("the CA bundle could not be written to the cluster, retrying: {}", complaint);
    }
    lastComplaint = complaint;
  }

  /** Just that field, so that whoever applies the rest of the definition never takes it away. */
  private void injectIntoCrd(ApiKind kind, String pem) {
    String path = CRDS + kind.crdName();
    JsonNode crd = objects.get(path);
    JsonNode webhook = crd.at("/spec/conversion/webhook");
    String wanted = wantedBundle(webhook, pem);
    if (webhook.isMissingNode() || bundleOf(webhook).equals(wanted)) {
      return;
    }
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    fields.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
    fields.putObject("metadata").put("name", kind.crdName());
    fields.withObject("/spec/conversion/webhook/clientConfig").put("caBundle", wanted);
    if (objects.apply(path, fields, crd)) {
      LOG.info("the CA bundle of {} is up to date", kind.crdName());
    }
  }

  /**
   * By index and name: an apply of one field would leave a stump behind, and with it a conflict,
   * when somebody removes a webhook.
   */
  private void injectIntoConfiguration(String name, String pem) {
    JsonNode webhooks = objects.get(CONFIGURATIONS + name).path("webhooks");
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < webhooks.size(); i++) {
      JsonNode webhook = webhooks.get(i);
      String wanted = wantedBundle(webhook, pem);
      if (!bundleOf(webhook).equals(wanted)) {
        String at = "/webhooks/" + i;
        operation(operations, "test", at + "/name", webhook.path("name").asText());
        operation(operations, "add", at + "/clientConfig/caBundle", wanted);
      }
    }
    if (!operations.isEmpty() && objects.patch(CONFIGURATIONS + name, operations)) {
      LOG.info("the CA bundle of {} is up to date", name);
    }
  }

  private static void operation(ArrayNode operations, String kind, String path, String value) {
    operations.addObject().put("op", kind).put("path", path).put("value", value);
  }

  private static String bundleOf(JsonNode webhook) {
    return webhook.at("/clientConfig/caBundle").asText();
  }

  /** Base64 of our certificates and of those of others that are still in use there. */
  static String wantedBundle(JsonNode webhook, String pem) {
    String encoded = bundleOf(webhook);
    String wanted = TrustBundle.adding(pem, decoded(encoded), InstantSource.system().instant());
    return Base64.getEncoder().encodeToString(wanted.getBytes(UTF_8));
  }

  private static String decoded(String encoded) {
    try {
      return new String(Base64.getDecoder().decode(encoded), UTF_8);
    } catch (IllegalArgumentException _) {
      return ""; // nobody can be trusted by it
    }
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(1));
    cluster.close();
  }
}
