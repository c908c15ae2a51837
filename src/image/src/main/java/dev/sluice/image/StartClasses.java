package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes that the roles load until they answer, in the JVM's class list format. Two starts can
 * load slightly different classes. So the list is recorded on demand and kept with the sources, and
 * all builds of one commit use the same list.
 *
 * <p>Constants stand behind all classes: the JVM resolves those of a class, its call sites above
 * all, only if it has read the class before.
 */
final class StartClasses {
  private static final String CONSTANTS = "@cp ";
  private static final String LAMBDA = "@lambda-proxy ";

  /** Classes that read the command line, once: they would take 1.4 MB of the archive. */
  private static final Pattern COMMAND_LINE = Pattern.compile("(@cp )?picocli/");

  private static final String RESOURCE = "start.classes";
  private static final Comparator<String> CONSTANTS_LAST =
      Comparator.comparing((String line) -> line.startsWith(CONSTANTS))
          .thenComparing(Comparator.naturalOrder());
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private StartClasses() {}

  /** The list that is kept with the sources. */
  static SortedSet<String> kept() throws IOException {
    try (InputStream in = StartClasses.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new ImageException(RESOURCE + ": not among our resources (expected: a class list)");
      }
      NavigableSet<String> kept = new TreeSet<>(CONSTANTS_LAST);
      new String(in.readAllBytes(), UTF_8).lines().forEach(kept::add);
      return kept;
    }
  }

  /** Starts both roles with an empty cluster and returns what they loaded. */
  static SortedSet<String> record(Path java, Path programJar, Path work) throws IOException {
    List<String> lines = new ArrayList<>();
    try (RehearsalApi api = RehearsalApi.start()) {
      Path kubeconfig = Files.writeString(work.resolve("kubeconfig"), api.kubeconfig());
      for (Role role : Role.values()) {
        Path list = work.resolve(role.command() + ".list");
        rehearse(role, java, programJar, kubeconfig, list, work);
        lines.addAll(Files.readAllLines(list));
      }
    }
    return merged(lines);
  }

  /**
   * The lines of several lists as those of one: classes, what is made for them, and one line for
   * each class whose constants were resolved. Ids are left out, which differ from run to run,
   * lambdas, which the JVM makes of the constants, and the classes of picocli.
   */
  static SortedSet<String> merged(List<String> lines) {
    SortedSet<String> merged = new TreeSet<>(CONSTANTS_LAST);
    Map<String, NavigableSet<Integer>> constants = new TreeMap<>();
    for (String line : lines) {
      if (COMMAND_LINE.matcher(line).lookingAt()) {
        continue;
      }
      if (line.startsWith(CONSTANTS)) {
        String[] words = line.substring(CONSTANTS.length()).split(" ", -1);
        NavigableSet<Integer> ofClass = constants.computeIfAbsent(words[0], _ -> new TreeSet<>());
        Stream.of(words).skip(1).map(Integer::valueOf).forEach(ofClass::add);
      } else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith(LAMBDA)) {
        merged.add(line.replaceFirst(" id:.*", ""));
      }
    }
    constants.forEach(
        (name, indexes) ->
            merged.add(
                CONSTANTS
                    + name
                    + indexes.stream().map(it -> " " + it).collect(Collectors.joining())));
    return merged;
  }

  private static void rehearse(
      Role role, Path java, Path programJar, Path kubeconfig, Path list, Path work)
      throws IOException {
    int port = freePort();
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(role.options());
    command.addAll(
        List.of(
            "-Xshare:off",
            "-XX:DumpLoadedClassList=" + list,
            "-jar",
            programJar.toString(),
            role.command(),
            "--kubeconfig=" + kubeconfig,
            "--http-port=" + port));
    if (role == Role.SERVE) {
      Path data = work.resolve("data");
      command.addAll(List.of("--host=127.0.0.1", "--port=0", "--data=" + data, "--warm-up=0s"));
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(work.resolve(role.command() + ".log").toFile())
            .start();
    try {
      awaitAnswer(role, process, port);
      process.destroy();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new ImageException("the rehearsal of %s does not stop".formatted(role.command()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageException("the rehearsal was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void awaitAnswer(Role role, Process process, int port)
      throws InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/healthz"))
              .timeout(PATIENCE)
              .build();
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!isGood(client, request)) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw new ImageException(
              "the rehearsal of %s does not answer (expected: within %d s)"
                  .formatted(role.command(), PATIENCE.toSeconds()));
        }
        pause(PAUSE);
      }
    }
  }

  private static boolean isGood(HttpClient client, HttpRequest request)
      throws InterruptedException {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  private static void pause(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }
}
