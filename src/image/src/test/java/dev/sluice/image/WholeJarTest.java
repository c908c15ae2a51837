package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one jar has of a program and its libraries. */
class WholeJarTest {
  private static final String SERVICE = "META-INF/services/java.lang.Runnable";

  @TempDir private Path folder;
  private Path whole;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectory(folder.resolve("lib"));
    Path program =
        jar(
            "program.jar",
            entries(
                "META-INF/MANIFEST.MF",
                """
                Manifest-Version: 1.0
                Main-Class: our.Main
                Class-Path: lib/b.jar lib/a.jar

                """,
                "our/Main.class",
                "main"));
    jar(
        "lib/b.jar",
        entries(
            "META-INF/MANIFEST.MF",
            """
            Manifest-Version: 1.0
            Multi-Release: true

            """,
            "META-INF/LICENSE.txt",
            "licence of b",
            "META-INF/KEY.SF",
            "signature",
            "META-INF/maven/b/pom.xml",
            "pom",
            SERVICE,
            "b.First # the first",
            "module-info.class",
            "module",
            "table",
            "of b",
            "b/B.class",
            "b before 21",
            "META-INF/versions/21/b/B.class",
            "b of 21"));
    jar(
        "lib/a.jar",
        entries("NOTICE", "notice of a", SERVICE, "a.Second\n", "table", "of a", "a/A.class", "a"));
    jar("lib/unused.jar", entries("unused/U.class", "u"));
    whole = folder.resolve("whole.jar");
    WholeJar.write(program, whole);
  }

  /** Names and contents, in turn. */
  private static Map<String, String> entries(String... values) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i += 2) {
      entries.put(values[i], values[i + 1]);
    }
    return entries;
  }

  private Path jar(String name, Map<String, String> entries) throws IOException {
    Path jar = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        LocalVariablesTest.put(out, entry.getKey(), entry.getValue().getBytes(UTF_8));
      }
    }
    return jar;
  }

  private String content(String name) throws IOException {
    try (JarFile jar = new JarFile(whole.toFile())) {
      return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), UTF_8);
    }
  }

  private List<String> names() throws IOException {
    try (JarFile jar = new JarFile(whole.toFile())) {
      return jar.stream().map(JarEntry::getName).toList();
    }
  }

  @Test
  void hasTheClassesOfItsClassPathInThisRelease() throws IOException {
    assertThat(content("our/Main.class")).isEqualTo("main");
    assertThat(content("b/B.class")).isEqualTo("b of 21");
    assertThat(content("a/A.class")).isEqualTo("a");
    assertThat(names()).doesNotContain("unused/U.class", "META-INF/versions/21/b/B.class");
  }

  @Test
  void startsByItself() throws IOException {
    try (JarFile jar = new JarFile(whole.toFile())) {
      Attributes attributes = jar.getManifest().getMainAttributes();

      assertThat(attributes.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo("our.Main");
      assertThat(attributes.getValue(Attributes.Name.CLASS_PATH)).isNull();
    }
  }

  @Test
  void takesAFileOfTheFirstOnTheClassPath() throws IOException {
    assertThat(content("table")).isEqualTo("of b");
  }

  @Test
  void namesTheServicesOfAll() throws IOException {
    assertThat(content(SERVICE).lines()).containsSequence("b.First # the first", "a.Second");
  }

  @Test
  void keepsEachLicence() throws IOException {
    assertThat(content("META-INF/licenses/b.jar/LICENSE.txt")).isEqualTo("licence of b");
    assertThat(content("META-INF/licenses/a.jar/NOTICE")).isEqualTo("notice of a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"META-INF/KEY.SF", "META-INF/maven/b/pom.xml", "module-info.class"})
  void leavesOutWhatIsNotTrueOfTheWhole(String name) throws IOException {
    assertThat(names()).doesNotContain(name);
  }

  @Test
  void isTheSameFromTheSameJars() throws IOException {
    byte[] first = Files.readAllBytes(whole);
    FileTime newest = FileTime.from(Instant.parse("2036-01-01T00:00:00Z"));
    Files.setLastModifiedTime(folder.resolve("lib/a.jar"), newest);

    WholeJar.write(folder.resolve("program.jar"), whole);

    assertThat(whole).hasBinaryContent(first);
    assertThat(Files.getLastModifiedTime(whole)).isEqualTo(newest);
  }

  @Test
  void aProgramInTwoJarsHasItsOwnClassesAndThoseOfOthers() throws IOException {
    Path program = folder.resolve("program.jar");

    WholeJar.replaceByTwo(program, "b");

    assertThat(folder.resolve("lib").toFile().list())
        .containsExactlyInAnyOrder("libraries.jar", "unused.jar");
    whole = program;
    assertThat(names()).contains("our/Main.class", "b/B.class").doesNotContain("a/A.class");
    try (JarFile jar = new JarFile(program.toFile())) {
      assertThat(jar.getManifest().getMainAttributes())
          .containsEntry(Attributes.Name.MAIN_CLASS, "our.Main")
          .containsEntry(Attributes.Name.CLASS_PATH, "lib/libraries.jar");
    }
    whole = folder.resolve("lib/libraries.jar");
    assertThat(names()).contains("a/A.class").doesNotContain("b/B.class");
  }

  @Test
  void aProgramNeedsAManifest() throws IOException {
    Path bare = jar("bare.jar", entries("our/Main.class", "main"));

    assertThatExceptionOfType(ImageException.class)
        .isThrownBy(() -> WholeJar.write(bare, whole))
        .withMessageContaining("bare.jar: has no manifest");
  }
}
