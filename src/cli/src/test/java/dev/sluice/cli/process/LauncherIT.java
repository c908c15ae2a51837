package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The launcher, tested on a copy beside the packaged program, so that it never builds here. The
 * copy has no sources: only its own stamp says whether it is built.
 */
class LauncherIT {
  @TempDir Path folder;
  private Path root;
  private Path launcher;

  @BeforeEach
  void copy() throws IOException {
    root = Files.createDirectory(folder.resolve("a clone"));
    launcher = Files.copy(Path.of("..", "..", "sluice"), root.resolve("sluice"));
    link("src/cli/target/sluice", "sluice.jar");
    link("src/server/target/sluice", "sluice-server.jar");
    Files.createFile(root.resolve("src/cli/target/sluice/.built"));
  }

  /** The packaged program stands at the same place in the copy. */
  private void link(String place, String jar) throws IOException {
    Path copy = Files.createDirectories(root.resolve(place));
    Path built = Path.of("..", "..").resolve(place);
    Files.createSymbolicLink(copy.resolve(jar), built.resolve(jar).toRealPath());
    Files.createSymbolicLink(copy.resolve("lib"), built.resolve("lib").toRealPath());
  }

  @Test
  void startsTheRolesWithoutTheOfflineTools() throws Exception {
    Files.delete(root.resolve("src/cli/target/sluice/sluice.jar"));
    Files.delete(root.resolve("src/cli/target/sluice/lib"));

    for (String role : new String[] {"run", "serve", "schedule", "see"}) {
      Shell.Ran ran = Shell.run(jdk(), folder, launcher.toString(), role, "--help");

      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.out()).contains("sluice " + role);
    }
  }

  @Test
  void startsARoleFromOneJarWithItsLibraries() throws Exception {
    Path server = root.resolve("src/server/target/sluice");
    Files.delete(server.resolve("sluice-server.jar"));
    Files.delete(server.resolve("lib"));
    Path built = Path.of("..", "server", "target", "sluice", "sluice-server-whole.jar");
    Files.createSymbolicLink(server.resolve("sluice-server-whole.jar"), built.toRealPath());

    Shell.Ran ran = Shell.run(jdk(), folder, launcher.toString(), "serve", "--help");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("sluice serve");
  }

  @Test
  void worksFromAnyFolderAndThroughLinks() throws Exception {
    Path links = Files.createDirectory(folder.resolve("bin"));
    Path absolute = Files.createSymbolicLink(links.resolve("one"), launcher);
    Files.createSymbolicLink(links.resolve("two"), Path.of("one"));
    String path = links + ":" + System.getenv("PATH");

    assertVersion(Shell.run(jdk(), folder, launcher.toString(), "--version"));
    assertVersion(Shell.run(jdk(), folder, absolute.toString(), "--version"));
    assertVersion(Shell.run(jdk(), links, "bash", "./two", "--version"));
    assertVersion(
        Shell.run(
            Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home")),
            folder,
            "bash",
            "-c",
            "two --version"));
  }

  @ParameterizedTest
  @CsvSource({"src/see, true", "src/bench, false"})
  void buildsAgainAfterAChangeInAModuleOfTheProgram(String module, boolean builds)
      throws Exception {
    Files.writeString(root.resolve("pom.xml"), "  <module>" + module + "</module>\n");
    Files.createDirectories(root.resolve(module).resolve("src/main"));
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path mvn = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\necho ERROR no network; exit 1\n");
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    Path stamp = root.resolve("src/cli/target/sluice/.built");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().plusSeconds(60)));
    Files.setLastModifiedTime(
        root.resolve(module).resolve("src/main"), FileTime.from(Instant.now().plusSeconds(120)));

    Shell.Ran ran =
        Shell.run(
            Map.of(
                "PATH",
                bin + ":" + System.getenv("PATH"),
                "JAVA_HOME",
                System.getProperty("java.home")),
            folder,
            launcher.toString(),
            "--version");

    assertThat(ran.code()).as(ran.err()).isEqualTo(builds ? 1 : 0);
    assertThat(ran.err().contains("the build failed")).isEqualTo(builds);
  }

  @Test
  void isAPluginOfKubectl() throws Exception {
    Path bin = folder.resolve("bin");
    String install = "--install-plugin=" + bin;

    Shell.Ran installed = Shell.run(jdk(), folder, launcher.toString(), "completion", install);
    Shell.Ran again = Shell.run(jdk(), folder, launcher.toString(), "completion", install);
    Shell.Ran help =
        Shell.run(jdk(), folder, bin.resolve("kubectl-sluice").toString(), "queue", "--help");
    Shell.Ran completed =
        Shell.run(jdk(), folder, bin.resolve("kubectl_complete-sluice").toString(), "que");

    assertThat(installed.code()).as(installed.err()).isZero();
    assertThat(installed.out()).contains("Add " + bin + " to the PATH");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(help.out()).contains("Usage: kubectl sluice queue");
    assertThat(completed.out().lines()).containsExactly("queue", ":4");
  }

  @Test
  void isNoPluginInPlaceOfAFileOfSomebodyElse() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path other = Files.writeString(bin.resolve("kubectl-sluice"), "other");

    Shell.Ran ran =
        Shell.run(jdk(), folder, launcher.toString(), "completion", "--install-plugin=" + bin);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains(other + " is there and is not ours");
    assertThat(other).hasContent("other");
  }

  /** JUnit would warn of each link that leads out of the folder. */
  @AfterEach
  void unlink() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path link : files.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  private static void assertVersion(Shell.Ran ran) {
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).startsWith("sluice ").contains("Java ");
    assertThat(ran.err()).doesNotContain("Building");
  }

  @Test
  void saysWhatIsMissingToBuildWithoutMaven() throws Exception {
    Files.delete(root.resolve("src/cli/target/sluice/.built"));
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool :
        new String[] {"bash", "dirname", "readlink", "sed", "head", "find", "mkdir"}) {
      link(tools, tool);
    }

    Shell.Ran ran =
        Shell.run(
            Map.of("PATH", tools.toString(), "JAVA_HOME", System.getProperty("java.home")),
            folder,
            tools.resolve("bash").toString(),
            launcher.toString(),
            "--version");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Maven is needed to build Sluice");
  }

  private static void link(Path tools, String tool) throws IOException {
    for (String place : new String[] {"/usr/bin", "/bin"}) {
      if (Files.isExecutable(Path.of(place, tool))) {
        Files.createSymbolicLink(tools.resolve(tool), Path.of(place, tool));
        return;
      }
    }
  }

  private static Map<String, String> jdk() {
    return Map.of("JAVA_HOME", System.getProperty("java.home"));
  }
}
