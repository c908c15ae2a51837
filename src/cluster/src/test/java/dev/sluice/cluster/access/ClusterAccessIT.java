package dev.sluice.cluster.access;

import static dev.sluice.cluster.access.TestAuthority.base64;
import static dev.sluice.cluster.access.TestAuthority.pem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Every way to log in, against a server that tells who called. */
class ClusterAccessIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final TestAuthority AUTHORITY = TestAuthority.named("CN=cluster");
  private static final TestAuthority CLIENTS = TestAuthority.named("CN=clients");
  private static final TlsApiServer SERVER = new TlsApiServer(AUTHORITY, "CN=here", CLIENTS);
  private static final TlsApiServer ELSEWHERE =
      new TlsApiServer(AUTHORITY, "CN=elsewhere", CLIENTS);

  @TempDir Path folder;

  private final Map<String, String> variables = new HashMap<>();
  private final ManualClock clock = new ManualClock();

  private static final class ManualClock implements InstantSource {
    private volatile Instant now = Instant.now();

    @Override
    public Instant instant() {
      return now;
    }

    void advance(Duration time) {
      now = now.plus(time);
    }
  }

  @AfterAll
  static void stop() {
    SERVER.close();
    ELSEWHERE.close();
  }

  private AccessEnvironment environment() {
    return new AccessEnvironment(
        variables::get, folder.resolve("home"), folder.resolve("serviceaccount"), clock);
  }

  private Path write(String name, String text) {
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String authority() {
    return "certificate-authority-data: " + base64(AUTHORITY.pem());
  }

  private Path kubeconfig(String url, String cluster, String user) {
    return write(
        "kubeconfig",
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: c
          cluster: {server: "%s", %s}
        users:
        - name: u
          user: {%s}
        contexts:
        - name: x
          context: {cluster: c, user: u}
        current-context: x
        """
            .formatted(url, cluster, user));
  }

  private static String ask(Connection connection) {
    return new String(connection.get("/who", Connection.JSON, BOUND), UTF_8);
  }

  private String askOnce(Path kubeconfig) {
    try (Connection connection = Connection.to(ClusterAccess.of(kubeconfig, null, environment()))) {
      return ask(connection);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RSA:2048, PKCS1",
    "RSA:2048, PKCS8",
    "RSA:3072, PKCS8",
    "EC:secp256r1, SEC1",
    "EC:secp256r1, SEC1 with parameters",
    "EC:secp256r1, SEC1 behind parameters",
    "EC:secp256r1, PKCS8",
    "EC:secp384r1, SEC1",
    "EC:secp384r1, SEC1 with parameters",
    "EC:secp384r1, PKCS8",
    "EC:secp521r1, SEC1",
    "EC:secp521r1, SEC1 with parameters",
    "EC:secp521r1, PKCS8",
    "Ed25519, PKCS8",
  })
  void aClientKeyOfEveryKindLogsInFromAFileAndInline(String kind, String encoding) {
    KeyPair keys = TestAuthority.keys(kind);
    String chain = pem(CLIENTS.issue(keys, "CN=kim"));
    String key = pem(keys, encoding);
    write("client.crt", chain);
    write("client.key", key);

    String inline =
        askOnce(
            kubeconfig(
                SERVER.url(),
                authority(),
                "client-certificate-data: " + base64(chain) + ", client-key-data: " + base64(key)));
    String files =
        askOnce(
            kubeconfig(
                SERVER.url(),
                authority(),
                "client-certificate: client.crt, client-key: " + folder.resolve("client.key")));

    assertThat(inline).startsWith("CN=kim|");
    assertThat(files).startsWith("CN=kim|");
  }

  @Test
  void callsThatFollowEachOtherShareAConnectionThatShowedAClientCertificate() {
    KeyPair keys = TestAuthority.keys("EC:secp256r1");
    Path kubeconfig =
        kubeconfig(
            SERVER.url(),
            authority(),
            "client-certificate-data: %s, client-key-data: %s"
                .formatted(base64(pem(CLIENTS.issue(keys, "CN=kim"))), base64(pem(keys, "PKCS8"))));
    int before = SERVER.connections();

    try (Connection connection = Connection.to(ClusterAccess.of(kubeconfig, null, environment()))) {
      assertThat(ask(connection)).startsWith("CN=kim|");
      assertThat(ask(connection)).startsWith("CN=kim|");
    }

    assertThat(SERVER.connections()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @CsvSource({"'', null", "kim@, a2ltOg==", "kim:p%C3%A4ss:w@, a2ltOnDDpHNzOnc="})
  void aProxyIsToldWhoAsksBeforeItWantsToKnow(String login, String expected) throws IOException {
    try (ConnectProxy proxy = new ConnectProxy()) {
      String url = "http://" + login + "127.0.0.1:" + proxy.port();

      String answer =
          askOnce(kubeconfig(SERVER.url(), authority() + ", proxy-url: '" + url + "'", "token: t"));

      assertThat(answer).startsWith("nobody|Bearer t|");
      assertThat(proxy.requests())
          .containsExactly(
              "CONNECT "
                  + SERVER.url().replace("https://", "")
                  + " HTTP/1.1 "
                  + (expected.equals("null") ? "null" : "Basic " + expected));
    }
  }

  @Test
  void noLevelOfAnyLoggerShowsALoginOrAnAnswer() throws IOException {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Level before = root.getLevel();
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.setLevel(Level.TRACE);
    root.addAppender(log);
    try (ConnectProxy proxy = new ConnectProxy()) {
      String behind = ", proxy-url: 'http://kim:planted@127.0.0.1:" + proxy.port() + "'";

      assertThat(askOnce(kubeconfig(SERVER.url(), authority(), "token: planted")))
          .startsWith("nobody|Bearer planted|");
      assertThat(askOnce(kubeconfig(SERVER.url(), authority() + behind, "token: planted")))
          .startsWith("nobody|Bearer planted|");
    } finally {
      root.detachAppender(log);
      root.setLevel(before);
    }

    String login = base64("kim:planted");
    assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
        .as("what libraries log is kept")
        .isNotEmpty()
        .noneMatch(line -> line.contains("planted") || line.contains(login));
  }

  @Test
  void aClientCertificateIsShownWithItsChain() {
    TestAuthority below = CLIENTS.intermediate("CN=below");
    KeyPair keys = TestAuthority.keys("EC:secp256r1");
    String chain = pem(below.issue(keys, "CN=lee")) + below.pem();

    String answer =
        askOnce(
            kubeconfig(
                SERVER.url(),
                authority(),
                "client-certificate-data: %s, client-key-data: %s"
                    .formatted(base64(chain), base64(pem(keys, "PKCS8")))));

    assertThat(answer).startsWith("CN=lee|");
  }

  @Test
  void anyOfSeveralAuthoritiesInAFileMayHaveSignedTheServer() {
    write("ca.crt", TestAuthority.named("CN=other").pem() + AUTHORITY.pem());

    assertThat(askOnce(kubeconfig(SERVER.url(), "certificate-authority: ca.crt", "token: t")))
        .startsWith("nobody|Bearer t|");
  }

  @Test
  void aServerOfAnotherAuthorityOrNameIsNotTrusted() {
    String other = base64(TestAuthority.named("CN=other").pem());
    Path unknown = kubeconfig(SERVER.url(), "certificate-authority-data: " + other, "token: t");

    assertThatThrownBy(() -> askOnce(unknown)).isInstanceOf(ConnectionException.class);

    Path misnamed = kubeconfig(ELSEWHERE.url(), authority(), "token: t");
    assertThatThrownBy(() -> askOnce(misnamed)).isInstanceOf(ConnectionException.class);

    Path named =
        kubeconfig(SERVER.url(), authority() + ", tls-server-name: api.example", "token: t");
    assertThatThrownBy(() -> askOnce(named)).isInstanceOf(ConnectionException.class);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "localhost"})
  void aServerNameIsAskedForAndExpectedInPlaceOfTheAddress(String host) {
    Path kubeconfig =
        kubeconfig(
            ELSEWHERE.url().replace("127.0.0.1", host),
            authority() + ", tls-server-name: api.example",
            "token: t");

    assertThat(askOnce(kubeconfig)).contains("value=api.example");
  }

  @Test
  void anyServerIsTrustedWhereTheKubeconfigSaysSo() {
    assertThat(askOnce(kubeconfig(ELSEWHERE.url(), "insecure-skip-tls-verify: true", "token: t")))
        .startsWith("nobody|Bearer t|");
  }

  @Test
  void aUserLogsInWithAPasswordAndActsAsAnother() {
    assertThat(
            askOnce(kubeconfig(SERVER.url(), authority(), "username: kim, password: p:w, as: lee")))
        .startsWith("nobody|Basic " + base64("kim:p:w") + "|")
        .endsWith("|lee|null|null");
  }

  @Test
  void theCallerActsAsSomebodyElseInPlaceOfWhomTheKubeconfigNames() {
    Path kubeconfig = kubeconfig(SERVER.url(), authority(), "token: t, as: lee, as-uid: '7'");
    ClusterAccess access =
        ClusterAccess.of(kubeconfig, null, environment()).actingAs("mia", List.of("batch"));

    try (Connection connection = Connection.to(access)) {
      assertThat(ask(connection)).startsWith("nobody|Bearer t|").endsWith("|mia|batch|null");
    }
    assertThatThrownBy(() -> access.actingAs("a\nb", List.of()))
        .isInstanceOf(AccessException.class)
        .hasMessageStartingWith("--as: cannot stand in a header");
    assertThatThrownBy(() -> access.actingAs(null, List.of("batch")))
        .hasMessageContaining("expected: --as");
  }

  @Test
  void aTokenFileIsReadAgainWhenItIsOldAndAtOnceWhenTheServerRefusesTheToken() {
    write("token", "first\n");
    Path kubeconfig = kubeconfig(SERVER.url(), authority(), "tokenFile: token");
    try (Connection connection = Connection.to(ClusterAccess.of(kubeconfig, null, environment()))) {
      assertThat(ask(connection)).contains("|Bearer first|");

      write("token", "second");
      SERVER.refuse("Bearer first");
      assertThat(ask(connection)).contains("|Bearer second|");

      write("token", "third");
      clock.advance(Duration.ofMinutes(1));
      assertThat(ask(connection)).contains("|Bearer third|");

      write("token", ""); // as while it is written
      clock.advance(Duration.ofMinutes(1));
      assertThat(ask(connection)).contains("|Bearer third|");
    }
  }

  @Test
  void aCertificateAndAnAuthorityThatChangeAreUsedAtTheNextHandshake() {
    KeyPair keys = TestAuthority.keys("EC:secp256r1");
    write("client.crt", pem(CLIENTS.issue(keys, "CN=before")));
    write("client.key", pem(keys, "PKCS8"));
    write("ca.crt", TestAuthority.named("CN=other").pem());
    Path kubeconfig =
        kubeconfig(
            SERVER.url(),
            "certificate-authority: ca.crt",
            "client-certificate: client.crt, client-key: client.key");
    try (Connection connection = Connection.to(ClusterAccess.of(kubeconfig, null, environment()))) {
      assertThatThrownBy(() -> ask(connection)).isInstanceOf(ConnectionException.class);

      KeyPair next = TestAuthority.keys("RSA:2048");
      write("client.crt", pem(CLIENTS.issue(next, "CN=after")));
      write("client.key", pem(next, "PKCS1"));
      write("ca.crt", AUTHORITY.pem());
      clock.advance(Duration.ofMinutes(1));

      assertThat(ask(connection)).startsWith("CN=after|");
    }
  }

  /** The API server examines the certificate of a connection again with each request. */
  @Test
  void aConnectionWhoseCertificateIsRefusedIsReplacedByOneThatShowsTheNewOne() {
    KeyPair keys = TestAuthority.keys("EC:secp256r1");
    write("client.crt", pem(CLIENTS.issue(keys, "CN=expired")));
    write("client.key", pem(keys, "PKCS8"));
    Path kubeconfig =
        kubeconfig(
            SERVER.url(), authority(), "client-certificate: client.crt, client-key: client.key");
    try (Connection connection = Connection.to(ClusterAccess.of(kubeconfig, null, environment()))) {
      assertThat(ask(connection)).startsWith("CN=expired|");

      write("client.crt", pem(CLIENTS.issue(keys, "CN=renewed")));
      SERVER.refuse("CN=expired");

      assertThat(ask(connection)).startsWith("CN=renewed|");
    }
  }

  @Test
  void anExecPluginGivesTheTokenAndIsRunAgainWhenItExpires() throws IOException {
    Path plugin =
        write(
            "bin/plugin",
            """
            #!/bin/sh
            echo run >> "$COUNTER"
            echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
            "status":{"token":"t'$(wc -l < "$COUNTER" | tr -d ' ')'","expirationTimestamp":"%s"}}'
            """
                .formatted(clock.instant().plusSeconds(600)));
    Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
    Path kubeconfig =
        kubeconfig(
            SERVER.url(),
            authority(),
            "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/plugin,"
                + " interactiveMode: Never, env: [{name: COUNTER, value: '"
                + folder.resolve("counter")
                + "'}]}");
    try (Connection connection = Connection.to(ClusterAccess.of(kubeconfig, null, environment()))) {
      assertThat(ask(connection)).contains("|Bearer t1|");
      assertThat(ask(connection)).contains("|Bearer t1|");
      clock.advance(Duration.ofMinutes(11));
      assertThat(ask(connection)).contains("|Bearer t2|");
    }
  }

  @Test
  void ofSeveralFilesTheFirstCountsAndEachFindsItsOwnFiles() {
    write("one/token", "right");
    write("one/config", "users: [{name: u, user: {tokenFile: token}}]\ncurrent-context: x\n");
    write(
        "two/config",
        """
        users: [{name: u, user: {token: wrong}}]
        clusters: [{name: c, cluster: {server: "%s", %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: y
        """
            .formatted(SERVER.url(), authority()));
    variables.put(
        "KUBECONFIG",
        folder.resolve("one/config")
            + ":"
            + folder.resolve("none")
            + ":"
            + folder.resolve("two/config"));

    try (Connection connection = Connection.to(ClusterAccess.of(null, null, environment()))) {
      assertThat(ask(connection)).contains("|Bearer right|");
    }
  }

  @Test
  void aPodUsesItsServiceAccountAndSeesItsTokenChange() {
    write("serviceaccount/token", "mounted");
    write("serviceaccount/ca.crt", AUTHORITY.pem());
    variables.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    variables.put("KUBERNETES_SERVICE_PORT", SERVER.url().replaceAll(".*:", ""));

    try (Connection connection = Connection.to(ClusterAccess.of(null, null, environment()))) {
      assertThat(ask(connection)).contains("|Bearer mounted|");
      write("serviceaccount/token", "rotated");
      clock.advance(Duration.ofMinutes(1));
      assertThat(ask(connection)).contains("|Bearer rotated|");
    }
  }

  @Test
  void theKubeconfigOfTheUserCountsBeforeThePod() {
    Path kubeconfig = kubeconfig(SERVER.url(), authority(), "token: mine");
    write("home/.kube/config", read(kubeconfig));
    variables.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");

    try (Connection connection = Connection.to(ClusterAccess.of(null, "x", environment()))) {
      assertThat(ask(connection)).contains("|Bearer mine|");
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
