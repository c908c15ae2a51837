package dev.sluice.image;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The program that removes from large libraries of a packaged program the classes that are not
 * asked for: only those stay that our own classes name, and those that these name. To other
 * libraries, and to a class that is found by a name in a text, it is as if they were not there.
 * Licences stay. For one thread.
 *
 * <p>The library is Bouncy Castle: 9 MB, of which certificates need a twentieth. Its jars are
 * signed, too, and a JVM verifies a signature of 7,000 entries before it takes the first class from
 * such a jar.
 */
public final class TrimmedLibraries {
  private static final Pattern BOUNCY_CASTLE = Pattern.compile("bc[a-z]+-jdk.*");
  private static final String OURS = "sluice-";

  /** The same in each build. */
  private static final LocalDateTime FIRST_OF_ZIP = LocalDateTime.of(1980, 1, 1, 0, 0);

  private final Map<String, JarClasses> jarOfClass = new HashMap<>();
  private final NavigableSet<String> reached = new TreeSet<>();
  private final Deque<String> unread = new ArrayDeque<>();

  private TrimmedLibraries() {}

  /**
   * Replaces the large libraries by trimmed ones. They must be whole: a class that was removed does
   * not come back.
   *
   * @param args the jar of a program whose libraries are beside it in a folder {@code lib}
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      throw new IllegalArgumentException(
          args.length + " arguments (expected: the jar of a program)");
    }
    Path program = Path.of(args[0]).toAbsolutePath();
    List<Path> ours = new ArrayList<>(List.of(program));
    List<Path> large = new ArrayList<>();
    try (Stream<Path> libraries = Files.list(program.resolveSibling("lib"))) {
      for (Path library : libraries.sorted().toList()) {
        String name = library.getFileName().toString();
        if (name.startsWith(OURS)) {
          ours.add(library);
        } else if (BOUNCY_CASTLE.matcher(name).matches()) {
          large.add(library);
        }
      }
    }
    trim(ours, large);
  }

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
      put(jar, JarFile.MANIFEST_NAME);
      manifest(file).write(jar);
      for (JarEntry entry : file.stream().filter(TrimmedLibraries::isLicence).toList()) {
        put(jar, entry.getName());
        file.getInputStream(entry).transferTo(jar);
      }
      for (Map.Entry<String, byte[]> entry : library.contents().entrySet()) {
        if (reached.contains(entry.getKey())) {
          put(jar, entry.getKey() + ".class");
          jar.write(entry.getValue());
        }
      }
    }
    // so that a cache of linked classes stays valid when the same is packaged again
    Files.setLastModifiedTime(trimmed, Files.getLastModifiedTime(whole));
    Files.move(trimmed, whole, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Begins an entry with a time that is the same in each build. */
  static void put(JarOutputStream jar, String name) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(FIRST_OF_ZIP);
    jar.putNextEntry(entry);
  }

  private static Manifest manifest(JarFile library) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    if (library.getManifest() != null) {
      attributes.putAll(library.getManifest().getMainAttributes());
    }
    attributes.putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.remove(Attributes.Name.MULTI_RELEASE);
    return manifest;
  }

  private static boolean isLicence(JarEntry entry) {
    String name = entry.getName();
    return name.startsWith("META-INF/LICENSE") || name.startsWith("META-INF/NOTICE");
  }
}
