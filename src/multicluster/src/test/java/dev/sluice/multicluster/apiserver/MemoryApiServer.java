package dev.sluice.multicluster.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * An API server on loopback with objects in memory: lists, watches, creates, merge patches and
 * deletes as Kubernetes does, as far as controllers here rely on it. Anything may go wrong on the
 * way.
 */
public final class MemoryApiServer implements AutoCloseable {
  private final MemoryObjects objects = new MemoryObjects();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<String> deletions = new CopyOnWriteArrayList<>();
  private final List<String> answers = new CopyOnWriteArrayList<>();
  private final List<Trouble> troubles = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final HttpServer server;

  /** The values of the header Authorization that are taken; empty for any. */
  private volatile Set<String> logins = Set.of();

  /** Watches of an earlier number have ended. */
  private final AtomicInteger epoch = new AtomicInteger();

  /** Something that goes wrong. */
  @FunctionalInterface
  public interface Trouble {
    /** What to answer instead; empty to let the call through. */
    Optional<Answer> on(String call);
  }

  /**
   * An answer.
   *
   * @param status of HTTP; 0 for none at all
   */
  public record Answer(int status, Map<String, String> headers, String body) {
    /** The connection ends before anything is stored. */
    public static final Answer LOST = new Answer(-1, Map.of(), "");

    /** Blanks, 2 GiB of them. */
    public static final Answer ENDLESS = new Answer(-3, Map.of(), "");

    /** What was asked for is done, and the connection ends before the answer. */
    public static final Answer LOST_AFTERWARDS = new Answer(-2, Map.of(), "");

    /** An answer with a message. */
    public static Answer of(int status, String message) {
      return new Answer(status, Map.of(), "{\"message\":\"" + message + "\"}");
    }
  }

  /** One without objects, and without TLS. */
  public MemoryApiServer() {
    this(created(address -> HttpServer.create(address, 0)));
  }

  private MemoryApiServer(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** One without objects, with a certificate of its own. */
  public static MemoryApiServer overTls(CertificateFolder certificates) {
    HttpsServer secure = created(address -> HttpsServer.create(address, 0));
    secure.setHttpsConfigurator(new HttpsConfigurator(context(certificates.current())));
    return new MemoryApiServer(secure);
  }

  /** Makes a server; the address is any free port of loopback. */
  private interface Maker<S> {
    S make(InetSocketAddress address) throws IOException;
  }

  private static <S> S created(Maker<S> maker) {
    try {
      return maker.make(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLContext context(ServingCertificate certificate) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "k", certificate.key(), new char[0], certificate.chain().toArray(X509Certificate[]::new));
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From now on only who shows one of these tokens is answered. */
  public void demand(String... tokens) {
    logins = Stream.of(tokens).map(it -> "Bearer " + it).collect(Collectors.toSet());
  }

  /** Its port on loopback. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** What it has. */
  public MemoryObjects objects() {
    return objects;
  }

  /** Methods and targets of all calls, in order. */
  public List<String> calls() {
    return List.copyOf(calls);
  }

  /** The options of all deletions, in order. */
  public List<String> deletions() {
    return List.copyOf(deletions);
  }

  /** The statuses of all answers that its objects gave, each with the call, in order. */
  public List<String> answers() {
    return List.copyOf(answers);
  }

  /** The calls that begin with this. */
  public List<String> calls(String beginning) {
    return calls.stream().filter(it -> it.startsWith(beginning)).toList();
  }

  /** Adds trouble. */
  public void with(Trouble trouble) {
    troubles.add(trouble);
  }

  /** Calls that begin with this get that answer from now on. */
  public void answer(String beginning, Answer answer) {
    with(call -> call.startsWith(beginning) ? Optional.of(answer) : Optional.empty());
  }

  /** Ends all watches. */
  public void endWatches() {
    epoch.incrementAndGet();
  }

  /** All goes well again. */
  public void mend() {
    troubles.clear();
  }

  /** A file that leads here. */
  public Path kubeconfig(Path folder) {
    try {
      return Kubeconfigs.plain(folder, server.getAddress().getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      calls.add(call);
      if (exchange.getRequestMethod().equals("DELETE")) {
        deletions.add(body);
      }
      Optional<Answer> trouble = troubles.stream().flatMap(it -> it.on(call).stream()).findFirst();
      String shown = exchange.getRequestHeaders().getFirst("Authorization");
      if (!logins.isEmpty() && (shown == null || !logins.contains(shown))) {
        answer(exchange, Answer.of(401, "Unauthorized"));
      } else if (trouble.isPresent() && trouble.get().equals(Answer.LOST_AFTERWARDS)) {
        var _ = objects.answer(exchange.getRequestMethod(), exchange.getRequestURI(), body);
      } else if (trouble.isPresent() && !trouble.get().equals(Answer.LOST)) {
        answer(exchange, trouble.get());
      } else if (trouble.isPresent()) {
        exchange.close();
      } else if (call.contains("watch=")) {
        stream(exchange, objects.watch(exchange.getRequestURI()));
      } else {
        Answer answer = objects.answer(exchange.getRequestMethod(), exchange.getRequestURI(), body);
        answers.add(answer.status() + " " + call);
        answer(exchange, answer);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the test is over
    }
  }

  private void answer(HttpExchange exchange, Answer answer)
      throws IOException, InterruptedException {
    if (answer.status() == 0) {
      closing.await(); // nobody ever answers
      return;
    }
    if (answer.equals(Answer.ENDLESS)) {
      exchange.sendResponseHeaders(200, 0);
      byte[] blanks = " ".repeat(1 << 20).getBytes(UTF_8);
      for (int i = 0; i < 2 << 10; i++) {
        exchange.getResponseBody().write(blanks);
      }
      return;
    }
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    byte[] bytes = answer.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void stream(HttpExchange exchange, BlockingQueue<String> events)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.flush();
    int begun = epoch.get();
    while (closing.getCount() > 0 && epoch.get() == begun) {
      String event = events.poll(50, TimeUnit.MILLISECONDS);
      if (event != null) {
        out.write((event + "\n").getBytes(UTF_8));
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
