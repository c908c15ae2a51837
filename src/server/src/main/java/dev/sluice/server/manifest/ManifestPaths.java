package dev.sluice.server.manifest;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the files that arguments mean: a file is itself; a folder is its {@code *.yaml}, {@code
 * *.yml} and {@code *.json} in the order of their names, those of folders within it if asked for.
 * Hidden files are left out unless they are named. Symbolic links are followed, but no folder is
 * visited and no file is used twice, so cyclic links do no harm.
 */
public final class ManifestPaths {
  private final boolean recursive;
  private final List<String> problems;
  private final List<String> found = new ArrayList<>();
  private final Set<Path> visited = new HashSet<>();

  private ManifestPaths(boolean recursive, List<String> problems) {
    this.recursive = recursive;
    this.problems = problems;
  }

  /** The files in their order; folders that cannot be read are added to the problems. */
  public static List<String> find(List<String> names, boolean recursive, List<String> problems) {
    ManifestPaths paths = new ManifestPaths(recursive, problems);
    names.forEach(paths::add);
    return paths.found;
  }

  private void add(String name) {
    if (!name.equals("-") && isFolder(name)) {
      int before = found.size();
      int known = visited.size() + problems.size();
      addFolder(Path.of(name));
      if (found.size() == before && visited.size() + problems.size() > known) {
        problems.add(
            name
                + ": a directory without manifests (expected: *.yaml, *.yml or *.json"
                + (recursive ? ")" : "; -R looks into the folders within, too)"));
      }
    } else {
      found.add(name);
    }
  }

  private static boolean isFolder(String name) {
    try {
      return Files.isDirectory(Path.of(name));
    } catch (InvalidPathException e) {
      return false; // reading it will say so
    }
  }

  private void addFolder(Path folder) {
    try {
      if (!visited.add(folder.toRealPath())) {
        return;
      }
      for (Path entry : entries(folder)) {
        addEntry(entry);
      }
    } catch (IOException | DirectoryIteratorException e) {
      problems.add(folder + ": cannot be read: " + e.getMessage());
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    }
    entries.removeIf(entry -> entry.getFileName().toString().startsWith("."));
    entries.sort((a, b) -> a.getFileName().toString().compareTo(b.getFileName().toString()));
    return entries;
  }

  private void addEntry(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      if (recursive) {
        addFolder(entry);
      }
    } else if (isManifest(entry) && (!Files.exists(entry) || visited.add(entry.toRealPath()))) {
      found.add(entry.toString());
    }
  }

  private static boolean isManifest(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }
}
