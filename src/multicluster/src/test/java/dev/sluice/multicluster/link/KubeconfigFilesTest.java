package dev.sluice.multicluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.multicluster.link.LinkSource.Usable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigFilesTest {
  private static final Path GOOD = Path.of("src/test/resources/kubeconfigs/accepted-token.yaml");

  @TempDir Path outside;
  private Path folder;
  private KubeconfigFiles files;

  @BeforeEach
  void aFolder() throws IOException {
    outside = outside.toRealPath();
    folder = Files.createDirectory(outside.resolve("kubeconfigs"));
    files = new KubeconfigFiles(folder, true);
  }

  private LinkSource read(Path file) {
    return files.read(file.toString());
  }

  private static void refused(LinkSource source, String why) {
    assertThat(source)
        .isEqualTo(new Unusable("BadKubeConfig", "load client config failed: " + why));
  }

  @Test
  void aFileBelowTheFolderIsRead() throws IOException {
    Path file = Files.copy(GOOD, Files.createDirectory(folder.resolve("a")).resolve("kubeconfig"));

    assertThat(read(file)).isInstanceOf(Usable.class);
    assertThat(files.isBelowFolder(file.toString())).isTrue();
  }

  @Test
  void pathsElsewhereAreRefused() throws IOException {
    Path beside = Files.createDirectory(outside.resolve("kubeconfigs-other"));
    Path other = Files.copy(GOOD, beside.resolve("x"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), other);

    refused(read(other), "path \"%s\" is not below %s".formatted(other, folder));
    refused(read(link), "path \"%s\" is not below %s".formatted(link, folder));
    refused(files.read("x"), "path \"x\" is not absolute (expected: a file below " + folder + ")");
    for (String location :
        new String[] {folder + "/../kubeconfigs/x", folder + "//x", folder + "/./x"}) {
      refused(
          files.read(location),
          "path \"%s\" is not clean (expected: no \".\", \"..\" or empty parts)"
              .formatted(location));
    }
    refused(files.read("\0"), "path \"\0\" is no path");
  }

  @Test
  void aMountedSecretIsReadThroughItsLinksAlsoAfterTheyAreSwapped() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..first"));
    Files.copy(GOOD, first.resolve("kubeconfig"));
    Path second = Files.createDirectory(folder.resolve("..second"));
    Files.writeString(second.resolve("kubeconfig"), "kind: Secret\n");
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..first"));
    Path file =
        Files.createSymbolicLink(folder.resolve("kubeconfig"), Path.of("..data/kubeconfig"));
    assertThat(read(file)).isInstanceOf(Usable.class);

    Path next = Files.createSymbolicLink(folder.resolve("..next"), Path.of("..second"));
    Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

    assertThat(read(file)).isInstanceOf(Unusable.class);
  }

  @Test
  void whatIsNotThereOrNoFileIsTold() throws IOException {
    Path missing = folder.resolve("missing");
    refused(read(missing), "file \"%s\" not found".formatted(missing));

    Path directory = Files.createDirectory(folder.resolve("directory"));
    refused(read(directory), "file \"%s\" cannot be read: IOException".formatted(directory));
  }

  @Test
  void aFileElsewhereIsReadWhereThePathsAreNotValidated() throws IOException {
    Path other = Files.copy(GOOD, outside.resolve("x"));
    KubeconfigFiles lenient = new KubeconfigFiles(folder, false);

    assertThat(lenient.read(other.toString())).isInstanceOf(Usable.class);
    assertThat(lenient.isBelowFolder(other.toString())).isFalse();
  }
}
