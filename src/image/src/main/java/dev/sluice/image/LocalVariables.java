package dev.sluice.image;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.nio.file.Path;
import java.util.List;

/**
 * Removes the tables of local variables from the classes of jars, with their names and types.
 * Debuggers read these tables, and the JVM reads them for the message of a NullPointerException.
 * The tables of lines stay, so stack traces are the same. A class is not changed if it would fail
 * verification or would not become smaller. A signed jar is not changed either.
 */
final class LocalVariables {
  private static final CodeTransform WITHOUT =
      (builder, element) -> {
        if (!(element instanceof LocalVariable) && !(element instanceof LocalVariableType)) {
          builder.with(element);
        }
      };

  private final ClassFile format;

  private LocalVariables(ClassFile format) {
    this.format = format;
  }

  /**
   * Rewrites these jars, with their entries in the same order.
   *
   * @param jars all jars of a program: the verification of a class reads other classes
   */
  static void remove(List<Path> jars) throws IOException {
    LocalVariables tables = new LocalVariables(RewrittenJar.format(jars));
    for (Path jar : jars) {
      RewrittenJar.rewrite(jar, tables::smaller);
    }
  }

  private byte[] smaller(byte[] content) {
    byte[] without;
    try {
      without =
          format.transformClass(
              format.parse(content), ClassTransform.transformingMethodBodies(WITHOUT));
    } catch (IllegalArgumentException _) { // it names a class that is in no jar
      return content;
    }
    boolean better = without.length < content.length && format.verify(without).isEmpty();
    return better ? without : content;
  }
}
