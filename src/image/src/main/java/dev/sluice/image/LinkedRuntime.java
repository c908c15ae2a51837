package dev.sluice.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Links a Java runtime with the modules that the program needs, from the JDK that runs this.
 *
 * @param jdk its folder
 */
record LinkedRuntime(Tool tool, Path jdk) {
  /** Modules that libraries know of and use only for what the server never does. */
  private static final Set<String> UNUSED =
      Set.of(
          "java.compiler",
          "java.desktop",
          "java.rmi",
          "java.scripting",
          "java.sql",
          "java.xml", // logging is configured in code
          "jdk.jfr"); // there is no jcmd in the image, and no place for a recording

  /** Modules that no class names: they are found as services at run time. */
  private static final List<String> SERVICES = List.of("java.naming", "jdk.crypto.ec");

  /** What nothing of the server asks for: encodings of East Asian texts, names of characters. */
  private static final List<String> UNUSED_FILES =
      List.of(
          "glob:/java.base/sun/nio/cs/Big5*",
          "glob:/java.base/sun/nio/cs/EUC_*",
          "glob:/java.base/sun/nio/cs/GB*",
          "glob:/java.base/sun/nio/cs/HKSCS*",
          "glob:/java.base/sun/nio/cs/Johab*",
          "glob:/java.base/sun/nio/cs/MS9*",
          "glob:/java.base/java/lang/uniName.dat");

  private static final Set<String> PROGRAMS = Set.of("java");

  /** For programs that read another runtime, and for jars that are started by the system. */
  private static final List<String> OTHER_PROGRAMS = List.of("lib/jrt-fs.jar", "lib/jexec");

  /** A list of classes from which the JDK makes a cache of its own. */
  private static final String LIST_FOR_DUMPS = "lib/classlist";

  /**
   * The modules that these jars need, sorted. Their classes are looked at without the descriptors
   * of modules that some have: those name modules that are optional to us.
   */
  SortedSet<String> modules(List<Path> jars) throws IOException {
    Path classes = Files.createDirectories(tool.folder().resolve("analysed"));
    for (Path jar : jars) {
      extract(jar, classes);
    }
    String found =
        tool.run(
            jdk.resolve("bin/jdeps").toString(),
            "--ignore-missing-deps",
            "--list-deps",
            classes.toString());
    NavigableSet<String> modules = new TreeSet<>(SERVICES);
    found
        .lines()
        .map(line -> line.strip().replaceFirst("/.*", "")) // a package may follow the module
        .filter(name -> name.matches("(java|jdk)\\.[a-z.]+"))
        .filter(name -> !UNUSED.contains(name))
        .forEach(modules::add);
    return modules;
  }

  private static void extract(Path jar, Path folder) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      for (JarEntry entry : Collections.list(file.entries())) {
        String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF/") && !name.contains("-info.")) {
          Path target = folder.resolve(name).normalize();
          if (!target.startsWith(folder)) {
            throw new ImageException(jar + ": " + name + ": leads out of the archive");
          }
          Files.createDirectories(folder.resolve(name).resolve("..").normalize());
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
  }

  /** Links them into this folder, which is not there yet. */
  void link(SortedSet<String> modules, Path runtime) throws IOException {
    tool.run(
        jdk.resolve("bin/jlink").toString(),
        "--add-modules=" + String.join(",", modules),
        "--strip-java-debug-attributes",
        "--no-header-files",
        "--no-man-pages",
        "--compress=zip-9",
        "--exclude-resources=" + String.join(",", UNUSED_FILES),
        "--output=" + runtime);
    for (Path program : filesOf(runtime.resolve("bin"))) {
      if (!PROGRAMS.contains(program.getFileName().toString())) {
        Files.delete(program);
      }
    }
    for (String other : OTHER_PROGRAMS) {
      Files.deleteIfExists(runtime.resolve(other));
    }
    strip(runtime.resolve("lib"));
    strip(runtime.resolve("lib").resolve("server"));
  }

  private static void strip(Path libraries) throws IOException {
    for (Path library : filesOf(libraries)) {
      if (library.toString().endsWith(".so")) {
        new NativeLibrary(library).strip();
      }
    }
  }

  /** Removes what only the making of a cache needs. */
  static void dropListForDumps(Path runtime) throws IOException {
    Files.deleteIfExists(runtime.resolve(LIST_FOR_DUMPS));
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
