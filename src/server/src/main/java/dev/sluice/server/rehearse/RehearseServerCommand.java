package dev.sluice.server.rehearse;

import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.rules.ReviewContext;
import dev.sluice.server.schedule.ScheduleCommand;
import dev.sluice.server.serve.ServeCommand;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.WebhookServer;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Starts roles and ends; run by the launcher to record the JVM's ahead-of-time caches. The
 * scheduler has a cache of its own: with its classes, that of the server would take more memory.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Starts a server once, for a start-up cache.")
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class RehearseServerCommand implements Callable<Integer> {
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 50;

  static final String UNFINISHED = "The rehearsal ends before all of its Jobs have ended.";

  /** Enough for the methods of a Job's whole way to be hot. */
  private static final int JOBS = 400;

  private static final Duration LONGEST_FLOW = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Option(names = "--scheduler", description = "The scheduler, in place of the server.")
  private boolean scheduler;

  @Option(
      names = "--cluster",
      paramLabel = "DIR",
      description = "Be the cluster of a rehearsal, until standard input ends.")
  private @Nullable Path cluster;

  @Option(
      names = "--jobs",
      defaultValue = "0",
      description = "How many Jobs to let flow through that cluster.")
  private int jobs;

  @Override
  public Integer call() throws IOException {
    if (cluster != null) {
      RehearsalCluster.serve(cluster, jobs, System.in);
      return 0;
    }
    Path folder = Files.createTempDirectory("sluice-rehearse");
    // the role ends when this process does, and needs its files until then
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "rehearsal-files"));
    if (!scheduler) {
      serve(folder); // makes a certificate
      serve(folder); // finds it
    }
    try (RehearsalProcess process =
        RehearsalProcess.start(
            Files.createDirectory(folder.resolve("cluster")), scheduler ? JOBS : 0)) {
      int port = freePort();
      List<String> args = new ArrayList<>();
      args.add("--kubeconfig=" + process.kubeconfig());
      args.add("--http-port=" + port);
      if (scheduler) {
        play(new ScheduleCommand(), args);
      } else {
        args.addAll(
            List.of(
                "--host=127.0.0.1",
                "--port=0",
                "--data=" + folder.resolve("data"),
                "--warm-up=0s",
                "--drain-delay=0s"));
        play(new ServeCommand(), args);
      }
      awaitReady(port);
      if (scheduler && !process.awaitJobs(LONGEST_FLOW)) {
        spec.commandLine().getErr().println(UNFINISHED);
      }
    }
    return 0;
  }

  private static void serve(Path folder) {
    CertificateFolder certificates =
        CertificateFolder.open(
            folder.resolve("certs"),
            List.of("localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    try (WebhookServer server =
        WebhookServer.start(
            ServerOptions.builder().listeningOn(ANYWHERE, ANYWHERE).build(),
            certificates,
            ReviewContext.UNKNOWN)) {
      server.checkCertificate();
      server.awaitWarmUp(); // has the methods that reviews need compiled
    }
  }

  /** Starts a role on a thread of its own. */
  private static void play(Callable<Integer> role, List<String> args) {
    CommandLine command = new CommandLine(role);
    Thread.ofPlatform()
        .name("rehearsal")
        .daemon()
        .start(() -> command.execute(args.toArray(String[]::new)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitReady(int port) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
    long end = System.nanoTime() + LONGEST_START.toNanos();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!isReady(client, request)) {
        if (System.nanoTime() - end > 0) {
          throw new IOException("the role of the rehearsal does not become ready");
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static boolean isReady(HttpClient client, HttpRequest request)
      throws InterruptedException {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) { // it does not listen yet
      return false;
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) { // a folder of small files stays among the temporary ones
    }
  }
}
