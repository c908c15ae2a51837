package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a package, and what is pinned of them. */
class DebianPackageTest {
  private static final DebianPackage CERTIFICATES =
      new DebianPackage("ca-certificates", "1", "pinned");

  @TempDir Path root;

  private void certificate(String name, String text) throws IOException {
    Path folder = root.resolve("usr/share/ca-certificates/mozilla");
    Files.writeString(Files.createDirectories(folder).resolve(name), text);
  }

  @Test
  void theContentDependsOnTheFilesAndNotOnTheirNames() throws IOException {
    certificate("a.crt", "one");
    certificate("b.crt", "two");
    String content = DebianPackage.contentOf(CERTIFICATES.files(root));

    certificate("a.crt", "two");
    certificate("b.crt", "one");

    assertThat(DebianPackage.contentOf(CERTIFICATES.files(root))).isEqualTo(content);
  }

  @Test
  void anotherFileIsAnotherContent() throws IOException {
    certificate("a.crt", "one");
    String content = DebianPackage.contentOf(CERTIFICATES.files(root));

    certificate("b.crt", "two");

    assertThat(DebianPackage.contentOf(CERTIFICATES.files(root))).isNotEqualTo(content);
  }

  @Test
  void aContentThatIsNotThePinnedOneIsRefusedWithBoth() {
    assertThatThrownBy(() -> DebianFiles.check(CERTIFICATES, "found"))
        .isInstanceOf(ImageException.class)
        .hasMessageContainingAll("ca-certificates 1", "found", "pinned");
    assertThatCode(() -> DebianFiles.check(CERTIFICATES, "pinned")).doesNotThrowAnyException();
  }
}
