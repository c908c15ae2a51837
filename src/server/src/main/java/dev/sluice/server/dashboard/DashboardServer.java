package dev.sluice.server.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.server.reply.Reply;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard for one user on this machine: a plain HTTP port of loopback, which forwards
 * questions to the API server with the credentials of the user. Each request must carry a key of
 * 256 bits, which only the printed address has. So other users of the machine learn nothing. Pages
 * of other sites cannot ask either: the host name must be one of loopback, and no answer allows
 * another origin. Thread-safe.
 */
public final class DashboardServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DashboardServer.class);
  private static final String LOOPBACK = "127.0.0.1";
  private static final String ONCE = "/open/";

  /** Where a page learns where its answers come from. */
  private static final String SOURCE = "/source";

  private static final int LONGEST_LINE = 8 << 10;
  private static final int LONGEST_BODY = 1 << 20;
  private static final int PATIENCE_SECONDS = 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(8));
  private final DashboardFiles files = DashboardFiles.load();
  private final LoopbackGate gate;
  private final Questions questions;
  private final String key;
  private final @Nullable String namespace;

  /** The end of an address that works once; null after it was used. */
  private final AtomicReference<@Nullable String> once = new AtomicReference<>(secret());

  private final HttpServer server;
  private int port;

  private DashboardServer(Questions questions, int port, @Nullable String namespace) {
    this.namespace = namespace;
    this.key = secret();
    this.gate = new LoopbackGate(key);
    this.questions = questions;
    this.server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost(LOOPBACK)
                    .setPort(port)
                    .setMaxInitialLineLength(LONGEST_LINE)
                    .setHttp2ClearTextEnabled(false)
                    .setIdleTimeout(5)
                    .setIdleTimeoutUnit(TimeUnit.MINUTES))
            .requestHandler(this::accept);
  }

  private static String secret() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * Starts to listen, and asks an API server that serves our API.
   *
   * @param access the API server, and who asks it
   * @param port 0 for any free one
   * @param namespace the one whose queues the first page asks for; null for none
   * @throws IllegalStateException if the port cannot be had
   */
  public static DashboardServer start(ClusterAccess access, int port, @Nullable String namespace) {
    return start(new Forwarder(Connection.to(access)), port, namespace);
  }

  /**
   * Starts to listen.
   *
   * @param questions are asked; closed with the server, and if the port cannot be had
   * @param port 0 for any free one
   * @param namespace the one whose queues the first page asks for; null for none
   * @throws IllegalStateException if the port cannot be had
   */
  public static DashboardServer start(Questions questions, int port, @Nullable String namespace) {
    var dashboard = new DashboardServer(questions, port, namespace);
    try {
      dashboard.port =
          dashboard.server.listen().await(PATIENCE_SECONDS, TimeUnit.SECONDS).actualPort();
      return dashboard;
    } catch (Exception e) { // Vert.x throws checked ones, too
      dashboard.close();
      throw new IllegalStateException(
          "cannot listen on %s:%d: %s"
              .formatted(
                  LOOPBACK,
                  port,
                  e instanceof TimeoutException ? "it takes too long" : e.getMessage()),
          e);
    }
  }

  /** The port of loopback that it listens on. */
  public int port() {
    return port;
  }

  /** The address of the first page, with the key. Anybody who has it sees what the user may see. */
  public String address() {
    return "http://%s:%d%s".formatted(LOOPBACK, port, firstPage());
  }

  private String firstPage() {
    String asked = namespace == null ? "" : "namespace=" + namespace + "&";
    return "%s#/?%skey=%s".formatted(DashboardFiles.ROOT, asked, key);
  }

  /**
   * An address without the key that leads to {@link #address} once. It is for the command line of a
   * browser, which other users of the machine can read.
   */
  public String addressForOnce() {
    return "http://%s:%d%s%s".formatted(LOOPBACK, port, ONCE, once.get());
  }

  private void accept(HttpServerRequest request) {
    String path = request.path() == null ? "" : request.path();
    HostAndPort host = request.authority();
    if (host == null || !LoopbackGate.isLoopback(host.host())) {
      send(request, JsonAnswers.failure(403, "Forbidden", "the host is not of loopback"));
    } else if (path.startsWith(ONCE)) {
      send(request, openOnce(path.substring(ONCE.length())));
    } else if (DashboardFiles.isBelow(path) || path.equals("/")) {
      send(
          request,
          path.equals("/")
              ? DashboardFiles.sentence(302, "", Map.of("Location", DashboardFiles.ROOT))
              : files.answer(
                  request.method().name(),
                  path,
                  header(request, "If-None-Match"),
                  header(request, "Accept-Encoding")));
    } else if (!gate.opensFor(header(request, LoopbackGate.KEY_HEADER))) {
      send(
          request,
          JsonAnswers.failure(
              401, "KeyRequired", "open the address that sluice dashboard has printed"));
    } else if (path.equals(SOURCE) && request.method().equals(HttpMethod.GET)) {
      send(request, JsonAnswers.of(200, source(), Map.of()));
    } else {
      forward(request);
    }
  }

  private Reply openOnce(String given) {
    String expected = once.get();
    boolean isFirst =
        expected != null
            && LoopbackGate.areEqual(expected, given)
            && once.compareAndSet(expected, null);
    return isFirst
        ? DashboardFiles.sentence(302, "", Map.of("Location", firstPage()))
        : DashboardFiles.sentence(
            410, "this address was used; open the one that sluice dashboard has printed", Map.of());
  }

  private byte[] source() {
    return questions.source().toString().getBytes(UTF_8);
  }

  private void forward(HttpServerRequest request) {
    Optional<Questions.Question> question =
        Questions.Question.of(request.method().name(), request.uri());
    if (question.isEmpty()) {
      send(request, JsonAnswers.failure(404, "NotFound", "the dashboard does not forward this"));
      return;
    }
    String known = header(request, "If-None-Match");
    Optional<Reply> atHand = questions.atHand(question.get(), known);
    if (atHand.isPresent()) {
      send(request, JsonAnswers.of(atHand.get()));
      return;
    }
    Buffer body = Buffer.buffer();
    request.handler(
        part -> {
          if (body.length() <= LONGEST_BODY) {
            body.appendBuffer(part);
          }
        });
    request.endHandler(_ -> ask(request, question.get(), known, body));
  }

  private void ask(
      HttpServerRequest request, Questions.Question question, String known, Buffer body) {
    if (body.length() > LONGEST_BODY) {
      send(
          request,
          JsonAnswers.failure(413, "RequestEntityTooLarge", "the body has more than 1 MiB"));
      return;
    }
    var _ =
        vertx
            .executeBlocking(() -> questions.ask(question, known, body.toString(UTF_8)), false)
            .otherwise(
                e -> {
                  LOG.warn("{} could not be forwarded", question.uri(), e);
                  return JsonAnswers.failure(502, "BadGateway", "the question cannot be forwarded");
                })
            .onComplete(answer -> send(request, JsonAnswers.of(answer.result())));
  }

  private static String header(HttpServerRequest request, String name) {
    return String.join(",", request.headers().getAll(name));
  }

  private static void send(HttpServerRequest request, Reply answer) {
    var response = request.response();
    if (response.ended() || response.closed()) {
      return; // the browser has gone
    }
    response.setStatusCode(answer.status());
    answer.headers().forEach(response::putHeader);
    var _ = response.end(Buffer.buffer(answer.body()));
  }

  @Override
  public void close() {
    var _ = server.close();
    var _ = vertx.close();
    questions.close();
  }
}
