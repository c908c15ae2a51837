package dev.sluice.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
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

  /** The modules that these jars need, sorted. */
  static SortedSet<String> modules(List<Path> jars) throws IOException {
    SortedSet<String> modules = NeededModules.of(jars);
    modules.removeAll(UNUSED);
    modules.addAll(SERVICES);
    return modules;
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
