package dev.sluice.image;

import dev.sluice.image.oci.Entry;
import dev.sluice.image.oci.Layer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Finds the files of Debian packages: on this machine, if it has the pinned version, or by {@code
 * apt-get download}. What is pinned is compared by digest, wherever it comes from.
 */
final class DebianFiles {
  private static final Path HERE = Path.of("/");
  private static final String LOADER = "lib64/ld-linux-x86-64.so.2";

  private final Tool tool;
  private final Base base;
  private final List<DebianPackage> used = new ArrayList<>();

  DebianFiles(Tool tool, Base base) {
    this.tool = tool;
    this.base = base;
  }

  /** The packages that were added, at the versions that were used. */
  List<DebianPackage> used() {
    return List.copyOf(used);
  }

  /** Adds the files of all packages. */
  void addTo(Layer layer) throws IOException {
    for (DebianPackage wanted : DebianPackage.PINNED) {
      SortedMap<String, Path> files = find(wanted);
      if (wanted.isLibc()) {
        addLibraries(layer, files);
      } else {
        layer.add(new Entry.Bytes("etc/ssl/certs/ca-certificates.crt", bundle(files)));
      }
    }
  }

  private static void addLibraries(Layer layer, SortedMap<String, Path> files) {
    for (Path library : files.values()) {
      String name = library.getFileName().toString();
      layer.add(new Entry.Copy("lib/x86_64-linux-gnu/" + name, library, true));
      if (LOADER.endsWith("/" + name)) {
        layer.add(new Entry.Link(LOADER, "../lib/x86_64-linux-gnu/" + name));
      }
    }
  }

  private static byte[] bundle(SortedMap<String, Path> certificates) throws IOException {
    ByteArrayOutputStream bundle = new ByteArrayOutputStream();
    for (Path certificate : certificates.values()) {
      bundle.write(Files.readAllBytes(certificate));
    }
    return bundle.toByteArray();
  }

  private SortedMap<String, Path> find(DebianPackage wanted) throws IOException {
    String installed = installedVersion(wanted.name());
    if (base == Base.INSTALLED) {
      if (installed.isEmpty()) {
        throw new ImageException(
            "--base=installed: the package %s of Debian is not installed (expected: %s)"
                .formatted(wanted.name(), "a machine with Debian's packages"));
      }
      SortedMap<String, Path> files = wanted.files(HERE);
      used.add(wanted.at(installed, DebianPackage.contentOf(files)));
      return files;
    }
    SortedMap<String, Path> files =
        wanted.files(installed.equals(wanted.version()) ? HERE : download(wanted));
    check(wanted, DebianPackage.contentOf(files));
    used.add(wanted);
    return files;
  }

  /** Fails unless this is the digest that is pinned. */
  static void check(DebianPackage wanted, String content) {
    if (!content.equals(wanted.content())) {
      throw new ImageException(
          "%s %s: its files have the digest %s (expected: %s, as it is pinned)"
              .formatted(wanted.name(), wanted.version(), content, wanted.content()));
    }
  }

  /** Empty where the package or dpkg itself is not there. */
  private String installedVersion(String name) throws IOException {
    try {
      Tool.Ran ran = tool.attempt(List.of("dpkg-query", "--show", "--showformat=${Version}", name));
      return ran.succeeded() ? ran.out().strip() : "";
    } catch (IOException _) {
      return "";
    }
  }

  private Path download(DebianPackage wanted) throws IOException {
    String exact = wanted.name() + "=" + wanted.version();
    Path root = Files.createDirectories(tool.folder().resolve(wanted.name()));
    try {
      tool.run("apt-get", "download", exact);
      tool.run("dpkg-deb", "--extract", downloaded(wanted.name()).toString(), root.toString());
    } catch (IOException | ImageException e) {
      throw new ImageException(
          "%s: not installed here in this version, and not to be downloaded (--base=installed takes"
                  .formatted(exact)
              + " the version of this machine): "
              + e.getMessage(),
          e);
    }
    return root;
  }

  private Path downloaded(String name) throws IOException {
    try (var files = Files.newDirectoryStream(tool.folder(), name + "_*.deb")) {
      for (Path file : files) {
        return file;
      }
    }
    throw new ImageException(name + ": apt-get download left no file");
  }
}
