package dev.sluice.manifests.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerateTest {

  private static final Path KINDS = Path.of("src/kinds");
  private static final Path CRDS = Path.of("crds");

  @Test
  void theCommittedDefinitionsAreUpToDate() throws IOException {
    assertThat(read(CRDS))
        .as("mvn -q -pl manifests -am process-classes -Dgenerate")
        .isEqualTo(new Generate(KINDS).files());
  }

  @Test
  void writesTheSameBytesEachTimeAndRemovesWhatIsNoMore(@TempDir Path target) throws IOException {
    Files.writeString(target.resolve("kueue.x-k8s.io_formers.yaml"), "kind: Former");

    Generate.main(new String[] {KINDS.toString(), target.toString()});
    Map<String, String> first = read(target);
    Generate.main(new String[] {KINDS.toString(), target.toString()});

    assertThat(first).isEqualTo(read(CRDS)).isEqualTo(read(target));
  }

  @Test
  void everyFileSaysWhatItIsMadeFromAndHow() throws IOException {
    assertThat(new Generate(KINDS).files())
        .allSatisfy(
            (name, text) ->
                assertThat(text)
                    .startsWith(
                        "# Generated from manifests/src/kinds/"
                            + name.substring(name.indexOf('_') + 1))
                    .contains("mvn -q -pl manifests -am process-classes -Dgenerate"));
  }

  @Test
  void aMistakeInAKindFileIsReportedWithTheFile(@TempDir Path kinds) throws IOException {
    Files.createDirectory(kinds.resolve("definitions"));
    Files.writeString(kinds.resolve("things.yaml"), "kind: Thing\nplurals: things\n");

    assertThatThrownBy(() -> new Generate(kinds).files())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("things.yaml: plurals (expected: one of");
  }

  private static Map<String, String> read(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (var found = Files.newDirectoryStream(folder)) {
      for (Path file : found) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return files;
  }
}
