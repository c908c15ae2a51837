package dev.sluice.cli.migrate;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.Sluice;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.controlplane.ControlPlane;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Migration on a real control plane. {@code -Dsluice.migrate.objects=20000} makes the first test as
 * large as one likes.
 */
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // started before all tests
final class MigrateE2E {
  private static final int OBJECTS = Integer.getInteger("sluice.migrate.objects", 300);
  private static final JsonMapper JSON = new JsonMapper();
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);
  private static final int WRITERS = 8;
  private static final Duration READY = Duration.ofSeconds(20 + OBJECTS / 50);

  private Path folder;
  private DevCluster cluster;
  private ApiClient client;
  private Etcd etcd;
  private final Map<Long, Path> logs = new ConcurrentHashMap<>();

  @BeforeAll
  void start(@TempDir Path temporary) {
    folder = temporary;
    cluster =
        DevCluster.start(
            folder.resolve("cluster"),
            ControlPlane.Options.apiServer(),
            ServerOptions.DEFAULT.listeningOn(ANYWHERE, ANYWHERE),
            _ -> {});
    client = cluster.controlPlane().client();
    etcd = Etcd.of(cluster.controlPlane());
  }

  @BeforeEach
  void clear() {
    list(ApiKind.TOPOLOGY, ApiVersion.HUB);
    client.delete(collection(ApiKind.TOPOLOGY, ApiVersion.HUB)).orThrow();
  }

  @AfterAll
  void stop() {
    etcd.close();
    cluster.close();
  }

  @Test
  void movesEveryObjectThoughItIsKilledTwiceWhileOthersWriteAndDelete() throws Exception {
    ApiKind kind = ApiKind.COHORT;
    storeAt(kind, ApiVersion.V1ALPHA1);
    create(kind, OBJECTS, MigrateE2E::cohortOfAlpha);
    client.delete(path(kind, ApiVersion.V1BETA2, name(0))).orThrow(); // its finalizer holds it
    storeAt(kind, ApiVersion.HUB);
    Map<String, JsonNode> before = all(kind, ApiVersion.HUB);
    Map<String, JsonNode> alphaBefore = all(kind, ApiVersion.V1ALPHA1);
    assertThat(etcd.versions(kind).values()).containsOnly("kueue.x-k8s.io/v1alpha1");

    Path data = folder.resolve("killed");
    try (Others others = new Others(kind)) {
      killAfter(data, OBJECTS / 5);
      killAfter(data, OBJECTS / 2);
      assertThat(storedVersions(kind)).contains("v1alpha1");
      Process last = program(data, "--rate", "0");
      assertThat(last.waitFor(10, MINUTES)).isTrue();
      assertThat(last.exitValue()).as(output(last)).isZero();
      assertThat(output(last)).contains("going on after");

      others.stop();
      assertThat(storedVersions(kind)).containsExactly("v1beta2");
      assertThat(etcd.versions(kind).values()).containsOnly("kueue.x-k8s.io/v1beta2");
      Map<String, JsonNode> after = all(kind, ApiVersion.HUB);
      others.check(before, after);
      others.check(alphaBefore, all(kind, ApiVersion.V1ALPHA1));
    }
  }

  @Test
  void bearsAnApiServerThatRefusesFailsCutsOffAndForgets() {
    ApiKind kind = ApiKind.TOPOLOGY;
    storeAt(kind, ApiVersion.V1BETA1);
    create(kind, 60, MigrateE2E::topologyOfAlpha);
    storeAt(kind, ApiVersion.HUB);
    Map<String, JsonNode> before = all(kind, ApiVersion.HUB);
    AtomicInteger patches = new AtomicInteger();
    AtomicInteger lists = new AtomicInteger();
    AtomicBoolean crdWritten = new AtomicBoolean();

    try (Detour detour =
        Detour.to(client)
            .with(call -> call.startsWith("PATCH") ? trouble(patches.incrementAndGet()) : none())
            .with(
                call ->
                    call.contains("continue=") && lists.incrementAndGet() == 2 ? expired() : none())
            .with(
                call -> {
                  if (call.endsWith("/status") && crdWritten.compareAndSet(false, true)) {
                    annotate(kind); // so that the definition is no longer the one just read
                  }
                  return none();
                })) {
      Run run = migrate(detour.kubeconfig(folder), "--kind", "topologies", "--page-size", "16");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.tree().at("/kinds/0/rewritten").asInt()).isEqualTo(60);
      assertThat(run.err()).contains("goes on from its start, skipping what is done");
      assertThat(detour.calls().stream().filter(call -> call.endsWith("/status")).count())
          .isEqualTo(2);
    }
    assertThat(etcd.versions(kind).values()).containsOnly("kueue.x-k8s.io/v1beta2");
    assertThat(all(kind, ApiVersion.HUB)).isEqualTo(before);
    assertThat(storedVersions(kind)).containsExactly("v1beta2");
  }

  @Test
  void takesNothingOffWhenTheStorageVersionChangesOnTheWay() {
    ApiKind kind = ApiKind.TOPOLOGY;
    storeAt(kind, ApiVersion.V1ALPHA1);
    create(kind, 3, MigrateE2E::topologyOfAlpha);
    storeAt(kind, ApiVersion.HUB);
    AtomicBoolean changed = new AtomicBoolean();

    try (Detour detour =
        Detour.to(client)
            .with(
                call -> {
                  if (call.startsWith("PATCH") && changed.compareAndSet(false, true)) {
                    storeAt(kind, ApiVersion.V1BETA1);
                  }
                  return none();
                })) {
      Run run = migrate(detour.kubeconfig(folder), "--kind", "Topology");

      assertThat(run.code()).isEqualTo(1);
      assertThat(run.tree().at("/kinds/0/note").asText()).contains("became v1beta1 meanwhile");
      assertThat(detour.calls()).noneMatch(call -> call.endsWith("/status"));
    }
    assertThat(storedVersions(kind)).contains("v1alpha1", "v1beta1", "v1beta2");
  }

  @Test
  void saysInADryRunWhatItWouldDoAndWritesNothing() {
    ApiKind kind = ApiKind.TOPOLOGY;
    storeAt(kind, ApiVersion.V1ALPHA1);
    create(kind, 5, MigrateE2E::topologyOfAlpha);
    storeAt(kind, ApiVersion.HUB);
    Map<String, String> stored = etcd.versions(kind);

    Run run = migrate(cluster.controlPlane().kubeconfig(), "--dry-run", "--kind", "Topology");

    assertThat(run.code()).isZero();
    assertThat(run.tree().at("/kinds/0/outcome").asText()).isEqualTo("would migrate");
    assertThat(run.tree().at("/kinds/0/note").asText()).isEqualTo(stored.size() + " objects");
    assertThat(run.tree().at("/kinds/0/storedVersionsAfter").toString()).isEqualTo("[\"v1beta2\"]");
    assertThat(etcd.versions(kind)).isEqualTo(stored);
    assertThat(storedVersions(kind)).contains("v1alpha1");
  }

  @Test
  void namesWhatTheApiServerWouldNotStoreAndTriesOnlyThatTheNextTime() {
    ApiKind kind = ApiKind.TOPOLOGY;
    storeAt(kind, ApiVersion.V1ALPHA1);
    create(kind, 5, MigrateE2E::topologyOfAlpha);
    storeAt(kind, ApiVersion.HUB);
    AtomicBoolean refuses = new AtomicBoolean(true);

    try (Detour detour =
        Detour.to(client)
            .with(
                call ->
                    refuses.get() && call.contains("/" + name(3) + "?")
                        ? answer(422, "{\"kind\":\"Status\",\"message\":\"no such level\"}")
                        : none())) {
      Path kubeconfig = detour.kubeconfig(folder);

      Run first = migrate(kubeconfig, "--kind", "Topology");
      List<String> versions = storedVersions(kind);
      int calls = detour.calls().size();
      refuses.set(false);
      Run second = migrate(kubeconfig, "--kind", "Topology");

      assertThat(first.code()).isEqualTo(1);
      assertThat(first.tree().at("/kinds/0/failed").toString())
          .isEqualTo("[{\"object\":\"" + name(3) + "\",\"message\":\"no such level\"}]");
      assertThat(versions).contains("v1alpha1");
      assertThat(second.code()).isZero();
      assertThat(
              detour.calls().stream()
                  .skip(calls)
                  .filter(call -> call.startsWith("PATCH") && !call.contains("/status")))
          .hasSize(1)
          .first()
          .asString()
          .contains(name(3));
    }
    assertThat(storedVersions(kind)).containsExactly("v1beta2");
  }

  /** Some who write to, and delete, what is being migrated, at whatever version they like. */
  private final class Others implements AutoCloseable {
    private final ApiKind kind;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Map<String, String> written = new ConcurrentHashMap<>();
    private final Map<String, String> deleted = new ConcurrentHashMap<>();
    private final List<Future<?>> work;

    Others(ApiKind kind) {
      this.kind = kind;
      work = List.of(threads.submit(this::write), threads.submit(this::delete));
    }

    private void write() {
      for (int i = 0; !stopped.get(); i++) {
        String name = name(1 + i % WRITERS * (OBJECTS / WRITERS - 1));
        ApiVersion version = kind.versions().get(i % kind.versions().size());
        String patch = "{\"metadata\":{\"labels\":{\"count\":\"n%d\"}}}".formatted(i);
        client.mergePatch(path(kind, version, name), patch).orThrow();
        written.put(name, "n" + i);
        String made = "made-" + i;
        if (i % 10 == 0) {
          client.create(collection(kind, ApiVersion.V1ALPHA1), cohortOfAlpha(made, 1)).orThrow();
          written.put(made, "");
        }
      }
    }

    private void delete() {
      for (int i = 2; i < OBJECTS && !stopped.get(); i += 11) {
        String name = name(i);
        if (i % WRITERS != 0 && !isWritersObject(i)) {
          client.delete(path(kind, ApiVersion.V1BETA1, name)).orThrow();
          deleted.put(name, name);
        }
        await().pollDelay(Duration.ofMillis(100)).until(() -> true);
      }
    }

    private boolean isWritersObject(int number) {
      return (number - 1) % (OBJECTS / WRITERS - 1) == 0;
    }

    void stop() throws Exception {
      stopped.set(true);
      for (Future<?> each : work) {
        each.get(30, SECONDS);
      }
    }

    /** Nothing but what was deleted is missing, nothing but what was written differs. */
    void check(Map<String, JsonNode> before, Map<String, JsonNode> after) {
      assertThat(written.size()).isGreaterThan(WRITERS);
      assertThat(deleted).isNotEmpty();
      Map<String, JsonNode> expected = new TreeMap<>(before);
      deleted.keySet().forEach(expected::remove);
      assertThat(after.keySet())
          .containsAll(expected.keySet())
          .doesNotContainAnyElementsOf(deleted.keySet());
      for (Map.Entry<String, JsonNode> entry : expected.entrySet()) {
        JsonNode now = requireNonNull(after.get(entry.getKey()));
        String count = written.get(entry.getKey());
        if (count == null) {
          assertThat(now).isEqualTo(entry.getValue());
        } else {
          assertThat(now.at("/metadata/uid")).isEqualTo(entry.getValue().at("/metadata/uid"));
          assertThat(now.path("spec")).isEqualTo(entry.getValue().path("spec"));
          assertThat(now.at("/metadata/labels/count").asText()).isEqualTo(count);
        }
      }
      written.keySet().forEach(name -> assertThat(after).containsKey(name));
    }

    @Override
    public void close() {
      stopped.set(true);
      threads.close();
    }
  }

  private void killAfter(Path data, int objects) throws Exception {
    int rate = Math.max(OBJECTS / 2, 50);
    Process process = program(data, "--rate", String.valueOf(rate));
    await().atMost(Duration.ofMinutes(5)).until(() -> seen(data) >= objects);
    process.destroyForcibly().waitFor(10, SECONDS);
    assertThat(process.exitValue()).as(output(process)).isEqualTo(137);
  }

  private static long seen(Path data) throws IOException {
    try (Stream<Path> files = Files.exists(data) ? Files.walk(data) : Stream.empty()) {
      Optional<Path> file = files.filter(path -> path.endsWith("cohorts.json")).findFirst();
      return file.isPresent()
          ? JSON.readTree(file.get().toFile()).at("/counts/rewritten").asLong()
          : 0;
    }
  }

  /** The packaged program, as a process of its own. */
  private Process program(Path data, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Path.of("target", "sluice", "sluice.jar").toString(),
                "migrate",
                "--kind=Cohort",
                "--settle=1s",
                "--page-size=20",
                "--data=" + data,
                "--kubeconfig=" + cluster.controlPlane().kubeconfig()));
    command.addAll(List.of(more));
    Path log = Files.createTempFile(folder, "migrate", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    logs.put(process.pid(), log);
    return process;
  }

  private String output(Process process) throws IOException {
    return Files.readString(requireNonNull(logs.get(process.pid())));
  }

  private record Run(int code, String out, String err) {
    JsonNode tree() {
      try {
        return JSON.readTree(out);
      } catch (IOException e) {
        throw new AssertionError(out + err, e);
      }
    }
  }

  private Run migrate(Path kubeconfig, String... more) {
    CommandLine command = Sluice.commandLine();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "migrate",
                "--settle=1s",
                "--data=" + folder.resolve("data"),
                "--kubeconfig=" + kubeconfig,
                "-o=json"));
    arguments.addAll(List.of(more));
    int code = command.execute(arguments.toArray(String[]::new));
    return new Run(code, out.toString(), err.toString());
  }

  /** Changes the version at which a kind is stored, and returns when the API server does so. */
  private void storeAt(ApiKind kind, ApiVersion version) {
    String path = definition(kind);
    ObjectNode crd = (ObjectNode) client.get(path).orThrow().json();
    for (JsonNode each : crd.at("/spec/versions")) {
      ((ObjectNode) each).put("storage", each.path("name").asText().equals(version.text()));
    }
    client.put(path, crd.toString()).orThrow();
    String probe = "probe-of-storage";
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              client.delete(path(kind, ApiVersion.HUB, probe));
              String body =
                  kind == ApiKind.COHORT ? cohortOfAlpha(probe, 1) : topologyOfAlpha(probe, 1);
              client.create(collection(kind, ApiVersion.V1ALPHA1), body).orThrow();
              return etcd.versions(kind).entrySet().stream()
                  .anyMatch(
                      entry ->
                          entry.getKey().endsWith("/" + probe)
                              && entry.getValue().equals(version.groupVersion()));
            });
    client.delete(path(kind, ApiVersion.HUB, probe)).orThrow();
  }

  private void annotate(ApiKind kind) {
    client
        .mergePatch(definition(kind), "{\"metadata\":{\"annotations\":{\"touched\":\"yes\"}}}")
        .orThrow();
  }

  private List<String> storedVersions(ApiKind kind) {
    List<String> versions = new ArrayList<>();
    client
        .get(definition(kind))
        .json()
        .at("/status/storedVersions")
        .forEach(version -> versions.add(version.asText()));
    return versions;
  }

  private interface Body {
    String of(String name, int number);
  }

  private void create(ApiKind kind, int count, Body body) {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < count; i++) {
        int number = i;
        var _ =
            threads.submit(
                () ->
                    client.create(
                        collection(kind, ApiVersion.V1ALPHA1), body.of(name(number), number)));
      }
    }
    assertThat(all(kind, ApiVersion.HUB)).hasSizeGreaterThanOrEqualTo(count);
  }

  private static String cohortOfAlpha(String name, int number) {
    String finalizers = number == 0 ? "\"finalizers\":[\"example.org/kept\"]," : "";
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Cohort","metadata":{%s"name":"%s"},
    "spec":{"parent":"parent-%d","resourceGroups":[{"coveredResources":["cpu"],"flavors":[
    {"name":"f","resources":[{"name":"cpu","nominalQuota":%d,"borrowingLimit":"1000m"}]}]}]}}\
    """
        .formatted(finalizers, name, number, number);
  }

  private static String topologyOfAlpha(String name, int number) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Topology","metadata":{"name":"%s"},
    "spec":{"levels":[{"nodeLabel":"example.org/l%d"},{"nodeLabel":"kubernetes.io/hostname"}]}}\
    """
        .formatted(name, number);
  }

  /** Every object of a kind as it reads at a version, by name, without its resourceVersion. */
  private Map<String, JsonNode> all(ApiKind kind, ApiVersion version) {
    Map<String, JsonNode> objects = new TreeMap<>();
    for (JsonNode item : list(kind, version).path("items")) {
      ((ObjectNode) item.path("metadata")).remove("resourceVersion");
      objects.put(item.at("/metadata/name").asText(), item);
    }
    return objects;
  }

  /** The API server reads and converts everything anew after a definition was changed. */
  private JsonNode list(ApiKind kind, ApiVersion version) {
    return client.await(collection(kind, version), READY, _ -> true).json();
  }

  private static String name(int number) {
    return "object-%05d".formatted(number);
  }

  private static String definition(ApiKind kind) {
    return "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + kind.crdName();
  }

  private static String collection(ApiKind kind, ApiVersion version) {
    return "/apis/" + version.groupVersion() + "/" + kind.plural();
  }

  private static String path(ApiKind kind, ApiVersion version, String name) {
    return collection(kind, version) + "/" + name;
  }

  private static Optional<Detour.Answer> none() {
    return Optional.empty();
  }

  private static Optional<Detour.Answer> answer(int status, String body) {
    return Optional.of(new Detour.Answer(status, Map.of(), body));
  }

  private static Optional<Detour.Answer> expired() {
    return answer(410, "{\"kind\":\"Status\",\"metadata\":{},\"reason\":\"Expired\"}");
  }

  /** Of twenty writes, four go wrong, each in its own way. */
  private static Optional<Detour.Answer> trouble(int number) {
    return switch (number % 20) {
      case 3 -> Optional.of(new Detour.Answer(429, Map.of("Retry-After", "1"), ""));
      case 7 -> answer(500, "{\"kind\":\"Status\",\"message\":\"something broke\"}");
      case 11 -> answer(0, "");
      case 15 -> answer(409, "{\"kind\":\"Status\",\"reason\":\"Conflict\"}");
      default -> none();
    };
  }
}
