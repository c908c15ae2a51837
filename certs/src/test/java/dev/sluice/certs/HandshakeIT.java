package dev.sluice.certs;

import static dev.sluice.certs.Fixtures.RANDOM;
import static dev.sluice.certs.Fixtures.keys;
import static dev.sluice.certs.Fixtures.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real connections on loopback, to a server that answers each byte with the same byte. */
class HandshakeIT {
  private static final int HANDSHAKES = 200;
  private static final int CLIENTS = 4;
  private static final int READ_TIMEOUT_MILLIS = 10_000;

  private final InstantSource wallClock = InstantSource.system(); // as that of the TLS client
  private final CertificateAuthority authority =
      CertificateAuthority.create(Duration.ofDays(30), wallClock, RANDOM);
  private final ServingCertificate first = issue();
  private final ServingCertificate second = issue();
  private final SwitchingKeyManager manager = new SwitchingKeyManager(first);
  private EchoServer server;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer(manager);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void showsTheNewCertificateToNewConnectionsAndKeepsTheOldOnes(String protocol)
      throws IOException {
    try (var old = connect(authority.certificate(), protocol)) {
      assertThat(shownTo(old)).isEqualTo(first.leaf());

      manager.switchTo(second);

      try (var fresh = connect(authority.certificate(), protocol)) {
        assertThat(shownTo(fresh)).isEqualTo(second.leaf());
        assertThat(fresh.getSession().getProtocol()).isEqualTo(protocol);
        assertThat(echo(fresh, 'b')).isEqualTo('b');
      }
      assertThat(echo(old, 'a')).isEqualTo('a');
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.2, EC,  256,  SHA256withECDSA, TLS_ECDHE_ECDSA_",
    "TLSv1.3, EC,  256,  SHA256withECDSA, TLS_",
    "TLSv1.2, RSA, 2048, SHA256withRSA,   TLS_ECDHE_RSA_",
    "TLSv1.3, RSA, 2048, SHA256withRSA,   TLS_"
  })
  void switchesBetweenKindsOfKeys(
      String protocol, String algorithm, int size, String signature, String suite)
      throws IOException {
    var next = Fixtures.selfSigned(keys(algorithm, size), signature);

    manager.switchTo(next);

    try (var socket = connect(next.leaf(), protocol)) {
      assertThat(shownTo(socket)).isEqualTo(next.leaf());
      assertThat(socket.getSession().getCipherSuite()).startsWith(suite);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void noHandshakeFailsWhileCertificatesAreSwitched(String protocol) throws Exception {
    var others = List.of(first, second, issue());
    var going = new AtomicBoolean(true);
    try (var threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
      var switcher = threads.submit(() -> switchAmong(others, going));

      List<Certificate> shown;
      try {
        shown = handshakes(threads, protocol);
      } finally {
        going.set(false); // a failure must not wait for the switcher
      }

      assertThat(shown).hasSize(HANDSHAKES);
      assertThat(others).extracting(ServingCertificate::leaf).containsAll(certificates(shown));
      assertThat(switcher.get()).as("switches meanwhile").isGreaterThan(HANDSHAKES);
    }
  }

  private long switchAmong(List<ServingCertificate> certificates, AtomicBoolean going) {
    long switches = 0;
    var end = Instant.now().plusSeconds(60);
    while (going.get() && Instant.now().isBefore(end)) {
      manager.switchTo(certificates.get((int) (switches++ % certificates.size())));
      LockSupport.parkNanos(1_000); // leaves a core to the handshakes
    }
    return switches;
  }

  private List<Certificate> handshakes(ExecutorService threads, String protocol)
      throws InterruptedException, ExecutionException {
    var results = new ArrayList<Future<Certificate>>();
    for (int i = 0; i < HANDSHAKES; i++) {
      results.add(threads.submit(() -> handshake(protocol)));
    }
    var shown = new ArrayList<Certificate>();
    for (var result : results) {
      shown.add(result.get());
    }
    return shown;
  }

  private Certificate handshake(String protocol) throws IOException {
    try (var socket = connect(authority.certificate(), protocol)) {
      assertThat(echo(socket, 'x')).isEqualTo('x');
      return shownTo(socket);
    }
  }

  private static List<X509Certificate> certificates(List<Certificate> shown) {
    return shown.stream().map(X509Certificate.class::cast).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1"})
  void isTrustedByAnHttpsClientThatHasTheBundle(String host) throws IOException {
    var url = URI.create("https://" + host + ":" + server.port() + "/").toURL();
    var connection = (HttpsURLConnection) url.openConnection();
    connection.setSSLSocketFactory(
        Tls.clientTrusting(Pem.of(authority.certificate())).getSocketFactory());
    connection.setReadTimeout(READ_TIMEOUT_MILLIS);

    connection.connect(); // hands shakes and checks the name

    assertThat(connection.getServerCertificates()[0]).isEqualTo(first.leaf());
    connection.disconnect();
  }

  /** The clock of the client is right. */
  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "-PT1H"})
  void aServerWhoseClockIsAnHourOffIsTrusted(Duration ahead, @TempDir Path dir) throws IOException {
    InstantSource wrong = () -> wallClock.instant().plus(ahead);
    var folder =
        CertificateFolder.open(dir, List.of("localhost"), Lifetimes.DEFAULT, wrong, RANDOM);
    manager.switchTo(folder.current());

    var trusted = Pem.parse(folder.caBundlePem()).certificates().getFirst();
    try (var socket = connect(trusted, "TLSv1.3")) {
      assertThat(shownTo(socket)).isEqualTo(folder.current().leaf());
    }
  }

  @Test
  void aRenewedFolderReachesTheRunningServer(@TempDir Path dir) throws IOException {
    var folder = folder(dir, "localhost");
    manager.switchTo(folder.current());
    folder(dir, "localhost", "sluice.svc"); // another process needs one more name

    assertThat(folder.refresh()).isEqualTo(new Refresh.Changed());
    manager.switchTo(folder.current());

    var trusted = Pem.parse(read(folder.caBundleFile())).certificates().getFirst();
    try (var socket = connect(trusted, "TLSv1.3")) {
      assertThat(shownTo(socket)).isEqualTo(folder.current().leaf());
    }
  }

  private CertificateFolder folder(Path dir, String... names) {
    return CertificateFolder.open(dir, List.of(names), Lifetimes.DEFAULT, wallClock, RANDOM);
  }

  private ServingCertificate issue() {
    return authority.issue(
        List.of("localhost", "127.0.0.1"), Duration.ofDays(1), wallClock, RANDOM);
  }

  private SSLSocket connect(X509Certificate trusted, String protocol) throws IOException {
    var factory = Tls.clientTrusting(Pem.of(trusted)).getSocketFactory();
    var socket = (SSLSocket) factory.createSocket("localhost", server.port());
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setEnabledProtocols(new String[] {protocol});
    socket.startHandshake();
    return socket;
  }

  private static Certificate shownTo(SSLSocket socket) throws IOException {
    return socket.getSession().getPeerCertificates()[0];
  }

  private static char echo(SSLSocket socket, char letter) throws IOException {
    socket.getOutputStream().write(String.valueOf(letter).getBytes(UTF_8));
    return (char) socket.getInputStream().read();
  }

  private static final class EchoServer implements AutoCloseable {
    private final SSLServerSocket listener;

    EchoServer(SwitchingKeyManager manager) throws IOException {
      listener =
          (SSLServerSocket)
              Tls.server(manager)
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
      Thread.startVirtualThread(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          var socket = listener.accept();
          Thread.startVirtualThread(() -> answer(socket));
        }
      } catch (IOException closed) {
        assertThat(listener.isClosed()).isTrue();
      }
    }

    private static void answer(Socket socket) {
      try (socket) {
        socket.getInputStream().transferTo(socket.getOutputStream());
      } catch (IOException _) {
        // the client says what went wrong
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
