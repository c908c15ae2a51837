package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.image.oci.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A package of Debian of which the image has some files.
 *
 * @param name its name
 * @param version its version
 * @param content the digest of what is taken of it
 */
record DebianPackage(String name, String version, String content) {
  private static final String LIBRARIES = "lib/x86_64-linux-gnu";
  private static final String CERTIFICATES = "usr/share/ca-certificates/mozilla";
  private static final String LIBC = "libc6";

  /** What a JVM loads of the C library, and the loader of programs first. */
  private static final List<String> LIBRARY_NAMES =
      List.of(
          "ld-linux-x86-64.so.2",
          "libc.so.6",
          "libdl.so.2",
          "libm.so.6",
          "libpthread.so.0",
          "libresolv.so.2",
          "librt.so.1");

  /** The packages of the image. Who changes a version changes the digest of its content, too. */
  static final List<DebianPackage> PINNED =
      List.of(
          new DebianPackage(
              LIBC,
              "2.36-9+deb12u14",
              "7eaa7d4b02d0eaaf380faa0202ce16b606c885a0d8517e9b3dfb3807b3ef1d62"),
          new DebianPackage(
              "ca-certificates",
              "20230311+deb12u1",
              "311993bde7d0ada16f2d3ba5ac0bbfd33257442fb7f95de76ba4a3d4ae10507c"));

  /** The name of its source, by which vulnerabilities are known. */
  String source() {
    return isLibc() ? "glibc" : name;
  }

  boolean isLibc() {
    return name.equals(LIBC);
  }

  /** The same package at another version. */
  DebianPackage at(String otherVersion, String otherContent) {
    return new DebianPackage(name, otherVersion, otherContent);
  }

  /**
   * The files that are taken, by digest: names of certificates are not ASCII, and what a JVM makes
   * of those depends on the machine.
   *
   * @param root the root of a file system with this package
   */
  SortedMap<String, Path> files(Path root) throws IOException {
    SortedMap<String, Path> files = new TreeMap<>();
    for (Path file : isLibc() ? libraries(root) : certificates(root)) {
      files.put(Digest.of(file).hex(), file);
    }
    return files;
  }

  private static List<Path> libraries(Path root) {
    return LIBRARY_NAMES.stream().map(root.resolve(LIBRARIES)::resolve).toList();
  }

  private static List<Path> certificates(Path root) throws IOException {
    try (Stream<Path> found = Files.list(root.resolve(CERTIFICATES))) {
      return found.toList();
    }
  }

  /** The digest of the digests of these files, one in a line. */
  static String contentOf(SortedMap<String, Path> files) {
    return Digest.of((String.join("\n", files.keySet()) + "\n").getBytes(UTF_8)).hex();
  }
}
