package dev.sluice.cli.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.scheduler.metrics.SchedulerMetrics;
import dev.sluice.server.program.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The program under another version: the packages that tell it come from a jar whose manifest has
 * that version, and all other classes are those under test.
 *
 * @param version as the program tells it
 * @param jar to be before the classes under test on the class path
 */
public record Release(String version, Path jar) {
  /** One class of each package that reads the version of its jar. */
  private static final List<Class<?>> TELLING = List.of(Version.class, SchedulerMetrics.class);

  /** Makes the jar in that folder. */
  public static Release of(String version, Path folder) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path jar = folder.resolve("sluice-" + version + ".jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Class<?> telling : TELLING) {
        copyPackage(telling, out);
      }
    }
    return new Release(version, jar);
  }

  private static void copyPackage(Class<?> telling, JarOutputStream out) throws IOException {
    String name = "/" + telling.getPackageName().replace('.', '/');
    URI source =
        URI.create(
            requireNonNull(telling.getResource(telling.getSimpleName() + ".class")).toString());
    if (source.getScheme().equals("jar")) {
      try (FileSystem packaged = FileSystems.newFileSystem(source, Map.of())) {
        copyClasses(packaged.getPath(name), name, out);
      }
    } else {
      copyClasses(requireNonNull(Path.of(source).getParent()), name, out);
    }
  }

  private static void copyClasses(Path from, String name, JarOutputStream out) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      List<Path> classes = files.filter(it -> it.toString().endsWith(".class")).toList();
      assertThat(classes).isNotEmpty();
      for (Path each : classes) {
        out.putNextEntry(new ZipEntry(name.substring(1) + "/" + each.getFileName()));
        Files.copy(each, out);
      }
    }
  }
}
