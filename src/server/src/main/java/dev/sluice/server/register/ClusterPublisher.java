package dev.sluice.server.register;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.vocabulary.Domains;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the cluster knows of this server up to date: the CA bundle in our CRDs and webhook
 * configurations, and the configurations themselves where the server registers itself; of a server
 * of the visibility API the CA bundle in its APIServices. Only what differs is written; what is not
 * there yet is found in a later round. Runs on a thread of its own, since the client takes a second
 * to load.
 */
public final class ClusterPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterPublisher.class);
  private static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices/";
  private static final List<String> VISIBILITY =
      List.of(
          "v1beta2." + Domains.VISIBILITY,
          "v1beta1." + Domains.VISIBILITY,
          "v1alpha1." + Domains.VIEW);
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MUTATING = "mutatingwebhookconfigurations/sluice-mutating";
  private static final String VALIDATING = "validatingwebhookconfigurations/sluice-validating";
  private static final String INJECTED = "cert-manager.io/inject-ca-from";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final Duration ROUND = Duration.ofSeconds(15);

  /** Whether what was written has arrived is looked at sooner: a rollover waits for it. */
  private static final Duration ROUND_AFTER_WRITES = Duration.ofSeconds(1);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final Duration REFRESH = Duration.ofSeconds(2);

  /** Longer than a round in which each of its calls takes all the time it may. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final Connection cluster;
  private final ClusterObjects objects;
  private final PublishedTrust trust;
  private final Optional<Registrar> registrar;
  private final List<String> apiServices;
  private final Part part;
  private final SupervisedThread thread;
  private String lastComplaint = "";
  private boolean wrote; // in the last round; of the thread
  private boolean lacksAwaited; // a bundle that is not ours to write; likewise

  private ClusterPublisher(
      Connection cluster,
      PublishedTrust trust,
      Optional<SelfRegistration> registration,
      List<String> apiServices,
      Supervisor supervisor) {
    this.cluster = cluster;
    this.apiServices = apiServices;
    this.objects =
        new ClusterObjects(cluster, apiServices.isEmpty() ? "sluice-serve" : "sluice-see");
    this.trust = trust;
    this.registrar = registration.map(it -> new Registrar(objects, it));
    this.part = supervisor.part("ca-bundle");
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /**
   * Starts with a first round at once.
   *
   * @param trust the certificates by which the server is trusted
   * @param registration the server, if it registers itself; otherwise only CA bundles are written
   */
  public static ClusterPublisher start(
      ClusterAccess access,
      PublishedTrust trust,
      Optional<SelfRegistration> registration,
      Supervisor supervisor) {
    return new ClusterPublisher(Connection.to(access), trust, registration, List.of(), supervisor)
        .started();
  }

  /**
   * Starts with a first round at once, for a server of the visibility API.
   *
   * @param trust the certificates by which that server is trusted
   */
  public static ClusterPublisher ofVisibility(
      ClusterAccess access, PublishedTrust trust, Supervisor supervisor) {
    return new ClusterPublisher(
            Connection.to(access), trust, Optional.empty(), VISIBILITY, supervisor)
        .started();
  }

  private ClusterPublisher started() {
    thread.start();
    return this;
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    String published = round();
    Duration pause = wrote ? ROUND_AFTER_WRITES : ROUND;
    long began = System.nanoTime();
    long refreshed = began;
    do {
      TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
      if (System.nanoTime() - refreshed >= REFRESH.toNanos()) {
        refresh();
        refreshed = System.nanoTime();
      }
    } while (System.nanoTime() - began < pause.toNanos()
        && trust.bundle().equals(published)
        && !registrar.map(Registrar::isDue).orElse(false));
    return true;
  }

  private void refresh() {
    try {
      trust.refresh();
    } catch (RuntimeException e) {
      part.failed(e, "retrying in " + REFRESH.toSeconds() + " s");
    }
  }

  /**
   * A round that fails does not make the server unhealthy: a restart would not help it.
   *
   * @return the bundle that it published
   */
  private String round() {
    String bundle = "";
    try {
      bundle = trust.bundle();
      complain(publish(bundle));
      return bundle;
    } catch (ConnectionException e) {
      trust.seen(bundle, false);
      complain(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      var _ = Thread.interrupted(); // or the pause would end at once
      part.failed(e, "retrying in " + ROUND.toSeconds() + " s");
    }
    return bundle;
  }

  /** What went wrong; empty if nothing did. A refusal of one leaves the others their bundle. */
  private String publish(String pem) {
    wrote = false;
    lacksAwaited = false;
    List<Runnable> tasks = new ArrayList<>();
    if (!apiServices.isEmpty()) {
      apiServices.forEach(name -> tasks.add(() -> injectIntoApiService(name, pem)));
    } else if (!pem.isEmpty()) { // else clients rely on authorities they know anyway
      for (ApiKind kind : ApiKind.values()) {
        tasks.add(() -> injectIntoCrd(kind, pem));
      }
    }
    if (registrar.isPresent()) {
      tasks.addAll(registrar.get().tasks((object, there) -> wantedBundle(object, there, pem)));
    } else if (!pem.isEmpty() && apiServices.isEmpty()) {
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
    boolean changed = wrote || registrar.map(Registrar::wrote).orElse(false);
    boolean sawAll = registrar.map(Registrar::hasLooked).orElse(true);
    trust.seen(pem, sawAll && !changed && !lacksAwaited && refusals.isEmpty());
    return String.join("; ", refusals);
  }

  /** Says the same thing once, not every round. */
  private void complain(String complaint) {
    if (!complaint.isEmpty() && !complaint.equals(lastComplaint)) {
      LOG.warn("the CA bundle could not be written to the cluster, retrying: {}", complaint);
    }
    lastComplaint = complaint;
  }

  /** Applies that field only, so that an apply of the rest of the definition never removes it. */
  private void injectIntoCrd(ApiKind kind, String pem) {
    String path = CRDS + kind.crdName();
    JsonNode crd = objects.get(path);
    JsonNode webhook = crd.at("/spec/conversion/webhook");
    String wanted = wantedBundle(crd, bundleOf(webhook), pem);
    if (webhook.isMissingNode() || bundleOf(webhook).equals(wanted)) {
      return;
    }
    wrote = true;
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    fields.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
    fields.putObject("metadata").put("name", kind.crdName());
    fields.withObject("/spec/conversion/webhook/clientConfig").put("caBundle", wanted);
    if (objects.apply(path, fields, crd.at("/metadata/resourceVersion").asText())) {
      LOG.info("the CA bundle of {} is up to date", kind.crdName());
    }
  }

  /** Applies that field only; an APIService that is not there is left alone. */
  private void injectIntoApiService(String name, String pem) {
    JsonNode service = objects.get(API_SERVICES + name);
    String encoded = service.at("/spec/caBundle").asText();
    String wanted = wantedBundle(service, encoded, pem);
    if (service.isMissingNode() || encoded.equals(wanted)) {
      return;
    }
    wrote = true;
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    fields.put("apiVersion", "apiregistration.k8s.io/v1").put("kind", "APIService");
    fields.putObject("metadata").put("name", name);
    fields.putObject("spec").put("caBundle", wanted);
    if (objects.apply(
        API_SERVICES + name, fields, service.at("/metadata/resourceVersion").asText())) {
      LOG.info("the CA bundle of {} is up to date", name);
    }
  }

  /**
   * By index and name: an apply of one field would leave a stump behind, and with it a conflict,
   * when somebody removes a webhook.
   */
  private void injectIntoConfiguration(String name, String pem) {
    JsonNode configuration = objects.get(CONFIGURATIONS + name);
    JsonNode webhooks = configuration.path("webhooks");
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < webhooks.size(); i++) {
      JsonNode webhook = webhooks.get(i);
      String wanted = wantedBundle(configuration, bundleOf(webhook), pem);
      if (!bundleOf(webhook).equals(wanted)) {
        String at = "/webhooks/" + i;
        operation(operations, "test", at + "/name", webhook.path("name").asText());
        operation(operations, "add", at + "/clientConfig/caBundle", wanted);
      }
    }
    wrote |= !operations.isEmpty();
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

  /**
   * Base64 of our certificates and of those of others that are still in use there. What the CA
   * injector of cert-manager writes is left to it: the two would write in turn.
   *
   * @param object the stored object with the webhook
   * @param encoded what is there
   * @param pem our certificates; if there are none, nothing is changed
   */
  private String wantedBundle(JsonNode object, String encoded, String pem) {
    if (pem.isEmpty()) {
      return encoded;
    }
    String there = decoded(encoded);
    String wanted =
        TrustBundle.adding(pem, trust.withdrawn(), there, InstantSource.system().instant());
    if (wanted.equals(there)) {
      return encoded;
    }
    if (isInjected(object)) {
      lacksAwaited |= !TrustBundle.hasAll(trust.awaited(), there);
      return encoded;
    }
    return Base64.getEncoder().encodeToString(wanted.getBytes(UTF_8));
  }

  private static boolean isInjected(JsonNode object) {
    return object
        .at("/metadata/annotations")
        .propertyStream()
        .anyMatch(it -> it.getKey().startsWith(INJECTED));
  }

  private static String decoded(String encoded) {
    try {
      return new String(Base64.getDecoder().decode(encoded), UTF_8);
    } catch (IllegalArgumentException _) {
      return ""; // it is no authority
    }
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(1));
    cluster.close();
  }
}
