package dev.sluice.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init") // set before each test
class DashboardServerTest {
  private static final String STANDING = "/apis/view.sluice.dev/v1alpha1/standing";

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private PlainServer cluster;
  private DashboardServer dashboard;

  @BeforeEach
  void aDashboardOfACluster() throws IOException {
    cluster = PlainServer.start(path -> "{\"path\":\"%s\"}".formatted(path));
    dashboard = DashboardServer.start(ClusterAccess.of(cluster.kubeconfig(folder)), 0, "team-a");
  }

  @AfterEach
  void end() {
    client.close();
    dashboard.close();
    cluster.close();
  }

  private String key() {
    return dashboard.address().replaceFirst(".*key=", "");
  }

  private HttpResponse<String> send(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + dashboard.port() + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, HttpRequest.BodyPublishers.ofString(method.equals("POST") ? "{}" : ""));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private HttpResponse<String> withKey(String method, String path) {
    return send(method, path, LoopbackGate.KEY_HEADER, key());
  }

  @Test
  void theAddressHasAKeyOf256BitsInItsFragment() {
    assertThat(dashboard.address())
        .matches("http://127\\.0\\.0\\.1:[0-9]+/ui/#/\\?namespace=team-a&key=[0-9a-f]{64}");
  }

  @Test
  void whoHasTheKeyReadsTheCluster() {
    HttpResponse<String> answer = withKey("GET", STANDING);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains(STANDING);
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(answer.headers().map().keySet())
        .noneMatch(it -> it.toLowerCase(Locale.ROOT).startsWith("access-control"))
        .doesNotContain("set-cookie");
  }

  @Test
  void whoHasNoKeyOrAnotherOneReadsFilesOnly() {
    assertThat(send("GET", STANDING).statusCode()).isEqualTo(401);
    assertThat(send("GET", STANDING, LoopbackGate.KEY_HEADER, "0".repeat(64)).statusCode())
        .isEqualTo(401);
    assertThat(send("GET", STANDING + "?key=" + key()).statusCode()).isEqualTo(401);
    assertThat(send("GET", "/ui/").statusCode()).isEqualTo(200);
    assertThat(cluster.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    /api/v1/secrets",
    "GET,    /apis/view.sluice.dev/v1alpha1/../../../api/v1/secrets",
    "GET,    /apis/view.sluice.dev/v1alpha1/%2e%2e/x",
    "GET,    /apis/view.sluice.dev/v1alpha1/a%2fb",
    "GET,    /apis/view.sluice.dev/v1alpha1/",
    "GET,    /apis/view.sluice.dev/v1alpha1//x",
    "POST,   /apis/view.sluice.dev/v1alpha1/standing",
    "POST,   /apis/batch/v1/namespaces/a/jobs",
    "DELETE, /apis/view.sluice.dev/v1alpha1/standing",
    "PUT,    /apis/view.sluice.dev/v1alpha1/clustersimulations"
  })
  void nothingButTheViewApiIsForwarded(String method, String path) {
    assertThat(withKey(method, path).statusCode()).isEqualTo(404);
    assertThat(cluster.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"clustersimulations", "namespaces/team-a/simulations"})
  void simulationsAreForwarded(String resource) {
    String path = "/apis/view.sluice.dev/v1alpha1/" + resource;

    assertThat(withKey("POST", path).statusCode()).isEqualTo(200);
    assertThat(cluster.asked()).containsExactly("POST " + path);
  }

  /** A name of another site that leads to this machine is how a page of it would reach us. */
  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", ""})
  void anotherNameOfTheHostIsRefused(String host) throws IOException {
    for (String path : new String[] {STANDING, "/ui/", "/open/x"}) {
      assertThat(statusLine(host, path)).doesNotContain("200").containsPattern("40[03]");
    }
    assertThat(cluster.asked()).isEmpty();
  }

  private String statusLine(String host, String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), dashboard.port())) {
      socket.setSoTimeout(30_000);
      String request =
          "GET %s HTTP/1.1\r\nHost: %s\r\n%s: %s\r\nConnection: close\r\n\r\n"
              .formatted(path, host, LoopbackGate.KEY_HEADER, key());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .findFirst()
          .orElse("");
    }
  }

  @Test
  void theAddressForABrowserLeadsToTheKeyOnce() {
    String path = URI.create(dashboard.addressForOnce()).getPath();

    assertThat(dashboard.addressForOnce()).doesNotContain(key());
    assertThat(send("GET", path + "0").statusCode()).isEqualTo(410);
    HttpResponse<String> first = send("GET", path);
    assertThat(first.statusCode()).isEqualTo(302);
    assertThat(first.headers().firstValue("Location"))
        .hasValueSatisfying(it -> assertThat(dashboard.address()).endsWith(it));
    assertThat(send("GET", path).statusCode()).isEqualTo(410);
  }

  @Test
  void aClusterThatIsAwayIsSaidInASentence() {
    cluster.close();

    HttpResponse<String> answer = withKey("GET", STANDING);

    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("the API server cannot be reached");
  }
}
