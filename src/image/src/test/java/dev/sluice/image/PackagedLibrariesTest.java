package dev.sluice.image;

import static dev.sluice.image.LocalVariablesTest.put;
import static dev.sluice.image.TrimmedLibrariesTest.thatNames;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which libraries of a packaged program are changed. */
class PackagedLibrariesTest {
  private static final String MANIFEST =
      """
      Manifest-Version: 1.0
      Class-Path: lib/bcprov-jdk18on-1.0.jar lib/asking-1.0.jar

      """;

  @TempDir private Path folder;

  /** A jar with two classes. */
  private static Path library(Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      put(out, "lib/Used.class", thatNames("lib.Used"));
      put(out, "lib/Unused.class", thatNames("lib.Unused", "lib.Used"));
    }
    return jar;
  }

  private static List<String> names(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(JarEntry::getName).toList();
    }
  }

  @Test
  void onlyBouncyCastleIsTrimmedAndOnlyOurClassesKeepItsOwn() throws IOException {
    Path program = folder.resolve("program.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(program))) {
      put(out, JarFile.MANIFEST_NAME, MANIFEST.getBytes(UTF_8));
      put(out, "our/Program.class", thatNames("our.Program", "lib.Used"));
    }
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path large = library(lib.resolve("bcprov-jdk18on-1.0.jar"));
    Path other = library(lib.resolve("other-1.0.jar"));
    try (JarOutputStream out =
        new JarOutputStream(Files.newOutputStream(lib.resolve("asking-1.0.jar")))) {
      put(out, "a/A.class", thatNames("a.A", "lib.Unused"));
    }
    byte[] before = Files.readAllBytes(other);

    PackagedLibraries.main(new String[] {program.toString()});

    assertThat(names(large)).contains("lib/Used.class").doesNotContain("lib/Unused.class");
    assertThat(other).hasBinaryContent(before);
    assertThat(names(folder.resolve("program-whole.jar")))
        .contains("our/Program.class", "lib/Used.class", "a/A.class");
  }

  @Test
  void aProgramMustBeNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PackagedLibraries.main(new String[0]))
        .withMessageContaining("the jar of a program");
  }
}
