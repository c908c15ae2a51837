package dev.sluice.cli.installed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Helm's and kustomize's own libraries in a small program, which Go builds the first time, into the
 * cache that the binaries of the control plane are in.
 */
final class Renderer {
  private static final List<String> SOURCES = List.of("go.mod", "go.sum", "main.go");
  private static final int BUILD_MINUTES = 40;
  private static final int RENDER_MINUTES = 2;

  private final Path program;

  /**
   * What a program made.
   *
   * @param text what it printed, its errors included
   */
  record Rendered(int code, String text) {}

  private Renderer(Path program) {
    this.program = program;
  }

  /** Builds it where that was not done. Without Go, a test is given up, and in CI it fails. */
  static Renderer obtain() throws Exception {
    Path folder = cache().resolve("render").resolve(digest());
    Path program = folder.resolve("render");
    if (!Files.isExecutable(program)) {
      Optional<Path> go = go();
      if (System.getenv("CI") == null) {
        assumeThat(go).as("Go renders the chart and the kustomize base").isPresent();
      }
      assertThat(go).as("Go, to render the chart and the kustomize base").isPresent();
      build(go.orElseThrow(), folder, program);
    }
    return new Renderer(program);
  }

  private static void build(Path go, Path folder, Path program) throws Exception {
    Files.createDirectories(folder);
    for (String source : SOURCES) {
      Files.write(folder.resolve(source), source(source));
    }
    Path draft = Files.createTempFile(folder, "render", ".draft");
    Rendered built =
        run(
            folder,
            BUILD_MINUTES,
            List.of(
                go.toString(),
                "build",
                "-trimpath",
                "-ldflags",
                "-s -w",
                "-o",
                draft.toString(),
                "."));
    assertThat(built.code()).as(built.text()).isZero();
    Files.move(draft, program, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path cache() {
    Map<String, String> environment = System.getenv();
    return Stream.of(
            Optional.ofNullable(environment.get("SLUICE_CACHE")).map(Path::of),
            Optional.ofNullable(environment.get("XDG_CACHE_HOME")).map(it -> Path.of(it, "sluice")))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(Path.of(System.getProperty("user.home"), ".cache", "sluice"));
  }

  private static Optional<Path> go() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry, "go"))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private static byte[] source(String name) throws IOException {
    try (InputStream stream = Renderer.class.getResourceAsStream("/render/" + name)) {
      return requireNonNull(stream, name).readAllBytes();
    }
  }

  private static String digest() throws Exception {
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    for (String source : SOURCES) {
      sha.update(source(source));
    }
    return HexFormat.of().formatHex(sha.digest(), 0, 8);
  }

  /** What Helm makes of a chart with these values, as {@code helm template} prints it. */
  Rendered helm(Path chart, String values, String namespace) throws Exception {
    return helm("helm", chart, values, namespace);
  }

  /** What Helm prints after an installation. */
  Rendered notes(Path chart, String values) throws Exception {
    return helm("notes", chart, values, "sluice-system");
  }

  private Rendered helm(String what, Path chart, String values, String namespace) throws Exception {
    Path file = Files.writeString(Files.createTempFile("values", ".yaml"), values);
    try {
      return run(
          chart,
          RENDER_MINUTES,
          List.of(program.toString(), what, chart.toString(), file.toString(), namespace));
    } finally {
      Files.delete(file);
    }
  }

  /** What kustomize makes of a folder. */
  Rendered kustomize(Path folder) throws Exception {
    return run(folder, RENDER_MINUTES, List.of(program.toString(), "kustomize", folder.toString()));
  }

  private static Rendered run(Path folder, int minutes, List<String> command) throws Exception {
    Path output = Files.createTempFile("render", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(Map.of("CGO_ENABLED", "0", "GOWORK", "off"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(minutes, TimeUnit.MINUTES)).as("%s", command).isTrue();
      return new Rendered(process.exitValue(), Files.readString(output, UTF_8));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
