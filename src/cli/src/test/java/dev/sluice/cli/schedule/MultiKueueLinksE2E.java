package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CLUSTER;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.multicluster.MultiKueue;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Links from a manager to a worker, each a real API server. */
@FullTier
@NeedsControlPlane
@Timeout(600)
class MultiKueueLinksE2E {
  private static final String NAMESPACE = "sluice-links";
  private static final String SECRETS = "/api/v1/namespaces/" + NAMESPACE + "/secrets";
  private static final Duration AMPLE = Duration.ofSeconds(90);
  private static final String FAILED = "load client config failed: ";
  private static final Pattern ATTEMPTS =
      Pattern.compile(
          ".+; connection attempts: (\\d+), next connection attempt: (\\d{4}-.+Z)", Pattern.DOTALL);

  @RegisterExtension private static final OwnCluster MANAGER = OwnCluster.ofAnApiServer();
  @RegisterExtension private static final OwnCluster WORKER = OwnCluster.ofAnApiServer();

  private static Path folder;
  private static List<AutoCloseable> open;

  @BeforeAll
  static void aScheduler() throws IOException {
    folder = Files.createDirectory(MANAGER.folder().resolve("kubeconfigs")).toRealPath();
    api()
        .create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(NAMESPACE))
        .orThrow();
    Configuration configuration = Configuration.defaults(NAMESPACE);
    open =
        InProcessScheduler.of(
            MANAGER,
            configuration,
            new MultiKueue(configuration, Extensions.DEFAULT, folder, InProcessScheduler.TIMES));
  }

  @AfterAll
  static void theSchedulerEnds() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private static ApiClient api() {
    return MANAGER.api();
  }

  private static String kubeconfig(ControlPlane cluster, String more) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: c
      cluster:
        server: %s
        certificate-authority-data: %s
    %s
    users:
    - name: u
      user: {token: "%s"}
    contexts:
    - name: x
      context: {cluster: c, user: u}
    current-context: x
    """
        .formatted(cluster.server(), base64(cluster.caPem()), more, cluster.token());
  }

  private static String good() {
    return kubeconfig(WORKER.controlPlane(), "");
  }

  private static String insecure() {
    return kubeconfig(WORKER.controlPlane(), "    insecure-skip-tls-verify: true");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String secret(String name, String key, String text) {
    return """
    {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s"},"data":{"%s":"%s"}}\
    """
        .formatted(name, key, base64(text));
  }

  private static void putSecret(String name, String key, String text) {
    api().put(SECRETS + "/" + name, secret(name, key, text)).orThrow();
  }

  private static void cluster(String name, String type, String location) {
    Kueue.create(
            api(),
            MULTI_KUEUE_CLUSTER,
            name,
            """
            {"clusterSource":{"kubeConfig":{"locationType":"%s","location":"%s"}}}\
            """
                .formatted(type, location))
        .orThrow();
  }

  private static String path(ApiKind kind, String name) {
    return Kueue.path(kind, ApiVersion.HUB, name);
  }

  private static JsonNode active(JsonNode object) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Active")) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  private static String told(JsonNode object) {
    JsonNode active = active(object);
    return "%s %s %s"
        .formatted(
            active.path("status").asText(),
            active.path("reason").asText(),
            active.path("message").asText());
  }

  private static void becomes(ApiKind kind, String name, String told) {
    api().await(path(kind, name), AMPLE, it -> told(it).equals(told));
  }

  private static void becomes(String cluster, String told) {
    becomes(MULTI_KUEUE_CLUSTER, cluster, told);
  }

  private static void isConnected(String cluster) {
    api()
        .await(
            path(MULTI_KUEUE_CLUSTER, cluster),
            AMPLE,
            it -> told(it).startsWith("True Active Connected"));
  }

  private static void delete(ApiKind kind, String name) {
    api().delete(path(kind, name)).orThrow();
    api().await(Kueue.everywhere(kind), AMPLE, it -> !it.toString().contains('"' + name + '"'));
  }

  @Test
  void aSecretIsFollowedFromItsAbsenceToAConnection() {
    cluster("followed", "Secret", "followed");
    becomes("followed", "False BadKubeConfig " + FAILED + "Secret \"followed\" not found");

    api().create(SECRETS, secret("followed", "config", good())).orThrow();
    becomes(
        "followed",
        "False BadKubeConfig " + FAILED + "key \"kubeconfig\" not found in secret \"followed\"");

    putSecret("followed", "kubeconfig", "users: ]");
    becomes(
        "followed",
        "False InsecureKubeConfig "
            + FAILED
            + "failed to parse kubeconfig(apiconfig): is neither YAML nor JSON (line 1)");

    putSecret("followed", "kubeconfig", good());
    isConnected("followed");

    delete(MULTI_KUEUE_CLUSTER, "followed");
  }

  @Test
  void aSecretThatTurnsBadEndsAllConnectionsToTheWorker() throws IOException {
    try (TcpRelay relay = TcpRelay.to(WORKER.controlPlane().server())) {
      String through = good().replace(WORKER.controlPlane().server().toString(), relay.url());
      api().create(SECRETS, secret("revoked", "kubeconfig", through)).orThrow();
      cluster("revoked", "Secret", "revoked");
      isConnected("revoked");
      assertThat(relay.open()).isPositive();

      putSecret("revoked", "kubeconfig", insecure());
      becomes(
          "revoked",
          "False InsecureKubeConfig "
              + FAILED
              + "insecure TLS verification is not allowed for cluster c");
      await().atMost(AMPLE).untilAsserted(() -> assertThat(relay.open()).isZero());
      int accepted = relay.accepted();

      putSecret("revoked", "kubeconfig", good()); // another look at the link, elsewhere
      isConnected("revoked");
      assertThat(relay.accepted()).isEqualTo(accepted);
    }
    delete(MULTI_KUEUE_CLUSTER, "revoked");
  }

  @Test
  void aFileIsFollowedThroughWritesRenamesAndRemovals() throws IOException {
    Path file = folder.resolve("one");
    cluster("file-a", "Path", file.toString());
    String missing = "False BadKubeConfig " + FAILED + "file \"" + file + "\" not found";
    becomes("file-a", missing);

    Files.writeString(file, insecure());
    becomes(
        "file-a",
        "False InsecureKubeConfig "
            + FAILED
            + "insecure TLS verification is not allowed for cluster c");

    Path next = Files.writeString(folder.resolve("next"), good());
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    isConnected("file-a");

    Files.delete(file);
    becomes("file-a", missing);

    delete(MULTI_KUEUE_CLUSTER, "file-a");
  }

  @Test
  void pathsThatLeadOutOfTheFolderAreRefused() throws IOException {
    Path other = Files.writeString(Files.createTempFile("kubeconfig", ""), good()).toRealPath();
    Path link = Files.createSymbolicLink(folder.resolve("link"), other);
    cluster("path-other", "Path", other.toString());
    cluster("path-link", "Path", link.toString());
    cluster("path-relative", "Path", "kubeconfigs/x");
    cluster("path-dots", "Path", folder + "/../x");

    String outside = " is not below " + folder;
    becomes("path-other", "False BadKubeConfig " + FAILED + "path \"" + other + '"' + outside);
    becomes("path-link", "False BadKubeConfig " + FAILED + "path \"" + link + '"' + outside);
    becomes(
        "path-relative",
        "False BadKubeConfig "
            + FAILED
            + "path \"kubeconfigs/x\" is not absolute (expected: a file below "
            + folder
            + ")");
    becomes(
        "path-dots",
        "False BadKubeConfig "
            + FAILED
            + "path \""
            + folder
            + "/../x\" is not clean (expected: no \".\", \"..\" or empty parts)");

    for (String name : new String[] {"path-other", "path-link", "path-relative", "path-dots"}) {
      delete(MULTI_KUEUE_CLUSTER, name);
    }
    Files.delete(other);
  }

  @Test
  void aWorkerThatStopsIsToldWithTheNextAttemptAndUsedAgainWhenItIsBack() {
    api().create(SECRETS, secret("stops", "kubeconfig", good())).orThrow();
    cluster("stops", "Secret", "stops");
    isConnected("stops");

    WORKER.controlPlane().stopApiServer();
    try {
      JsonNode lost =
          api()
              .await(
                  path(MULTI_KUEUE_CLUSTER, "stops"),
                  AMPLE,
                  it -> told(it).startsWith("False ClientConnectionFailed"))
              .json();
      Matcher message = ATTEMPTS.matcher(active(lost).path("message").asText());
      assertThat(message.matches()).as("%s", active(lost)).isTrue();
      assertThat(Instant.parse(message.group(2)))
          .isAfter(Instant.parse(active(lost).path("lastTransitionTime").asText()));
      String since = active(lost).path("lastTransitionTime").asText();

      JsonNode again =
          api()
              .await(
                  path(MULTI_KUEUE_CLUSTER, "stops"),
                  AMPLE,
                  it -> told(it).contains("connection attempts: 2, "))
              .json();
      assertThat(active(again).path("lastTransitionTime").asText()).isEqualTo(since);
    } finally {
      WORKER.controlPlane().restartApiServer();
    }
    isConnected("stops");

    delete(MULTI_KUEUE_CLUSTER, "stops");
  }

  @Test
  void aCheckTellsWhichOfItsClustersCanBeUsed() {
    api().create(SECRETS, secret("used", "kubeconfig", good())).orThrow();
    cluster("used", "Secret", "used");
    cluster("inactive", "Secret", "nowhere");
    isConnected("used");
    becomes("inactive", "False BadKubeConfig " + FAILED + "Secret \"nowhere\" not found");
    Kueue.create(
            api(),
            ADMISSION_CHECK,
            "check",
            """
            {"controllerName":"kueue.x-k8s.io/multikueue","parameters":{
            "apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"config"}}\
            """)
        .orThrow();
    becomes(
        ADMISSION_CHECK,
        "check",
        "False BadConfig Cannot load the AdmissionChecks parameters: "
            + "multikueueconfigs.kueue.x-k8s.io \"config\" not found");

    Kueue.create(
            api(),
            MULTI_KUEUE_CONFIG,
            "config",
            "{\"clusters\":[\"gone-a\",\"gone-b\",\"inactive\",\"used\"]}")
        .orThrow();
    becomes(
        ADMISSION_CHECK,
        "check",
        "True SomeActiveClusters Missing clusters: [gone-a gone-b], Inactive clusters: [inactive]");

    config("[\"inactive\"]");
    becomes(ADMISSION_CHECK, "check", "False NoUsableClusters Inactive clusters: [inactive]");

    config("[\"used\"]");
    becomes(ADMISSION_CHECK, "check", "True Active The admission check is active");

    delete(ADMISSION_CHECK, "check");
    delete(MULTI_KUEUE_CONFIG, "config");
    delete(MULTI_KUEUE_CLUSTER, "used");
    delete(MULTI_KUEUE_CLUSTER, "inactive");
  }

  private static void config(String clusters) {
    api()
        .mergePatch(
            path(MULTI_KUEUE_CONFIG, "config"), "{\"spec\":{\"clusters\":" + clusters + "}}")
        .orThrow();
  }

  @Test
  void theManagerItselfIsNoWorker() {
    api()
        .create(SECRETS, secret("self", "kubeconfig", kubeconfig(MANAGER.controlPlane(), "")))
        .orThrow();
    cluster("self", "Secret", "self");

    api()
        .await(
            path(MULTI_KUEUE_CLUSTER, "self"),
            AMPLE,
            it ->
                told(it)
                    .startsWith(
                        "False ClientConnectionFailed the cluster is the manager itself;"
                            + " connection attempts: 1, next connection attempt: "));

    delete(MULTI_KUEUE_CLUSTER, "self");
  }
}
