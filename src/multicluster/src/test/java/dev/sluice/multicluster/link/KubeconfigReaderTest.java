package dev.sluice.multicluster.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.access.Target;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.multicluster.link.LinkSource.Usable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The first line of each file says in a comment what becomes of it: {@code accepted}, or the reason
 * and the message of the condition. Files without a comment are accepted.
 */
class KubeconfigReaderTest {
  private static final Path FOLDER = Path.of("src/test/resources/kubeconfigs");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  @Test
  void theCorpusIsThere() throws IOException {
    assertThat(files()).hasSizeGreaterThanOrEqualTo(40);
  }

  @ParameterizedTest
  @MethodSource("files")
  void aFileIsAcceptedOrRefusedAsItsFirstLineSays(Path file) throws IOException {
    String text = Files.readString(file);
    String expected =
        text.startsWith("# ") ? text.lines().findFirst().orElseThrow().substring(2) : "accepted";

    String actual =
        switch (KubeconfigReader.read(text.getBytes(UTF_8))) {
          case Usable _ -> "accepted";
          case Unusable(var reason, var message) -> reason + " " + message;
        };

    assertThat(actual).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("files")
  void noFileShowsASecretInWhatIsSaidOfIt(Path file) throws IOException {
    assertThat(KubeconfigReader.read(Files.readAllBytes(file)).toString())
        .doesNotContain("planted", "password");
  }

  private static Target target(String file) throws IOException {
    return ((Usable) KubeconfigReader.read(Files.readAllBytes(FOLDER.resolve(file)))).target();
  }

  @Test
  void whatStandsInAnAcceptedFileIsTaken() throws IOException {
    assertThat(target("accepted-token.yaml"))
        .isEqualTo(
            new Target(
                URI.create("https://10.0.0.1:6443"),
                "",
                "",
                "",
                new Target.Login("planted-token", "", "")));
    assertThat(target("accepted-authority-data.yaml").authorities())
        .isEqualTo("PEM of an authority");
    assertThat(target("accepted-client-certificate.yaml").login())
        .isEqualTo(new Target.Login("", "PEM of a certificate", "planted-key"));
    assertThat(target("accepted-server-name-and-proxy.yaml"))
        .extracting(Target::serverName, Target::proxy)
        .containsExactly("api.example.org", "http://proxy.example.org:3128");
    assertThat(target("accepted-path-and-slash.yaml").server())
        .isEqualTo(URI.create("https://api.example.org/clusters/one"));
    assertThat(target("accepted-json.json")).isEqualTo(target("accepted-token.yaml"));
  }

  @Test
  void aFileOfMoreThanAMebibyteIsRefused() {
    byte[] large = "#".repeat((1 << 20) + 1).getBytes(UTF_8);

    assertThat(KubeconfigReader.read(large))
        .isEqualTo(
            new Unusable(
                "InsecureKubeConfig",
                "load client config failed: failed to parse kubeconfig(apiconfig): is larger than"
                    + " 1048576 bytes"));
  }

  @Test
  void nestingWithoutEndAndBytesThatAreNoTextAreRefused() {
    String unreadable =
        "load client config failed: failed to parse kubeconfig(apiconfig): is neither YAML nor"
            + " JSON";

    assertThat(KubeconfigReader.read("[".repeat(100_000).getBytes(UTF_8)).toString())
        .contains(unreadable);
    assertThat(KubeconfigReader.read(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1}).toString())
        .contains(unreadable);
  }
}
