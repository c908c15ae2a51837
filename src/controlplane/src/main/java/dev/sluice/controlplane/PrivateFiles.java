package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.FILES;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Files and folders that only their owner may read. All methods fail with reason FILES. */
final class PrivateFiles {
  private static final int TAIL_BYTES = 4096;
  private static final int TAIL_LINES = 15;

  private PrivateFiles() {}

  /** Replaces the file at one blow: a reader sees the old content or the new, also after a kill. */
  static void write(Path file, byte[] content) {
    try {
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), ".draft", "", mode);
      Files.write(draft, content);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot write " + file, e);
    }
  }

  static void write(Path file, String content) {
    write(file, content.getBytes(UTF_8));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot read " + file, e);
    }
  }

  static byte[] resource(String name) {
    try (var in = PrivateFiles.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot read the resource " + name, e);
    }
  }

  /** Makes the folder if it is not there, its parents too. */
  static Path folder(Path folder) {
    try {
      var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      return Files.createDirectories(folder, mode);
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot make the folder " + folder, e);
    }
  }

  static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("sluice-control-plane-");
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot make a temporary folder", e);
    }
  }

  static void deleteTree(Path root) {
    List<Path> all;
    try (var walk = Files.walk(root)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : all) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new ControlPlaneException(FILES, "cannot delete " + root, e);
    }
  }

  /** The last lines of a log; a sentence in their place if it cannot be read. */
  static String tail(Path log) {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - TAIL_BYTES));
      byte[] end = new byte[TAIL_BYTES];
      int length = Math.max(0, file.read(end));
      List<String> lines = new String(end, 0, length, UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(its log cannot be read: " + e.getMessage() + ")";
    }
  }
}
