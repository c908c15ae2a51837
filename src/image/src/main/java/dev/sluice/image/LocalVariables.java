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
import java.util.zip.Deflater;

/**
 * Removes the tables of local variables from the classes of jars, with their names and types. Only
 * debuggers read them, and the JVM where it tells of what was null. Lines stay, so a stack trace is
 * the same. A class stays as it is if it would not be verified afterwards, or not become smaller.
 */
final class LocalVariables {
  private static final String CLASS = ".class";

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
   * @param jars all of a program, as to verify a class others are needed
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

  private void removeFrom(Path jar) throws IOException {
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
