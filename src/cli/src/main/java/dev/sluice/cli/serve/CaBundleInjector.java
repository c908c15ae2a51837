package dev.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiKind;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookConversion;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the CA bundle in our CRDs and webhook configurations equal to the one we are trusted by. A
 * bundle is written only where it differs; what is not there yet is found in a later round. Runs on
 * a thread of its own, since the client takes a second to load.
 */
final class CaBundleInjector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundleInjector.class);
  private static final String MUTATING = "sluice-mutating";
  private static final String VALIDATING = "sluice-validating";
  private static final long ROUND_SECONDS = 15;

  /** Longer than a round in which each of its calls takes all the time it may. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final PatchContext JSON = PatchContext.of(PatchType.JSON);

  private final @Nullable Path kubeconfig;
  private final Supplier<String> bundle;
  private final Part part;
  private final SupervisedThread thread;
  private @Nullable KubernetesClient client;
  private String lastComplaint = "";

  private CaBundleInjector(
      @Nullable Path kubeconfig, Supplier<String> bundle, Supervisor supervisor) {
    this.kubeconfig = kubeconfig;
    this.bundle = bundle;
    this.part = supervisor.part("ca-bundle");
    this.thread = part.thread(Thread.ofPlatform().daemon(), DEADLINE, this::step);
  }

  /** Starts with a first round at once. */
  static CaBundleInjector start(
      @Nullable Path kubeconfig, Supplier<String> bundle, Supervisor supervisor) {
    CaBundleInjector injector = new CaBundleInjector(kubeconfig, bundle, supervisor);
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
      complain(inject(client(), encoded));
    } catch (KubernetesClientException e) {
      complain(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      var _ = Thread.interrupted(); // or the pause would end at once
      part.failed(e, "it is tried again in " + ROUND_SECONDS + " s");
    }
  }

  /** What went wrong; empty if nothing did. A refusal of one leaves the others their bundle. */
  private static String inject(KubernetesClient cluster, String encoded) {
    List<Runnable> tasks = new ArrayList<>();
    for (ApiKind kind : ApiKind.values()) {
      tasks.add(() -> injectIntoCrd(cluster, kind, encoded));
    }
    tasks.add(() -> injectIntoMutating(cluster, encoded));
    tasks.add(() -> injectIntoValidating(cluster, encoded));
    List<String> refusals = new ArrayList<>();
    for (Runnable task : tasks) {
      try {
        task.run();
      } catch (KubernetesClientException e) {
        if (!isOfTheObject(e.getCode())) {
          throw e; // what holds up one holds up all: no answer, no credentials, a server in trouble
        }
        refusals.add(String.valueOf(e.getMessage()));
      }
    }
    return String.join("; ", refusals);
  }

  private static boolean isOfTheObject(int status) {
    return status / 100 == 4 && status != 401 && status != 429;
  }

  /** Says the same thing once, not every round. */
  private void complain(String complaint) {
    if (!complaint.isEmpty() && !complaint.equals(lastComplaint)) {
      LOG.warn("the CA bundle could not be put into the cluster, trying again: {}", complaint);
    }
    lastComplaint = complaint;
  }

  private KubernetesClient client() {
    if (client == null) {
      Config config =
          kubeconfig == null ? Config.autoConfigure(null) : Config.fromKubeconfig(file(kubeconfig));
      config.setRequestTimeout(10_000);
      config.setConnectionTimeout(5_000);
      client = new KubernetesClientBuilder().withConfig(config).build();
    }
    return client;
  }

  private static File file(Path path) {
    return path.toFile();
  }

  private static void injectIntoCrd(KubernetesClient cluster, ApiKind kind, String encoded) {
    var resource =
        cluster.apiextensions().v1().customResourceDefinitions().withName(kind.crdName());
    CustomResourceDefinition crd = resource.get();
    WebhookConversion webhook =
        crd == null || crd.getSpec().getConversion() == null
            ? null
            : crd.getSpec().getConversion().getWebhook();
    if (webhook == null || Objects.equals(webhook.getClientConfig().getCaBundle(), encoded)) {
      return;
    }
    resource.patch(
        MERGE,
        """
        {"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"%s"}}}}}\
        """
            .formatted(encoded));
    LOG.info("the CA bundle of {} is up to date", kind.crdName());
  }

  private static void injectIntoMutating(KubernetesClient cluster, String encoded) {
    var resource =
        cluster.admissionRegistration().v1().mutatingWebhookConfigurations().withName(MUTATING);
    var configuration = resource.get();
    if (configuration != null) {
      List<Hook> hooks =
          configuration.getWebhooks().stream()
              .map(it -> new Hook(it.getName(), it.getClientConfig()))
              .toList();
      patch(MUTATING, hooks, encoded, operations -> resource.patch(JSON, operations));
    }
  }

  private static void injectIntoValidating(KubernetesClient cluster, String encoded) {
    var resource =
        cluster.admissionRegistration().v1().validatingWebhookConfigurations().withName(VALIDATING);
    var configuration = resource.get();
    if (configuration != null) {
      List<Hook> hooks =
          configuration.getWebhooks().stream()
              .map(it -> new Hook(it.getName(), it.getClientConfig()))
              .toList();
      patch(VALIDATING, hooks, encoded, operations -> resource.patch(JSON, operations));
    }
  }

  /** What two types of the client have in common, and no supertype says. */
  private record Hook(String name, WebhookClientConfig config) {}

  private static void patch(
      String configuration, List<Hook> hooks, String encoded, Consumer<String> patch) {
    List<String> operations = new ArrayList<>();
    for (int i = 0; i < hooks.size(); i++) {
      if (!Objects.equals(hooks.get(i).config().getCaBundle(), encoded)) {
        operations.add(
            """
            {"op":"test","path":"/webhooks/%1$d/name","value":"%2$s"},
            {"op":"add","path":"/webhooks/%1$d/clientConfig/caBundle","value":"%3$s"}\
            """
                .formatted(i, hooks.get(i).name(), encoded));
      }
    }
    if (!operations.isEmpty()) {
      patch.accept("[" + String.join(",", operations) + "]");
      LOG.info("the CA bundle of {} is up to date", configuration);
    }
  }

  @Override
  public void close() {
    thread.close(Duration.ofSeconds(1));
    KubernetesClient opened = client;
    if (opened != null) {
      try {
        opened.close();
      } catch (KubernetesClientException e) {
        LOG.debug("the client did not close cleanly", e);
      }
    }
  }
}
