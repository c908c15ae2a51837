package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.manifests.Manifests;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** An API server with our kinds, and a server of the visibility API that it forwards to. */
final class Aggregated implements AutoCloseable {
  static final Duration BOUND = Duration.ofSeconds(90);
  static final String APISERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

  /** The names of our APIServices, each a version and a group. */
  static final List<String> SERVICES =
      List.of(
          "v1beta2.visibility.kueue.x-k8s.io",
          "v1beta1.visibility.kueue.x-k8s.io",
          "v1alpha1.view.sluice.dev");

  private static final String RIGHTS = "/apis/rbac.authorization.k8s.io/v1";
  private static final String HOST = "sluice-see.sluice-system.svc";

  final Party frontProxies;
  final Party frontProxy;
  final Party users;

  /** An authority whose certificate is in the APIServices before ours. */
  final Party other;

  final ControlPlane cluster;
  private final CertificateFolder certificates;
  private final See see;

  Aggregated(Path folder) throws IOException {
    this(folder, new HistoryPlace(folder.resolve("history"), HistoryPlace.USUAL_BOUND));
  }

  /** One that keeps its history there; null for none. */
  Aggregated(Path folder, @Nullable HistoryPlace history) throws IOException {
    frontProxies = Party.authority(folder, "front-proxy-ca");
    frontProxy = frontProxies.client("front-proxy", "front-proxy-client");
    users = Party.authority(folder, "client-ca");
    other = Party.authority(folder, "other-ca");
    cluster =
        ControlPlane.start(
            ControlPlane.Options.apiServer()
                .withApiServerFlags(
                    "--client-ca-file=" + users.exported(),
                    "--proxy-client-cert-file=" + frontProxy.exported(),
                    "--proxy-client-key-file=" + frontProxy.exportedKey(),
                    "--requestheader-client-ca-file=" + frontProxies.exported(),
                    "--requestheader-allowed-names=front-proxy-client",
                    "--requestheader-username-headers=X-Remote-User",
                    "--requestheader-uid-headers=X-Remote-Uid",
                    "--requestheader-group-headers=X-Remote-Group",
                    "--requestheader-extra-headers-prefix=X-Remote-Extra-"));
    createKinds(cluster.client());
    certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of(HOST, "localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    see =
        See.start(
            ClusterAccess.of(cluster.kubeconfig()),
            Chosen.defaults("sluice-system"),
            new ListenAddress("127.0.0.1", 0),
            "--port",
            new ListenAddress("127.0.0.1", 0),
            certificates,
            history,
            true,
            new Supervisor());
    create("/api/v1/namespaces", "{'metadata':{'name':'sluice-system'}}");
    create(
        "/api/v1/namespaces/sluice-system/services",
        "{'metadata':{'name':'sluice-see'},'spec':{'type':'ExternalName','externalName':'localhost'}}");
    register();
  }

  /** Creates our kinds, and waits until they are served. */
  static void createKinds(ApiClient client) {
    for (ObjectNode crd : new Manifests().crds()) {
      ((ObjectNode) crd.path("spec"))
          .set("conversion", JsonNodeFactory.instance.objectNode().put("strategy", "None"));
      client
          .create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd.toString())
          .orThrow();
    }
    for (ApiKind kind : ApiKind.values()) {
      client.awaitEstablished(kind.crdName(), BOUND);
    }
  }

  private void register() {
    String bundle = Base64.getEncoder().encodeToString(other.pem().getBytes(UTF_8));
    for (String service : SERVICES) {
      int dot = service.indexOf('.');
      create(
          APISERVICES,
          """
          {'metadata':{'name':'%s'},'spec':{'version':'%s',
          'group':'%s','groupPriorityMinimum':100,'versionPriority':100,
          'caBundle':'%s','service':{'namespace':'sluice-system','name':'sluice-see','port':%d}}}\
          """
              .formatted(
                  service,
                  service.substring(0, dot),
                  service.substring(dot + 1),
                  bundle,
                  see.port()));
    }
    awaitAvailable();
  }

  void awaitAvailable() {
    for (String service : SERVICES) {
      cluster
          .client()
          .await(APISERVICES + "/" + service, BOUND, it -> ApiClient.hasCondition(it, "Available"));
    }
  }

  void create(String collection, String json) {
    cluster.client().create(collection, json.replace('\'', '"')).orThrow();
  }

  /** The token of a user who may read LocalQueues of that namespace, and nothing else. */
  String userOf(String namespace) {
    create(
        RIGHTS + "/clusterroles",
        """
        {'metadata':{'name':'lq-viewer'},'rules':[{'apiGroups':['visibility.kueue.x-k8s.io'],
        'resources':['localqueues/pendingworkloads'],'verbs':['get']}]}\
        """);
    String own = "/namespaces/" + namespace;
    create("/api/v1" + own + "/serviceaccounts", "{'metadata':{'name':'user'}}");
    create(
        RIGHTS + own + "/rolebindings",
        """
        {'metadata':{'name':'user'},'subjects':[{'kind':'ServiceAccount','name':'user',
        'namespace':'%s'}],'roleRef':{'apiGroup':'rbac.authorization.k8s.io',
        'kind':'ClusterRole','name':'lq-viewer'}}\
        """
            .formatted(namespace));
    return cluster.client().serviceAccountToken(namespace, "user");
  }

  /**
   * The token of a user with these ClusterRoles in that namespace.
   *
   * @param name of its service account, which is created there
   */
  String tokenOf(String namespace, String name, String... clusterRoles) {
    String own = "/namespaces/" + namespace;
    create("/api/v1" + own + "/serviceaccounts", "{'metadata':{'name':'%s'}}".formatted(name));
    for (String role : clusterRoles) {
      create(
          RIGHTS + own + "/rolebindings",
          """
          {'metadata':{'name':'%s-%s'},'subjects':[{'kind':'ServiceAccount','name':'%1$s',
          'namespace':'%s'}],'roleRef':{'apiGroup':'rbac.authorization.k8s.io',
          'kind':'ClusterRole','name':'%2$s'}}\
          """
              .formatted(name, role, namespace));
    }
    return cluster.client().serviceAccountToken(namespace, name);
  }

  /** Creates the ClusterRoles that an installation has for its users. */
  void createUserRoles() {
    new Manifests()
        .userRoles()
        .forEach(
            role -> cluster.client().create(RIGHTS + "/clusterroles", role.toString()).orThrow());
  }

  /** The authorities of our server, as PEM. */
  String authorities() {
    return certificates.caBundlePem();
  }

  /** The port of our server, past the API server. */
  int port() {
    return see.port();
  }

  int httpPort() {
    return see.httpPort();
  }

  /** Asks our port, past the API server, with these names and values of headers. */
  HttpResponse<String> direct(@Nullable Party party, String path, String... headers) {
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls(party)).build()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("https://localhost:" + see.port() + path))
              .timeout(Duration.ofSeconds(30));
      if (headers.length > 0) {
        request.headers(headers);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The first line of the answer to a request with this first line, whatever is in it. */
  String raw(String requestLine) {
    try (var socket = tls(null).getSocketFactory().createSocket("localhost", see.port())) {
      socket.setSoTimeout(30_000);
      socket
          .getOutputStream()
          .write(
              (requestLine + "\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8)
          .lines()
          .findFirst()
          .orElse("");
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private SSLContext tls(@Nullable Party party) throws GeneralSecurityException, IOException {
    KeyManager[] keys = {};
    if (party != null) {
      var factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(party.store(), Party.password());
      keys = factory.getKeyManagers();
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (var pem = Files.newInputStream(certificates.caBundleFile())) {
      for (var authority : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        trusted.setCertificateEntry("ca-" + trusted.size(), authority);
      }
    }
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys, trust.getTrustManagers(), null);
    return tls;
  }

  @Override
  public void close() {
    see.close();
    cluster.close();
  }
}
