package dev.sluice.server.objects;

import dev.sluice.json.yaml.ManifestException;
import dev.sluice.server.manifest.ManifestFiles;
import dev.sluice.server.manifest.ManifestPaths;
import dev.sluice.server.program.CommandException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads the objects of files and folders, several files at a time. */
public final class ManifestObjects {
  private final ManifestFiles files;
  private final Function<List<String>, ReadProgress> progress;

  /** What is in a file, or why it cannot be read. */
  private record Content(List<ManifestObject> objects, List<String> problems) {}

  private record NoProgress() implements ReadProgress {
    @Override
    public void step() {}

    @Override
    public void close() {}
  }

  /**
   * A reader.
   *
   * @param stdin what is meant where a file is called {@code -}
   * @param progress shows the progress through these files
   */
  public ManifestObjects(InputStream stdin, Function<List<String>, ReadProgress> progress) {
    this.files = new ManifestFiles(stdin);
    this.progress = progress;
  }

  /** A reader that does not show its progress and is not given standard input. */
  public static ManifestObjects silently() {
    return new ManifestObjects(InputStream.nullInputStream(), _ -> new NoProgress());
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
    try (ReadProgress shown = progress.apply(paths)) {
      contents = paths.parallelStream().map(path -> read(path, shown)).toList();
    }
    contents.forEach(content -> problems.addAll(content.problems));
    if (!problems.isEmpty()) {
      throw new CommandException(String.join("\n", problems));
    }
    return contents.stream().flatMap(content -> content.objects.stream()).toList();
  }

  private Content read(String path, ReadProgress shown) {
    try {
      List<ManifestObject> objects = new ArrayList<>();
      files.read(path).forEach(manifest -> objects.addAll(ManifestObject.of(manifest)));
      return new Content(objects, List.of());
    } catch (ManifestException e) {
      return new Content(List.of(), List.of(String.valueOf(e.getMessage())));
    } finally {
      shown.step();
    }
  }
}
