package dev.sluice.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Links a Java runtime with the modules that the program needs, from the JDK that runs this.
 *
 * @param jdk its folder
 */
record LinkedRuntime(Tool tool, Path jdk) {
  /** Modules that libraries know of and use only for what the server never does. */
  private static final Set<String> UNUSED =
      Set.of("java.compiler", "java.desktop", "java.rmi", "java.scripting", "java.sql");

  /** Modules that no class names: they are found as services at run time. */
  private static final List<String> SERVICES = List.of("java.naming", "jdk.crypto.ec");

  private static final Set<String> PROGRAMS = Set.of("java");

  /** The modules that these jars need, sorted. */
  SortedSet<String> modules(List<Path> jars) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                jdk.resolve("bin/jdeps").toString(),
                "--ignore-missing-deps",
                "--print-module-deps",
                "--multi-release",
                Integer.toString(Runtime.version().feature())));
    jars.forEach(jar -> command.add(jar.toString()));
    SortedSet<String> modules = new TreeSet<>(SERVICES);
    modules.addAll(List.of(tool.run(command).strip().split(",")));
    modules.removeAll(UNUSED);
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
        "--output=" + runtime);
    for (Path program : filesOf(runtime.resolve("bin"))) {
      if (!PROGRAMS.contains(program.getFileName().toString())) {
        Files.delete(program);
      }
    }
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
