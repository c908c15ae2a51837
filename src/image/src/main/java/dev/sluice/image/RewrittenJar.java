package dev.sluice.image;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.DeadCodeOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/** Rewrites the jars of libraries. The same jar gives the same bytes in each build. */
final class RewrittenJar {
  private static final String CLASS = ".class";
  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.SF");

  /** The same in each build. */
  private static final LocalDateTime FIRST_OF_ZIP = LocalDateTime.of(1980, 1, 1, 0, 0);

  private RewrittenJar() {}

  /**
   * Reads and writes class files, and knows which class extends which.
   *
   * @param jars all jars of a program: the verification of a class reads other classes
   */
  static ClassFile format(List<Path> jars) throws IOException {
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

  /**
   * Rewrites a jar, with its entries in the same order. A signed jar is not changed.
   *
   * @param classes gives each class file as it shall be
   */
  static void rewrite(Path jar, UnaryOperator<byte[]> classes) throws IOException {
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
        put(entries, entry.getName());
        entries.write(entry.getName().endsWith(CLASS) ? classes.apply(content) : content);
      }
    }
    replace(jar, rewritten);
  }

  private static boolean isSigned(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      return file.stream().anyMatch(it -> SIGNATURE.matcher(it.getName()).matches());
    }
  }

  /** The new jar has the time of the old one: a cache of linked classes stays valid. */
  static void replace(Path jar, Path rewritten) throws IOException {
    Files.setLastModifiedTime(rewritten, Files.getLastModifiedTime(jar));
    Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Begins an entry with a time that is the same in each build. */
  static void put(JarOutputStream jar, String name) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(FIRST_OF_ZIP);
    jar.putNextEntry(entry);
  }
}
