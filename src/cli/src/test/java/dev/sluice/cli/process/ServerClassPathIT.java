package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.process.Shell.Ran;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged server: what a container needs, and nothing of the offline tools. */
class ServerClassPathIT {
  private static final Path JAR = Path.of("..", "server", "target", "sluice", "sluice-server.jar");

  private static List<String> libraries() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      String classPath = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return List.of(classPath.split(" "));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sluice-cli",
        "sluice-controlplane",
        "sluice-testkit",
        "cel",
        "protobuf",
        "antlr",
        "jline",
        "progressbar",
        "/compiler-",
        "/runtime-"
      })
  void hasNoLibraryOfTheOfflineTools(String library) throws IOException {
    assertThat(libraries()).hasSizeGreaterThan(20).noneMatch(jar -> jar.contains(library));
  }

  @Test
  void writesTheManifestsOfAnInstallation() throws Exception {
    Ran ran = run("install");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("kind: CustomResourceDefinition");
  }

  @Test
  void refusesACommandOfTheOfflineTools() throws Exception {
    Ran ran = run("simulate", "--help");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("simulate");
  }

  private Ran run(String... args) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        new ArrayList<>(List.of(java.toString(), "-jar", JAR.toRealPath().toString()));
    command.addAll(List.of(args));
    return Shell.run(new ProcessBuilder(command));
  }
}
