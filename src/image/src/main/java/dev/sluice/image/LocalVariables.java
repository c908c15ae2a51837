package dev.sluice.image;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.DeadCodeOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.zip.Deflater;

/**
 * Removes the tables of local variables from the classes of jars, with their names and types.
 * Debuggers read these tables, and the JVM reads them for the message of a NullPointerException.
 * The tables of lines stay, so stack traces are the same. A class is not changed if it would fail
 * verification or would not become smaller. A signed jar is not changed either.
 */
final class LocalVariables {
  private static final String CLASS = ".class";
  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.SF");

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
    LocalVariables tables = new LocalVariables(format(jars));
    for (Path jar : jars) {
      tables.removeFrom(jar);
    }
  }

  private static ClassFile format(List<Path> jars) throws IOException {
    Map<String, byte[]> classes = new HashMap<>();
    for (Path jar : jars) {
      classes.putAll(JarClasses.of(jar).contents());
    }
    ClassHierarchyResolver ofJars =
        ClassHierarchyResolver.ofResourceParsing(
            name -> {
              byte[] content = classes.get(internalName(name.descriptorString()));
              return content == null ? null : new ByteArrayInputStream(content);
            });
    ClassHierarchyResolver ofJdk =
        ClassHierarchyResolver.ofClassLoading(ClassLoader.getPlatformClassLoader());
    return ClassFile.of(
        ConstantPoolSharingOption.NEW_POOL,
        DeadCodeOption.KEEP_DEAD_CODE,
        ClassHierarchyResolverOption.of(ofJars.orElse(ofJdk).cached()));
  }

  private static String internalName(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }

  private static boolean isSigned(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      return file.stream().anyMatch(it -> SIGNATURE.matcher(it.getName()).matches());
    }
  }

  private void removeFrom(Path jar) throws IOException {
    if (isSigned(jar)) {
      return;
    }
    Path rewritten = jar.resolveSibling(jar.getFileName() + ".new");
    try (JarFile file = new JarFile(jar.toFile(), false);
        OutputStream out = Files.newOutputStream(rewritten);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.setLevel(Deflater.BEST_COMPRESSION);
      for (JarEntry entry : file.stream().toList()) {
        byte[] content = file.getInputStream(entry).readAllBytes();
        TrimmedLibraries.put(entries, entry.getName());
        entries.write(entry.getName().endsWith(CLASS) ? smaller(content) : content);
      }
    }
    Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
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
