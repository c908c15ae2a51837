package dev.sluice.cli.manifest;

import java.util.List;
import picocli.CommandLine.Option;

/** What says which manifests a command reads, at least one. */
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ManifestFlags {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      arity = "1..*",
      description =
          "YAML or JSON with any number of documents, or a folder with such files; - for standard"
              + " input; repeatable.")
  private List<String> files;

  @Option(
      names = {"-R", "--recursive"},
      description = "Take the folders within folders, too, except hidden ones.")
  private boolean recursive;

  /** Files, folders and {@code -}, as they were given. */
  public List<String> files() {
    return files;
  }

  /** Whether folders within folders count. */
  public boolean recursive() {
    return recursive;
  }
}
