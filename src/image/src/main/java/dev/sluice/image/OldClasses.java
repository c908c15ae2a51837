package dev.sluice.image;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;

/**
 * Brings class files of Java 5 and earlier into the format of Java 7, in which each method says
 * what types its branches have. A JVM takes no older classes into a cache of linked classes, and
 * verifies them more slowly. What they do stays the same.
 */
final class OldClasses {
  /** Older ones are not taken. */
  private static final int OLDEST_IN_A_CACHE = ClassFile.JAVA_6_VERSION;

  private final ClassFile format;

  private OldClasses(ClassFile format) {
    this.format = format;
  }

  /**
   * Rewrites those of these jars that have such classes.
   *
   * @param jars all jars of a program: types of branches are found in other classes
   */
  static void update(List<Path> jars) throws IOException {
    OldClasses classes = new OldClasses(RewrittenJar.format(jars));
    for (Path jar : jars) {
      NavigableMap<String, byte[]> contents = JarClasses.of(jar).contents();
      if (contents.values().stream().anyMatch(OldClasses::isOld)) {
        RewrittenJar.rewrite(jar, it -> isOld(it) ? classes.updated(it) : it);
      }
    }
  }

  /** The number of its format stands behind a magic number and a minor version. */
  private static boolean isOld(byte[] content) {
    return Short.toUnsignedInt(ByteBuffer.wrap(content).getShort(6)) < OLDEST_IN_A_CACHE;
  }

  /** A class that cannot be verified in the new format stays as it is. */
  private byte[] updated(byte[] content) {
    ClassModel old = format.parse(content);
    byte[] updated;
    try {
      updated =
          format.build(
              old.thisClass().asSymbol(),
              builder ->
                  old.forEach(
                      element -> {
                        switch (element) {
                          case ClassFileVersion _ ->
                              builder.withVersion(ClassFile.JAVA_7_VERSION, 0);
                          case MethodModel method ->
                              builder.transformMethod(
                                  method,
                                  MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
                          default -> builder.with(element);
                        }
                      }));
    } catch (IllegalArgumentException _) { // it names a class that is in no jar, or is too old
      return content;
    }
    return format.verify(updated).isEmpty() ? updated : content;
  }
}
