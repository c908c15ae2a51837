package dev.sluice.image;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/**
 * The classes of a jar as this release of the JDK sees them, without descriptors of packages and
 * modules.
 *
 * @param jar where it is
 * @param contents class files by the internal names of their classes
 */
record JarClasses(Path jar, NavigableMap<String, byte[]> contents) {
  private static final String CLASS = ".class";

  /** Reads a jar. */
  static JarClasses of(Path jar) throws IOException {
    NavigableMap<String, byte[]> contents = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
      List<JarEntry> entries = file.versionedStream().toList();
      for (JarEntry entry : entries) {
        String name = entry.getName();
        if (name.endsWith(CLASS) && !name.startsWith("META-INF/") && !name.contains("-info.")) {
          try (InputStream in = file.getInputStream(entry)) {
            contents.put(name.substring(0, name.length() - CLASS.length()), in.readAllBytes());
          }
        }
      }
    }
    return new JarClasses(jar, contents);
  }

  /** The types that one of these classes names. */
  NavigableSet<String> references(String name) {
    try {
      return ClassReferences.of(requireNonNull(contents.get(name), name));
    } catch (IllegalArgumentException e) {
      throw new ImageException(jar + ": " + name + CLASS + ": " + e.getMessage());
    }
  }
}
