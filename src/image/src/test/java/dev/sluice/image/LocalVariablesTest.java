package dev.sluice.image;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a library when the tables of its local variables are removed. */
class LocalVariablesTest {
  private static final String TEXT = "names.properties";
  private static final String NAME_OF_A_VARIABLE = "numberOfDigits";

  @TempDir private Path folder;
  private Path jar;

  /** Of the library: counts digits, and fails where there are none. */
  static final class Digits implements ToIntFunction<String> {
    @Override
    public int applyAsInt(String text) {
      int numberOfDigits = 0;
      for (int at = 0; at < text.length(); at++) {
        if (Character.isDigit(text.charAt(at))) {
          numberOfDigits++;
        }
      }
      if (numberOfDigits == 0) {
        throw new IllegalArgumentException(text);
      }
      return numberOfDigits;
    }
  }

  /** Not in the library. */
  interface Absent {
    int size();
  }

  /** Not in the library. */
  static class AbsentParent implements Absent {
    @Override
    public int size() {
      return 0;
    }
  }

  /** Not in the library. */
  static final class AbsentChild extends AbsentParent {}

  /** Of the library: two branches end in types whose common class cannot be found. */
  static final class Chooser {
    static int choose(boolean first) {
      AbsentParent chosen = first ? new AbsentParent() : new AbsentChild();
      return chosen.size();
    }
  }

  static String entry(Class<?> type) {
    return type.getName().replace('.', '/') + ".class";
  }

  static byte[] compiled(Class<?> type) throws IOException {
    try (InputStream in = type.getClassLoader().getResourceAsStream(entry(type))) {
      return requireNonNull(in).readAllBytes();
    }
  }

  static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
  }

  @BeforeEach
  void writeALibrary() throws IOException {
    jar = library("library.jar");
  }

  /** A jar with the two classes, and with empty entries of these names behind them. */
  private Path library(String name, String... more) throws IOException {
    Path library = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(library))) {
      put(out, JarFile.MANIFEST_NAME, "Manifest-Version: 1.0\n\n".getBytes(StandardCharsets.UTF_8));
      put(out, TEXT, NAME_OF_A_VARIABLE.getBytes(StandardCharsets.UTF_8));
      put(out, entry(Digits.class), compiled(Digits.class));
      put(out, entry(Chooser.class), compiled(Chooser.class));
      for (String entry : more) {
        put(out, entry, new byte[0]);
      }
    }
    return library;
  }

  private byte[] content(String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getInputStream(file.getEntry(name)).readAllBytes();
    }
  }

  private static boolean names(byte[] classFile, String name) {
    return new String(classFile, StandardCharsets.ISO_8859_1).contains(name);
  }

  /** What the class of the jar does, not that of this test. */
  private int digits(String text) throws ReflectiveOperationException, IOException {
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(Digits.class.getName());
      Constructor<?> made = type.getDeclaredConstructor();
      made.setAccessible(true);
      @SuppressWarnings("unchecked")
      ToIntFunction<String> digits = (ToIntFunction<String>) made.newInstance();
      return digits.applyAsInt(text);
    }
  }

  private int failingLine() throws ReflectiveOperationException, IOException {
    try {
      return digits("none");
    } catch (IllegalArgumentException e) {
      return e.getStackTrace()[0].getLineNumber();
    }
  }

  @Test
  void namesOfLocalVariablesAreGone() throws IOException {
    assertThat(names(content(entry(Digits.class)), NAME_OF_A_VARIABLE)).isTrue();

    LocalVariables.remove(List.of(jar));

    assertThat(names(content(entry(Digits.class)), NAME_OF_A_VARIABLE)).isFalse();
  }

  @Test
  void aClassDoesTheSameAndFailsAtTheSameLine() throws Exception {
    int line = failingLine();

    LocalVariables.remove(List.of(jar));

    assertThat(digits("a1b22")).isEqualTo(3);
    assertThat(failingLine()).isEqualTo(line);
  }

  @Test
  void aClassThatCannotBeVerifiedWithTheseJarsStaysAsItIs() throws IOException {
    LocalVariables.remove(List.of(jar));

    assertThat(content(entry(Chooser.class))).isEqualTo(compiled(Chooser.class));
  }

  @Test
  void otherEntriesStayAndTheOrderToo() throws IOException {
    LocalVariables.remove(List.of(jar));

    List<String> order = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      file.stream().forEach(it -> order.add(it.getName()));
    }
    assertThat(order)
        .containsExactly(JarFile.MANIFEST_NAME, TEXT, entry(Digits.class), entry(Chooser.class));
    assertThat(content(TEXT)).asString(StandardCharsets.UTF_8).isEqualTo(NAME_OF_A_VARIABLE);
  }

  @Test
  void aSignedJarStaysAsItIs() throws IOException {
    Path signed = library("signed.jar", "META-INF/SIGNER.SF");
    byte[] before = Files.readAllBytes(signed);

    LocalVariables.remove(List.of(signed));

    assertThat(signed).hasBinaryContent(before);
  }

  @Test
  void twoRunsWriteTheSameBytes() throws IOException {
    Path other = Files.copy(jar, folder.resolve("other.jar"));

    LocalVariables.remove(List.of(jar));
    LocalVariables.remove(List.of(other));

    assertThat(other).hasSameBinaryContentAs(jar);
  }
}
