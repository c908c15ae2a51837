package dev.sluice.image;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Removes from large libraries of a packaged program the classes that are not asked for: only those
 * stay that our own classes name, and those that these name. To other libraries, and to a class
 * that is found by a name in a text, it is as if they were not there. Licences stay. For one
 * thread.
 */
final class TrimmedLibraries {
  /** What OSGi reads of a library: 36 kB for Bouncy Castle, which a JVM parses at its start. */
  private static final List<String> FOR_OSGI =
      List.of("Export-Package", "Import-Package", "Private-Package");

  private final Map<String, JarClasses> jarOfClass = new HashMap<>();
  private final NavigableSet<String> reached = new TreeSet<>();
  private final Deque<String> unread = new ArrayDeque<>();

  private TrimmedLibraries() {}

  /** Replaces the large jars by jars with those of their classes that ours need. */
  static void trim(List<Path> ours, List<Path> large) throws IOException {
    TrimmedLibraries trimmed = new TrimmedLibraries();
    List<JarClasses> libraries = new ArrayList<>();
    for (Path jar : large) {
      JarClasses library = JarClasses.of(jar);
      library.contents().keySet().forEach(it -> trimmed.jarOfClass.put(it, library));
      libraries.add(library);
    }
    for (Path jar : ours) {
      JarClasses classes = JarClasses.of(jar);
      classes.contents().keySet().forEach(it -> trimmed.reach(classes.references(it)));
    }
    trimmed.readAll();
    for (JarClasses library : libraries) {
      trimmed.write(library);
    }
  }

  private void reach(NavigableSet<String> names) {
    for (String name : names) {
      if (jarOfClass.containsKey(name) && reached.add(name)) {
        unread.add(name);
      }
    }
  }

  private void readAll() {
    for (String name = unread.poll(); name != null; name = unread.poll()) {
      reach(requireNonNull(jarOfClass.get(name), name).references(name));
    }
  }

  /** Signatures of the whole jar are no longer true, and are left out with their digests. */
  private void write(JarClasses library) throws IOException {
    Path whole = library.jar();
    Path trimmed = whole.resolveSibling(whole.getFileName() + ".new");
    try (JarFile file = new JarFile(whole.toFile(), false);
        OutputStream out = Files.newOutputStream(trimmed);
        JarOutputStream jar = new JarOutputStream(out)) {
      RewrittenJar.put(jar, JarFile.MANIFEST_NAME);
      manifest(file).write(jar);
      for (JarEntry entry : file.stream().filter(TrimmedLibraries::isLicence).toList()) {
        RewrittenJar.put(jar, entry.getName());
        file.getInputStream(entry).transferTo(jar);
      }
      for (Map.Entry<String, byte[]> entry : library.contents().entrySet()) {
        if (reached.contains(entry.getKey())) {
          RewrittenJar.put(jar, entry.getKey() + ".class");
          jar.write(entry.getValue());
        }
      }
    }
    RewrittenJar.replace(whole, trimmed);
  }

  private static Manifest manifest(JarFile library) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    if (library.getManifest() != null) {
      attributes.putAll(library.getManifest().getMainAttributes());
    }
    attributes.putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.remove(Attributes.Name.MULTI_RELEASE);
    FOR_OSGI.forEach(it -> attributes.remove(new Attributes.Name(it)));
    return manifest;
  }

  private static boolean isLicence(JarEntry entry) {
    String name = entry.getName();
    return name.startsWith("META-INF/LICENSE") || name.startsWith("META-INF/NOTICE");
  }
}
