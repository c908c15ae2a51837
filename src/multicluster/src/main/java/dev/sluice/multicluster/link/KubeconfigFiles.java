package dev.sluice.multicluster.link;

import dev.sluice.multicluster.link.LinkSource.Unusable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads kubeconfigs from files each time, so that a swapped mount is seen. */
final class KubeconfigFiles {
  private final Path folder;
  private final boolean validatesPaths;

  /**
   * Files below that folder.
   *
   * @param validatesPaths whether files elsewhere are refused
   */
  KubeconfigFiles(Path folder, boolean validatesPaths) {
    this.folder = folder;
    this.validatesPaths = validatesPaths;
  }

  Path folder() {
    return folder;
  }

  /** Whether files elsewhere are refused. */
  boolean validates() {
    return validatesPaths;
  }

  LinkSource read(String location) {
    try {
      Path file = Path.of(location);
      if (validatesPaths) {
        String problem = problem(file, location);
        if (!problem.isEmpty()) {
          return Unusable.missing("path \"" + location + "\" " + problem);
        }
      }
      return KubeconfigReader.read(bytes(file));
    } catch (InvalidPathException _) {
      return Unusable.missing("path \"" + location + "\" is no path");
    } catch (NoSuchFileException _) {
      return Unusable.missing("file \"" + location + "\" not found");
    } catch (AccessDeniedException _) {
      return Unusable.missing("file \"" + location + "\" cannot be read: permission denied");
    } catch (IOException e) {
      return Unusable.missing(
          "file \"" + location + "\" cannot be read: " + e.getClass().getSimpleName());
    }
  }

  /** Whether the file is where kubeconfigs should be; files elsewhere are deprecated. */
  boolean isBelowFolder(String location) {
    try {
      return problem(Path.of(location), location).isEmpty();
    } catch (IOException | InvalidPathException _) {
      return false;
    }
  }

  /** Why the path is refused; empty if it is not. Links are resolved first. */
  private String problem(Path file, String location) throws IOException {
    if (!file.isAbsolute()) {
      return "is not absolute (expected: a file below " + folder + ")";
    }
    if (!file.normalize().toString().equals(location)) {
      return "is not clean (expected: no \".\", \"..\" or empty parts)";
    }
    if (!file.startsWith(folder) || !isReallyBelow(file)) {
      return "is not below " + folder;
    }
    return "";
  }

  private boolean isReallyBelow(Path file) throws IOException {
    Path real = file.toRealPath();
    Path root = folder.toRealPath();
    return real.startsWith(root) && !real.equals(root);
  }

  private static byte[] bytes(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      if (Files.exists(file)) {
        throw new IOException("no regular file");
      }
      throw new NoSuchFileException(file.toString());
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(KubeconfigReader.LARGEST + 1);
    }
  }
}
