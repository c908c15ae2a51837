package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which classes of large libraries are left in a packaged program. */
class TrimmedLibrariesTest {
  private static final String MANIFEST =
      """
      Manifest-Version: 1.0
      Implementation-Title: large
      Multi-Release: true
      Export-Package: lib;version="1.0"

      Name: lib/Used.class
      SHA-256-Digest: AAAA

      """;

  @TempDir private Path folder;

  /** A class with fields of these types. */
  static byte[] thatNames(String name, String... others) {
    return ClassFile.of()
        .build(
            ClassDesc.of(name),
            it -> {
              it.withFlags(ClassFile.ACC_PUBLIC);
              for (int i = 0; i < others.length; i++) {
                it.withField("field" + i, ClassDesc.of(others[i]).arrayType(), 0);
              }
            });
  }

  private Path jar(String name, Map<String, byte[]> entries) throws IOException {
    Path jar = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return jar;
  }

  private Path library() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put(JarFile.MANIFEST_NAME, MANIFEST.getBytes(StandardCharsets.UTF_8));
    entries.put("META-INF/LICENSE.md", "a licence".getBytes(StandardCharsets.UTF_8));
    entries.put("META-INF/SIGNER.SF", new byte[] {1});
    entries.put("lib/Used.class", thatNames("lib.Used", "lib.UsedByUsed"));
    entries.put("lib/UsedByUsed.class", thatNames("lib.UsedByUsed", "lib.OfAnOldRelease"));
    entries.put(
        "META-INF/versions/11/lib/UsedByUsed.class",
        thatNames("lib.UsedByUsed", "lib.OfThisRelease"));
    entries.put("lib/OfAnOldRelease.class", thatNames("lib.OfAnOldRelease"));
    entries.put("lib/OfThisRelease.class", thatNames("lib.OfThisRelease", "lib.Used"));
    entries.put("lib/Unused.class", thatNames("lib.Unused", "lib.Used"));
    entries.put("lib/table.properties", new byte[1000]);
    return jar("large.jar", entries);
  }

  private Path trimmed(Path... ours) throws IOException {
    Path library = library();
    TrimmedLibraries.trim(List.of(ours), List.of(library));
    return library;
  }

  private Path program() throws IOException {
    return jar("program.jar", Map.of("our/Program.class", thatNames("our.Program", "lib.Used")));
  }

  private static List<String> names(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(JarEntry::getName).toList();
    }
  }

  @Test
  void classesThatTheProgramNamesStayAndThoseThatTheyNameInThisRelease() throws Exception {
    Path library = trimmed(program());

    assertThat(names(library))
        .containsExactly(
            "META-INF/MANIFEST.MF",
            "META-INF/LICENSE.md",
            "lib/OfThisRelease.class",
            "lib/Used.class",
            "lib/UsedByUsed.class");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {library.toUri().toURL()}, null)) {
      assertThat(loader.loadClass("lib.UsedByUsed").getDeclaredFields())
          .extracting(it -> it.getType().getComponentType().getName())
          .containsExactly("lib.OfThisRelease");
    }
  }

  @Test
  void theManifestKeepsWhatItSaysOfTheWholeJarButNotItsPackages() throws IOException {
    try (JarFile file = new JarFile(trimmed(program()).toFile())) {
      assertThat(file.getManifest().getMainAttributes().getValue("Implementation-Title"))
          .isEqualTo("large");
      assertThat(file.getManifest().getMainAttributes().getValue("Export-Package")).isNull();
      assertThat(file.getManifest().getEntries()).isEmpty();
      assertThat(file.isMultiRelease()).isFalse();
    }
  }

  @Test
  void theSameJarIsWrittenEachTime() throws IOException {
    byte[] first = Files.readAllBytes(trimmed(program()));

    assertThat(trimmed(program())).hasBinaryContent(first);
  }

  /** A JVM compares it with the one in its cache of linked classes. */
  @Test
  void aTrimmedLibraryHasTheTimeOfTheWholeOne() throws IOException {
    FileTime old = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Path library = library();
    Files.setLastModifiedTime(library, old);

    TrimmedLibraries.trim(List.of(program()), List.of(library));

    assertThat(Files.getLastModifiedTime(library)).isEqualTo(old);
  }

  @Test
  void aLibraryThatIsNotNamedKeepsItsLicence() throws IOException {
    assertThat(names(trimmed())).containsExactly("META-INF/MANIFEST.MF", "META-INF/LICENSE.md");
  }
}
