package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.BINARY_MISSING;
import static dev.sluice.controlplane.ControlPlaneException.Reason.BUILD_FAILED;
import static dev.sluice.controlplane.ControlPlaneException.Reason.GO_MISSING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.controlplane.ControlPlane.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {
  private static final Set<Part> ETCD = Set.of(Part.ETCD);
  private static final Set<Part> BOTH = Set.of(Part.ETCD, Part.KUBE_APISERVER);

  @TempDir Path home;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @Test
  void takesTheNamedFolderWhenItHoldsAll() throws IOException {
    program("assets/etcd", "");
    program("assets/kube-apiserver", "");
    var binaries = binaries(Map.of("KUBEBUILDER_ASSETS", home.resolve("assets").toString()));

    assertThat(binaries.obtain(BOTH)).isEqualTo(home.resolve("assets"));
    assertThat(binaries.obstacle(BOTH)).isEmpty();
  }

  @Test
  void namesWhatTheNamedFolderLacks() throws IOException {
    program("assets/etcd", "");
    var binaries = binaries(Map.of("KUBEBUILDER_ASSETS", home.resolve("assets").toString()));

    assertThatThrownBy(() -> binaries.obtain(BOTH))
        .hasMessage(
            "KUBEBUILDER_ASSETS names %s, which does not hold kube-apiserver",
            home.resolve("assets"))
        .extracting("reason")
        .isEqualTo(BINARY_MISSING);
  }

  @Test
  void saysWhatToInstallWhereThereIsNeitherGoNorABinary() throws IOException {
    Files.createDirectory(home.resolve("bin"));
    var binaries = onlyWithPath(home.resolve("bin"));

    assertThat(binaries.obstacle(ETCD))
        .hasValueSatisfying(it -> assertThat(it).startsWith("install Go 1.26 or newer"));
    assertThatThrownBy(() -> binaries.obtain(ETCD))
        .hasMessageEndingWith("a folder that holds etcd: a control plane needs them")
        .extracting("reason")
        .isEqualTo(GO_MISSING);
  }

  @Test
  void buildsWhatIsAskedForIntoTheCacheOnceAndNothingElse() throws IOException {
    var binaries = withGo("echo x >> \"$HOME_OF_TEST/calls\"; cp /bin/sh \"$6\"");

    Path first = binaries.obtain(ETCD);
    Path second = binaries.obtain(ETCD);

    assertThat(first).isEqualTo(second).startsWith(home.resolve("cache/control-plane"));
    assertThat(first.resolve("etcd")).isExecutable();
    assertThat(first.resolve("go.mod")).content().startsWith("module controlplane");
    assertThat(first.resolve("kube-apiserver")).doesNotExist();
    assertThat(home.resolve("calls")).hasContent("x");
    assertThat(said.toString(UTF_8))
        .startsWith("building etcd (1 of 1), usually about 10 seconds on two cores, 0:00 elapsed");
  }

  @Test
  void aFailedBuildTellsItsLastWordsAndLeavesNothingThatLooksLikeABinary() throws IOException {
    var binaries = withGo("echo half > \"$6\"; echo 'no such module' >&2; exit 3");

    var failure = catchThrowableOfType(ControlPlaneException.class, () -> binaries.obtain(ETCD));

    assertThat(failure.reason()).isEqualTo(BUILD_FAILED);
    assertThat(failure).hasMessageContainingAll("cannot build etcd", "no such module");
    assertThat(binaries.obstacle(ETCD)).isEmpty();
    try (var cached = Files.walk(home.resolve("cache"))) {
      assertThat(cached.map(path -> path.getFileName().toString())).doesNotContain("etcd");
    }
  }

  private Binaries withGo(String script) throws IOException {
    program("bin/go", script.replace("$HOME_OF_TEST", home.toString()));
    return onlyWithPath(home.resolve("bin"));
  }

  private Binaries onlyWithPath(Path folder) {
    return binaries(
        Map.of("PATH", folder.toString(), "SLUICE_CACHE", home.resolve("cache").toString()));
  }

  private Binaries binaries(Map<String, String> environment) {
    return new Binaries(environment, home, new Progress(new PrintStream(said, true, UTF_8), false));
  }

  private void program(String path, String script) throws IOException {
    Path file = home.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
