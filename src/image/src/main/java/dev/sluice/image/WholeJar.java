package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipFile;

/**
 * Puts a program and the libraries of its class path into one jar, as this release of the JDK sees
 * them. A JVM that looks for a service opens each jar of its class path, which are eighty, and
 * compiles the methods for it. See {@code docs/contributing/decisions/0004-starts.md}.
 *
 * <p>Of files with one name, the first on the class path counts, as for a class loader. Names of
 * services are put together, and each library keeps its licence. Descriptors of modules, notes of
 * build tools and signatures, which would no longer be true, are left out.
 */
final class WholeJar {
  private static final String LIBRARIES = "lib/libraries.jar";
  private static final String SERVICES = "META-INF/services/";
  private static final Pattern LICENCE =
      Pattern.compile("(META-INF/)?(LICENSE|LICENCE|NOTICE)[^/]*", Pattern.CASE_INSENSITIVE);
  private static final Pattern LEFT_OUT =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|INDEX\\.LIST|[^/]+\\.(SF|RSA|DSA|EC)|maven/.*)"
              + "|(.*/)?module-info\\.class");

  private final JarOutputStream whole;
  private final Set<String> written = new HashSet<>();
  private final Map<String, StringBuilder> services = new TreeMap<>();

  private WholeJar(JarOutputStream whole) {
    this.whole = whole;
  }

  /**
   * Writes the whole program. The same jars give the same bytes, and a file of the time of the
   * newest jar: a cache of linked classes stays valid.
   *
   * @param program a jar whose manifest names its main class and its class path
   */
  static void write(Path program, Path whole) throws IOException {
    Manifest manifest = manifest(program);
    List<Path> parts = new ArrayList<>(List.of(program));
    parts.addAll(takeClassPath(program, manifest));
    write(manifest, parts, Deflater.DEFAULT_COMPRESSION, whole);
  }

  /**
   * Replaces a program and the libraries beside it by two jars, as small as can be: the program
   * with the libraries that are ours, and {@code lib/libraries.jar} with the others.
   *
   * @param ours how the names of our libraries begin
   */
  static void replaceByTwo(Path program, String ours) throws IOException {
    Manifest manifest = manifest(program);
    List<Path> own = new ArrayList<>(List.of(program));
    List<Path> others = new ArrayList<>();
    for (Path part : takeClassPath(program, manifest)) {
      (part.getFileName().toString().startsWith(ours) ? own : others).add(part);
    }
    Path libraries = program.resolveSibling(LIBRARIES);
    Manifest plain = new Manifest();
    plain.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    write(plain, others, Deflater.BEST_COMPRESSION, libraries);
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, LIBRARIES);
    write(manifest, own, Deflater.BEST_COMPRESSION, program);
    own.remove(program);
    others.remove(libraries);
    for (Path part : Stream.concat(own.stream(), others.stream()).toList()) {
      Files.delete(part);
    }
  }

  private static Manifest manifest(Path program) throws IOException {
    try (JarFile file = new JarFile(program.toFile(), false)) {
      Manifest manifest = file.getManifest();
      if (manifest == null) {
        throw new ImageException(program + ": has no manifest (expected: a packaged program)");
      }
      return manifest;
    }
  }

  /** Removes the class path from a manifest; returns the libraries that it names, in order. */
  private static List<Path> takeClassPath(Path program, Manifest manifest) {
    Object classPath = manifest.getMainAttributes().remove(Attributes.Name.CLASS_PATH);
    return classPath == null
        ? List.of()
        : Stream.of(classPath.toString().split(" ")).map(program::resolveSibling).toList();
  }

  private static void write(Manifest manifest, List<Path> parts, int level, Path whole)
      throws IOException {
    Path draft = whole.resolveSibling(whole.getFileName() + ".new");
    FileTime newest = FileTime.fromMillis(0);
    try (OutputStream out = Files.newOutputStream(draft);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.setLevel(level);
      RewrittenJar.put(jar, JarFile.MANIFEST_NAME);
      manifest.write(jar);
      WholeJar writer = new WholeJar(jar);
      for (Path part : parts) {
        FileTime time = Files.getLastModifiedTime(part);
        newest = time.compareTo(newest) > 0 ? time : newest;
        writer.add(part);
      }
      writer.addServices();
    }
    Files.setLastModifiedTime(draft, newest);
    Files.move(draft, whole, StandardCopyOption.REPLACE_EXISTING);
  }

  private void add(Path part) throws IOException {
    try (JarFile file = new JarFile(part.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
      for (JarEntry entry : file.versionedStream().toList()) {
        String name = entry.getName();
        if (entry.isDirectory() || LEFT_OUT.matcher(name).matches()) {
          continue;
        }
        try (InputStream in = file.getInputStream(entry)) {
          if (name.startsWith(SERVICES)) {
            services
                .computeIfAbsent(name, _ -> new StringBuilder())
                .append(new String(in.readAllBytes(), UTF_8))
                .append('\n');
          } else {
            put(LICENCE.matcher(name).matches() ? licence(part, name) : name, in);
          }
        }
      }
    }
  }

  private static String licence(Path part, String name) {
    return "META-INF/licenses/" + part.getFileName() + "/" + Path.of(name).getFileName();
  }

  private void put(String name, InputStream content) throws IOException {
    if (written.add(name)) {
      RewrittenJar.put(whole, name);
      content.transferTo(whole);
    }
  }

  private void addServices() throws IOException {
    for (Map.Entry<String, StringBuilder> service : services.entrySet()) {
      RewrittenJar.put(whole, service.getKey());
      whole.write(service.getValue().toString().getBytes(UTF_8));
    }
  }
}
