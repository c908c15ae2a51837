package dev.sluice.server.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.cluster.api.ConnectionException.Reason;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the CA bundle in our CRDs and webhook configurations equal to the one we are trusted by. A
 * bundle is written only where it differs; what is not there yet is found in a later round. Runs on
 * a thread of its own, since the client takes a second to load.
 */
final class CaBundleInjector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundleInjector.class);
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MUTATING = "mutatingwebhookconfigurations/sluice-mutating";
  private static final String VALIDATING = "validatingwebhookconfigurations/sluice-validating";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final long ROUND_SECONDS = 15;
  private static final ObjectMapper JSON = new JsonMapper();

  /** Longer than a round in which each of its calls takes all the time it may. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final Connection cluster;
  private final Supplier<String> bundle;
  private final Part part;
  private final SupervisedThread thread;
  private String lastComplaint = "";

  private CaBundleInjector(Connection cluster, Supplier<String> bundle, Supervisor supervisor) {
    this.cluster = cluster;
    this.bundle = bundle;
    this.part = supervisor.part("ca-bundle");
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /** Starts with a first round at once. */
  static CaBundleInjector start(
      ClusterAccess access, Supplier<String> bundle, Supervisor supervisor) {
    CaBundleInjector injector = new CaBundleInjector(Connection.to(access), bundle, supervisor);
    injector.thread.start();
    return injector;
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    round();
    TimeUnit.SECONDS.sleep(ROUND_SECONDS);
    return true;
  }

  /** A round that fails does not make the server unhealthy: a restart would not help it. */
  private void round() {
    try {
      String encoded = Base64.getEncoder().encodeToString(bundle.get().getBytes(UTF_8));
      if (encoded.isEmpty()) {
        return; // clients rely on authorities they know anyway
      }
      complain(inject(encoded));
    } catch (ConnectionException e) {
      complain(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      var _ = Thread.interrupted(); // or the pause would end at once
      part.failed(e, "retrying in " + ROUND_SECONDS + " s");
    }
  }

  /** What went wrong; empty if nothing did. A refusal of one leaves the others their bundle. */
  private String inject(String encoded) {
    List<Runnable> tasks = new ArrayList<>();
    for (ApiKind kind : ApiKind.values()) {
      tasks.add(() -> injectIntoCrd(kind, encoded));
    }
    tasks.add(() -> injectIntoConfiguration(MUTATING, encoded));
    tasks.add(() -> injectIntoConfiguration(VALIDATING, encoded));
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

  private void injectIntoCrd(ApiKind kind, String encoded) {
    String path = CRDS + kind.crdName();
    JsonNode webhook = get(path).at("/spec/conversion/webhook");
    if (webhook.isMissingNode() || hasBundle(webhook, encoded)) {
      return;
    }
    patch(
        path,
        MERGE_PATCH,
        """
        {"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"%s"}}}}}\
        """
            .formatted(encoded));
    LOG.info("the CA bundle of {} is up to date", kind.crdName());
  }

  private void injectIntoConfiguration(String name, String encoded) {
    JsonNode webhooks = get(CONFIGURATIONS + name).path("webhooks");
    ArrayNode operations = JSON.createArrayNode();
    for (int i = 0; i < webhooks.size(); i++) {
      JsonNode webhook = webhooks.get(i);
      if (!hasBundle(webhook, encoded)) {
        String at = "/webhooks/" + i;
        operation(operations, "test", at + "/name", webhook.path("name").asText());
        operation(operations, "add", at + "/clientConfig/caBundle", encoded);
      }
    }
    if (!operations.isEmpty()) {
      patch(CONFIGURATIONS + name, JSON_PATCH, operations.toString());
      LOG.info("the CA bundle of {} is up to date", name);
    }
  }

  private static void operation(ArrayNode operations, String kind, String path, String value) {
    operations.addObject().put("op", kind).put("path", path).put("value", value);
  }

  private static boolean hasBundle(JsonNode webhook, String encoded) {
    return webhook.at("/clientConfig/caBundle").asText().equals(encoded);
  }

  /** The object; a missing node if it is not there yet. */
  private JsonNode get(String path) {
    try {
      return JSON.readTree(cluster.get(path, Connection.JSON, BOUND));
    } catch (ConnectionException e) {
      if (e.reason() == Reason.NOT_SERVED) {
        return MissingNode.getInstance();
      }
      throw e;
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }

  private void patch(String path, String type, String patch) {
    Connection.Answer answer = cluster.send("PATCH", path, type, patch.getBytes(UTF_8), BOUND);
    if (!answer.isSuccess()) {
      throw Connection.refusal(answer.status(), answer.message());
    }
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(1));
    cluster.close();
  }
}
