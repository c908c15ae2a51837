package dev.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.cli.process.Shell;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The image, built twice of the packaged server, unpacked and run as a container runs it. */
@FullTier
@TestInstance(Lifecycle.PER_CLASS) // building takes long
class ImageIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Path PROGRAM = Path.of("..", "server", "target", "sluice").toAbsolutePath();
  private static final Path DEPLOYMENT =
      Path.of("..", "..", "manifests", "deploy", "webhook.yaml").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The memory limit of a container; and the file of linked classes has to be usable. */
  private static final String OPTIONS = "-XX:MaxRAM=512m -Xshare:on";

  /** The goal, 120 MB, and what a runtime of another release of the JDK may add. */
  private static final long MOST_UNPACKED = 122_000_000;

  @TempDir static Path folder;
  private Path archive;
  private JsonNode report;
  private UnpackedImage image;

  @BeforeAll
  void build() throws Exception {
    archive = folder.resolve("image.tar");
    report = build(archive);
    image = UnpackedImage.of(archive, Files.createDirectories(folder.resolve("unpacked")));
  }

  private static JsonNode build(Path archive, String... more) throws IOException {
    assertThat(PROGRAM.resolve("sluice-server.jar")).as("packaged before this test").exists();
    List<String> args =
        new ArrayList<>(
            List.of(
                "image",
                "--application=" + PROGRAM,
                "--output-file=" + archive,
                "--base=installed",
                "--output=json"));
    args.addAll(List.of(more));
    Ran ran = Commands.run(args.toArray(String[]::new));
    assertThat(ran.code()).as(ran.err()).isZero();
    return JSON.readTree(ran.out());
  }

  @Test
  void aSecondBuildHasTheSameBytes() throws IOException {
    Path second = folder.resolve("second.tar");

    JsonNode again = build(second);

    assertThat(again.path("digest")).isEqualTo(report.path("digest"));
    assertThat(second).hasSameBinaryContentAs(archive);
    assertThat(Path.of(second + ".provenance.json"))
        .hasSameTextualContentAs(Path.of(archive + ".provenance.json"));
    assertThat(Path.of(second + ".cdx.json"))
        .hasSameTextualContentAs(Path.of(archive + ".cdx.json"));
  }

  @Test
  void withoutLinkedClassesIsSmaller() throws IOException {
    JsonNode smaller = build(folder.resolve("smaller.tar"), "--no-aot");

    assertThat(smaller.path("unpackedBytes").asLong())
        .isBetween(1L, report.path("unpackedBytes").asLong() - 1);
  }

  @Test
  void hasTheNameThatTheDeploymentUses() throws IOException {
    Path index = folder.resolve("unpacked").resolve("layout").resolve("index.json");

    String name =
        JSON.readTree(index.toFile())
            .at("/manifests/0/annotations/org.opencontainers.image.ref.name")
            .asText();

    assertThat(Files.readAllLines(DEPLOYMENT)).contains("          image: " + name);
  }

  @Test
  void isSmallAndHasNoShell() throws IOException {
    assertThat(report.path("unpackedBytes").asLong()).isBetween(1L, MOST_UNPACKED);
    assertThat(image.files())
        .contains("opt/sluice/runtime/bin/java", "etc/ssl/certs/ca-certificates.crt")
        .noneMatch(file -> file.matches(".*/(sh|bash|dash|busybox|keytool)"));
    assertThat(image.configuration().path("User").asText()).isEqualTo("65532:65532");
  }

  @Test
  void theServerGetsReadyInAReadOnlyRootOfItsOwn() throws Exception {
    int port = Ports.free();
    Path log = folder.resolve("serve.log");
    long began = System.nanoTime();
    Process process =
        image.start(
            entryPoint("serve"),
            OPTIONS,
            log,
            "serve",
            "--no-inject",
            "--no-view",
            "--data=" + image.data(),
            "--host=127.0.0.1",
            "--port=" + Ports.free(),
            "--http-port=" + port);
    try {
      awaitPage(process, port, "/healthz");
      long answered = System.nanoTime();
      awaitPage(process, port, "/readyz");
      System.out.printf(
          "serve of the image: first answer after %d ms, ready after %d ms; %.1f MB unpacked%n",
          Duration.ofNanos(answered - began).toMillis(),
          Duration.ofNanos(System.nanoTime() - began).toMillis(),
          report.path("unpackedBytes").asLong() / 1e6);
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void awaitPage(Process process, int port, String page) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> !process.isAlive() || isGood(port, page));
  }

  private static boolean isGood(int port, String page) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + page))
            .timeout(PATIENCE)
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void theSchedulerExplainsItself() throws Exception {
    Path log = folder.resolve("schedule.log");

    Process process = image.start(entryPoint("schedule"), OPTIONS, log, "schedule", "--help");

    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(Files.readString(log)).contains("sluice schedule", "--leader-elect");
  }

  /** How the container of that role is started: as the Deployment says, or else as the image. */
  private List<String> entryPoint(String role) throws IOException {
    List<String> entryPoint = new ArrayList<>();
    image.configuration().path("Entrypoint").forEach(part -> entryPoint.add(part.asText()));
    if (role.equals("schedule")) {
      Files.readAllLines(DEPLOYMENT).stream()
          .filter(line -> line.strip().startsWith("command: ["))
          .map(line -> line.replaceAll("^.*\\[|\\].*$|\"", "").split(", ", -1))
          .findFirst()
          .ifPresent(
              command -> {
                entryPoint.clear();
                entryPoint.addAll(List.of(command));
              });
      assertThat(entryPoint.getLast()).endsWith("schedule.options");
    }
    return entryPoint;
  }

  @Test
  void everyJarIsInTheBillOfMaterials() throws IOException {
    JsonNode bill = JSON.readTree(Path.of(archive + ".cdx.json").toFile());
    List<String> names = new ArrayList<>();
    bill.path("components")
        .forEach(
            it -> names.add(it.path("name").asText() + "-" + it.path("version").asText() + ".jar"));

    try (Stream<Path> jars = Files.list(PROGRAM.resolve("lib"))) {
      assertThat(jars.map(it -> it.getFileName().toString()).toList())
          .hasSizeGreaterThan(20)
          .allSatisfy(jar -> assertThat(names).contains(jar));
    }
    assertThat(bill.findValuesAsText("name"))
        .contains("libc6", "ca-certificates", "OpenJDK", "preact", "htm", "js-yaml");
  }

  @Test
  void theProvenanceIsAboutThisImage() throws IOException {
    JsonNode statement = JSON.readTree(Path.of(archive + ".provenance.json").toFile());

    assertThat("sha256:" + statement.at("/subject/0/digest/sha256").asText())
        .isEqualTo(report.path("digest").asText());
    assertThat(statement.path("predicateType").asText())
        .isEqualTo("https://slsa.dev/provenance/v1");
  }

  @Test
  void otherToolsReadTheArchive() throws Exception {
    if (!Shell.has("skopeo")) {
      System.out.println(
          "skopeo is not installed here: the layout is checked by our own tests only");
      return;
    }
    Shell.Ran ran = Shell.run(Map.of(), folder, "skopeo", "inspect", "oci-archive:" + archive);

    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode inspected = JSON.readTree(ran.out());
    assertThat(inspected.path("Digest")).isEqualTo(report.path("digest"));
    assertThat(inspected.path("Architecture").asText()).isEqualTo("amd64");
    assertThat(inspected.path("Layers")).hasSameSizeAs(report.path("layers"));
  }
}
