package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.certs.CertificateAuthority;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.cluster.api.Connection;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The visibility API through the aggregation layer of a real API server, and past it. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AggregationE2E {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration BOUND = Duration.ofSeconds(90);
  private static final String API = "/apis/visibility.kueue.x-k8s.io/v1beta2";
  private static final String QUEUE = API + "/clusterqueues/cq/pendingworkloads";
  private static final String APISERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String RIGHTS = "/apis/rbac.authorization.k8s.io/v1";
  private static final String HOST = "sluice-see.sluice-system.svc";

  private final Vertx vertx = Vertx.vertx();
  private final CertificateAuthority serving =
      CertificateAuthority.create(Duration.ofDays(1), InstantSource.system(), new SecureRandom());

  @TempDir private static Path folder;

  private Party authority;
  private Party frontProxy;
  private ControlPlane cluster;
  private Connection connection;
  private SeeServer server;
  private int port;

  @BeforeAll
  void anApiServerThatFindsUs() throws Exception {
    authority = Party.authority(folder, "front-proxy-ca");
    frontProxy = authority.client("front-proxy", "front-proxy-client");
    cluster =
        ControlPlane.start(
            ControlPlane.Options.apiServer()
                .withApiServerFlags(
                    "--proxy-client-cert-file=" + frontProxy.exported(),
                    "--proxy-client-key-file=" + frontProxy.exportedKey(),
                    "--requestheader-client-ca-file=" + authority.exported(),
                    "--requestheader-allowed-names=front-proxy-client",
                    "--requestheader-username-headers=X-Remote-User",
                    "--requestheader-uid-headers=X-Remote-Uid",
                    "--requestheader-group-headers=X-Remote-Group",
                    "--requestheader-extra-headers-prefix=X-Remote-Extra-"));
    connection = Connection.to(cluster.kubeconfig());
    JsonNode configMap =
        cluster
            .client()
            .await(
                "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
                BOUND,
                it -> it.path("data").has("requestheader-client-ca-file"))
            .json();
    Optional<FrontProxy> known = FrontProxy.of(configMap);
    QuotaEngine engine = queues();
    server =
        new SeeServer(
            vertx,
            "127.0.0.1",
            0,
            new SwitchingKeyManager(
                serving.issue(
                    List.of(HOST, "localhost"),
                    Duration.ofHours(1),
                    InstantSource.system(),
                    new SecureRandom())),
            connection,
            () -> Optional.of(engine.snapshot(NOW)),
            () -> known);
    port = server.listen().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    register();
  }

  @AfterAll
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    if (connection != null) {
      connection.close();
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private static QuotaEngine queues() {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    apply(engine, ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'a'}}");
    apply(
        engine,
        ObjectKind.CLUSTER_QUEUE,
        ClusterQueue.class,
        "{'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':[]}}");
    for (String namespace : List.of("a", "b")) {
      apply(
          engine,
          ObjectKind.LOCAL_QUEUE,
          LocalQueue.class,
          "{'metadata':{'name':'team','namespace':'%s'},'spec':{'clusterQueue':'cq'}}"
              .formatted(namespace));
      for (int i = 0; i < 2; i++) {
        apply(
            engine,
            ObjectKind.WORKLOAD,
            Workload.class,
            """
            {'metadata':{'name':'w%d','namespace':'%s','uid':'%2$s-%1$d',
            'creationTimestamp':'2026-01-01T00:00:0%1$dZ'},'spec':{'queueName':'team',
            'podSets':[]}}\
            """
                .formatted(i, namespace));
      }
    }
    return engine;
  }

  private static <T> void apply(
      QuotaEngine engine, ObjectKind<T> kind, Class<T> type, String json) {
    engine.apply(
        Change.upserted(kind, HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8))), NOW);
  }

  private void create(String collection, String json) {
    cluster.client().create(collection, json.replace('\'', '"')).orThrow();
  }

  private void register() throws GeneralSecurityException {
    create("/api/v1/namespaces", "{'metadata':{'name':'sluice-system'}}");
    create("/api/v1/namespaces", "{'metadata':{'name':'a'}}");
    create("/api/v1/namespaces", "{'metadata':{'name':'b'}}");
    create(
        "/api/v1/namespaces/sluice-system/services",
        "{'metadata':{'name':'sluice-see'},'spec':{'type':'ExternalName','externalName':'localhost'}}");
    String pem =
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, "\n".getBytes(UTF_8))
                .encodeToString(serving.certificate().getEncoded())
            + "\n-----END CERTIFICATE-----\n";
    String bundle = Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    for (String version : List.of("v1beta2", "v1beta1")) {
      create(
          APISERVICES,
          """
          {'metadata':{'name':'%s.visibility.kueue.x-k8s.io'},'spec':{'version':'%s',
          'group':'visibility.kueue.x-k8s.io','groupPriorityMinimum':100,'versionPriority':100,
          'caBundle':'%s','service':{'namespace':'sluice-system','name':'sluice-see','port':%d}}}\
          """
              .formatted(version, version, bundle, port));
    }
    for (String version : List.of("v1beta2", "v1beta1")) {
      cluster
          .client()
          .await(
              APISERVICES + "/" + version + ".visibility.kueue.x-k8s.io",
              BOUND,
              it -> ApiClient.hasCondition(it, "Available"));
    }
  }

  private static List<String> names(JsonNode summary) {
    return summary
        .path("items")
        .valueStream()
        .map(
            it ->
                "%s/%s %d/%d"
                    .formatted(
                        it.at("/metadata/namespace").asText(),
                        it.at("/metadata/name").asText(),
                        it.path("positionInClusterQueue").asInt(-1),
                        it.path("positionInLocalQueue").asInt(-1)))
        .toList();
  }

  @Test
  void anAdministratorReadsTheLineOfAClusterQueueInBothVersions() {
    ApiClient.Response answer = cluster.client().get(QUEUE).orThrow();

    assertThat(names(answer.json()))
        .containsExactly("a/w0 0/0", "b/w0 1/0", "a/w1 2/1", "b/w1 3/1");
    assertThat(answer.json().path("kind").asText()).isEqualTo("PendingWorkloadsSummary");
    JsonNode older = cluster.client().get(QUEUE.replace("v1beta2", "v1beta1")).orThrow().json();
    assertThat(older.path("items")).isEqualTo(answer.json().path("items"));
  }

  @Test
  void aPageAndItsErrorsPassThroughTheApiServer() {
    ApiClient client = cluster.client();

    assertThat(names(client.get(QUEUE + "?limit=1&offset=2").orThrow().json()))
        .containsExactly("a/w1 2/1");
    assertThat(client.get(QUEUE + "?limit=abc").status()).isEqualTo(400);
    ApiClient.Response missing = client.get(QUEUE.replace("/cq/", "/none/"));
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.json().path("message").asText())
        .isEqualTo("clusterqueue.visibility.kueue.x-k8s.io \"none\" not found");
    assertThat(client.create(QUEUE, "{}").status()).isEqualTo(405);
  }

  @Test
  void whoMayReadOneNamespaceReadsNoOther() {
    create(
        RIGHTS + "/clusterroles",
        """
        {'metadata':{'name':'lq-viewer'},'rules':[{'apiGroups':['visibility.kueue.x-k8s.io'],
        'resources':['localqueues/pendingworkloads'],'verbs':['get']}]}\
        """);
    create("/api/v1/namespaces/a/serviceaccounts", "{'metadata':{'name':'user'}}");
    create(
        RIGHTS + "/namespaces/a/rolebindings",
        """
        {'metadata':{'name':'user'},'subjects':[{'kind':'ServiceAccount','name':'user',
        'namespace':'a'}],'roleRef':{'apiGroup':'rbac.authorization.k8s.io',
        'kind':'ClusterRole','name':'lq-viewer'}}\
        """);
    String token = cluster.client().serviceAccountToken("a", "user");
    try (var user = new ApiClient(cluster.server(), token, cluster.caPem())) {
      String own = API + "/namespaces/a/localqueues/team/pendingworkloads";

      JsonNode summary =
          user.await(own, BOUND, it -> it.has("items")).json(); // once the binding is seen
      assertThat(names(summary)).containsExactly("a/w0 0/0", "a/w1 2/1");
      assertThat(user.get(own.replace("/a/", "/b/")).status()).isEqualTo(403);
      assertThat(user.get(QUEUE).status()).isEqualTo(403);
    }
  }

  @Test
  void discoveryNamesTheSubresources() {
    JsonNode resources = cluster.client().get(API).orThrow().json().path("resources");

    assertThat(resources.valueStream().map(it -> it.path("name").asText()))
        .containsExactlyInAnyOrder(
            "clusterqueues",
            "clusterqueues/pendingworkloads",
            "localqueues",
            "localqueues/pendingworkloads");
  }

  /** Past the API server, on our port. */
  private HttpResponse<String> direct(@Nullable Party party, String user, String group)
      throws GeneralSecurityException, IOException, InterruptedException {
    KeyManager[] keys = {};
    if (party != null) {
      var factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(party.store(), Party.password());
      keys = factory.getKeyManagers();
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", serving.certificate());
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys, trust.getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("https://localhost:" + port + QUEUE))
              .header("X-Remote-User", user)
              .header("X-Remote-Group", group)
              .timeout(Duration.ofSeconds(30))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void onlyTheFrontProxyIsBelieved() throws Exception {
    Party foreign = Party.authority(folder, "foreign-ca").client("foreign", "front-proxy-client");
    Party misnamed = authority.client("misnamed", "somebody");
    Party expired =
        authority.client("expired", "front-proxy-client", "-startdate", "-5d", "-validity", "2");

    for (Party forger : new @Nullable Party[] {null, foreign, misnamed, expired}) {
      assertThat(direct(forger, "admin", "system:masters").statusCode()).isEqualTo(401);
    }
    assertThat(direct(frontProxy, "admin", "system:masters").statusCode()).isEqualTo(200);
  }

  @Test
  void theFrontProxySpeaksForUsersWithoutRightsToo() throws Exception {
    assertThat(direct(frontProxy, "nobody", "none").statusCode()).isEqualTo(403);
    assertThat(direct(frontProxy, "", "system:masters").statusCode()).isEqualTo(401);
  }

  @Test
  void anApiServerThatDoesNotAnswerNeverMeansYes() throws Exception {
    cluster.stopApiServer();
    try {
      HttpResponse<String> answer = direct(frontProxy, "admin of old", "system:masters");

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
    } finally {
      cluster.restartApiServer();
      cluster
          .client()
          .await(
              APISERVICES + "/v1beta2.visibility.kueue.x-k8s.io",
              BOUND,
              it -> ApiClient.hasCondition(it, "Available"));
    }
    assertThat(direct(frontProxy, "admin of old", "system:masters").statusCode()).isEqualTo(200);
  }
}
