import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.JksOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Sends 16 answers of 4 MiB at once over one HTTP/2 connection with TLS, some rounds. Each answer
 * is written in pieces of 64 KiB, with respect to writeQueueFull and drainHandler. Prints how many
 * answers stood still for 20 seconds; exit code 1 if any did.
 */
public final class StalledStreams {
  private static final int ROUNDS = 12;
  private static final int AT_ONCE = 16;
  private static final int PIECES = 64;
  private static final Buffer PIECE = Buffer.buffer(new byte[64 << 10]);

  private StalledStreams() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("stalled-streams");
    Path store = folder.resolve("store.p12");
    keyStore(store);
    Vertx vertx = Vertx.vertx();
    var server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setSsl(true)
                    .setUseAlpn(true)
                    .setHost("127.0.0.1")
                    .setPort(0)
                    .setKeyCertOptions(
                        new JksOptions().setPath(store.toString()).setPassword("changeit")))
            .requestHandler(
                request -> request.endHandler(nothing -> answer(request.response())))
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    int stalled = 0;
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(trustingAll())
            .build();
    URI uri = URI.create("https://127.0.0.1:" + server.actualPort() + "/");
    client.send(request(uri), BodyHandlers.discarding());
    for (int round = 1; round <= ROUNDS; round++) {
      int lost = round(client, uri);
      System.out.printf("round %d: %d of %d answers stood still%n", round, lost, AT_ONCE);
      stalled += lost;
    }
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    System.out.printf("%d of %d answers stood still%n", stalled, ROUNDS * AT_ONCE);
    System.exit(stalled == 0 ? 0 : 1);
  }

  private static void answer(HttpServerResponse response) {
    response.putHeader("content-length", Long.toString((long) PIECES * PIECE.length()));
    AtomicInteger piece = new AtomicInteger();
    response.drainHandler(nothing -> write(response, piece));
    write(response, piece);
  }

  private static void write(HttpServerResponse response, AtomicInteger piece) {
    while (piece.get() < PIECES && !response.writeQueueFull()) {
      if (piece.incrementAndGet() < PIECES) {
        response.write(PIECE);
      } else {
        response.end(PIECE);
      }
    }
  }

  private static HttpRequest request(URI uri) {
    return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofByteArray(new byte[65 << 10])).build();
  }

  private static int round(HttpClient client, URI uri) {
    List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      answers.add(client.sendAsync(request(uri), BodyHandlers.ofByteArray()));
    }
    int lost = 0;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
      try {
        answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (Exception e) {
        answer.cancel(true);
        lost++;
      }
    }
    return lost;
  }

  private static void keyStore(Path store) throws Exception {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    int code =
        new ProcessBuilder(
                keytool.toString(), "-genkeypair", "-alias", "server", "-keyalg", "EC",
                "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", "changeit")
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException("keytool ended with " + code);
    }
  }

  private static SSLContext trustingAll() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    return context;
  }

  /** The server is this process. */
  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
