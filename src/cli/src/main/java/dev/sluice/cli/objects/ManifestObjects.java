package dev.sluice.cli.objects;

import dev.sluice.cli.CommandException;
import dev.sluice.cli.manifest.ManifestFiles;
import dev.sluice.cli.manifest.ManifestPaths;
import dev.sluice.cli.progress.FileProgress;
import dev.sluice.json.yaml.ManifestException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the objects of files and folders, several files at a time, with a progress bar. */
public final class ManifestObjects {
  private final ManifestFiles files;

  /** What is in a file, or why it cannot be read. */
  private record Content(List<ManifestObject> objects, List<String> problems) {}

  /**
   * A reader.
   *
   * @param stdin what is meant where a file is called {@code -}
   */
  public ManifestObjects(InputStream stdin) {
    this.files = new ManifestFiles(stdin);
  }

  /**
   * All objects of the files, in their order.
   *
   * @param recursive whether the folders within folders count, too
   * @throws CommandException with all that cannot be read
   */
  public List<ManifestObject> read(List<String> names, boolean recursive) {
    List<String> problems = new ArrayList<>();
    List<String> paths = ManifestPaths.find(names, recursive, problems);
    List<Content> contents;
    try (FileProgress progress = FileProgress.over("read", paths, false)) {
      contents = paths.parallelStream().map(path -> read(path, progress)).toList();
    }
    contents.forEach(content -> problems.addAll(content.problems));
    if (!problems.isEmpty()) {
      throw new CommandException(String.join("\n", problems));
    }
    return contents.stream().flatMap(content -> content.objects.stream()).toList();
  }

  private Content read(String path, FileProgress progress) {
    try {
      List<ManifestObject> objects = new ArrayList<>();
      files.read(path).forEach(manifest -> objects.addAll(ManifestObject.of(manifest)));
      return new Content(objects, List.of());
    } catch (ManifestException e) {
      return new Content(List.of(), List.of(String.valueOf(e.getMessage())));
    } finally {
      progress.step();
    }
  }
}
