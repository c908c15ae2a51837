package dev.sluice.cli.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the documents of files and folders as trees, for commands that need no lines. */
public final class ManifestTrees {
  private ManifestTrees() {}

  /**
   * All documents of the files, folders within folders included.
   *
   * @param stdin what is meant where a file is called {@code -}
   * @throws CommandException with all that cannot be read
   */
  public static List<JsonNode> read(List<String> names, InputStream stdin) {
    List<String> problems = new ArrayList<>();
    ManifestFiles reader = new ManifestFiles(stdin);
    List<JsonNode> documents = new ArrayList<>();
    for (String file : ManifestPaths.find(names, true, problems)) {
      try {
        for (Manifest manifest : reader.read(file)) {
          documents.add(new ObjectMapper().readTree(manifest.value().toByteArray()));
        }
      } catch (ManifestException e) {
        problems.add(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        throw new IllegalStateException("checked JSON cannot be read", e);
      }
    }
    if (!problems.isEmpty()) {
      throw new CommandException(String.join("\n", problems));
    }
    return documents;
  }
}
