package dev.sluice.image;

import static dev.sluice.image.LocalVariablesTest.compiled;
import static dev.sluice.image.LocalVariablesTest.entry;
import static dev.sluice.image.LocalVariablesTest.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.image.LocalVariablesTest.Chooser;
import dev.sluice.image.LocalVariablesTest.Digits;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the classes of a library in an old format. */
class OldClassesTest {
  private static final String TEXT = "names.properties";

  @TempDir private Path folder;

  /** As a compiler of that time would have written it: without the types of branches. */
  private static byte[] inJava5(Class<?> type) throws IOException {
    ClassFile format = ClassFile.of(StackMapsOption.DROP_STACK_MAPS);
    ClassTransform older =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_5_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    return format.transformClass(
        format.parse(compiled(type)),
        older.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
  }

  private Path jar(String name, byte[] digits, String... more) throws IOException {
    Path jar = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      put(out, TEXT, TEXT.getBytes(StandardCharsets.UTF_8));
      put(out, entry(Digits.class), digits);
      put(out, entry(OldClassesTest.class), compiled(OldClassesTest.class));
      for (String entry : more) {
        put(out, entry, new byte[0]);
      }
    }
    return jar;
  }

  private static byte[] content(Path jar, String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getInputStream(file.getEntry(name)).readAllBytes();
    }
  }

  private static int version(byte[] classFile) {
    return ClassFile.of().parse(classFile).majorVersion();
  }

  /** A JVM verifies what it loads from there. */
  private static int digits(Path jar, String text)
      throws ReflectiveOperationException, IOException {
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      Constructor<?> made = loader.loadClass(Digits.class.getName()).getDeclaredConstructor();
      made.setAccessible(true);
      @SuppressWarnings("unchecked")
      ToIntFunction<String> digits = (ToIntFunction<String>) made.newInstance();
      return digits.applyAsInt(text);
    }
  }

  @Test
  void aClassGetsAFormatThatACacheTakesAndDoesTheSame() throws Exception {
    Path jar = jar("old.jar", inJava5(Digits.class));
    assertThat(version(content(jar, entry(Digits.class)))).isEqualTo(49);
    assertThat(digits(jar, "a1b22")).isEqualTo(3);

    OldClasses.update(List.of(jar));

    assertThat(version(content(jar, entry(Digits.class)))).isEqualTo(51);
    assertThat(digits(jar, "a1b22")).isEqualTo(3);
  }

  @Test
  void newerClassesAndOtherEntriesOfTheJarStayAsTheyAre() throws IOException {
    Path jar = jar("old.jar", inJava5(Digits.class));

    OldClasses.update(List.of(jar));

    assertThat(content(jar, TEXT)).asString(StandardCharsets.UTF_8).isEqualTo(TEXT);
    assertThat(content(jar, entry(OldClassesTest.class))).isEqualTo(compiled(OldClassesTest.class));
  }

  @Test
  void aJarWithoutOldClassesIsNotWritten() throws IOException {
    Path jar = jar("new.jar", compiled(Digits.class));
    byte[] before = Files.readAllBytes(jar);

    OldClasses.update(List.of(jar));

    assertThat(jar).hasBinaryContent(before);
  }

  @Test
  void aSignedJarStaysAsItIs() throws IOException {
    Path jar = jar("signed.jar", inJava5(Digits.class), "META-INF/SIGNER.SF");
    byte[] before = Files.readAllBytes(jar);

    OldClasses.update(List.of(jar));

    assertThat(jar).hasBinaryContent(before);
  }

  /** Two of its branches end in types that are in no jar. */
  @Test
  void aClassWhoseBranchesCannotBeTypedStaysAsItIs() throws IOException {
    Path jar = folder.resolve("untyped.jar");
    byte[] before = inJava5(Chooser.class);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      put(out, entry(Chooser.class), before);
    }

    OldClasses.update(List.of(jar));

    assertThat(content(jar, entry(Chooser.class))).isEqualTo(before);
  }

  /** A JVM compares it with the one in its cache of linked classes. */
  @Test
  void aWrittenJarHasTheTimeOfTheOldOne() throws IOException {
    FileTime time = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Path jar = jar("old.jar", inJava5(Digits.class));
    Files.setLastModifiedTime(jar, time);

    OldClasses.update(List.of(jar));

    assertThat(Files.getLastModifiedTime(jar)).isEqualTo(time);
  }
}
