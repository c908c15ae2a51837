package dev.sluice.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commit that the program was built from.
 *
 * @param commit its hash
 * @param changed whether files in the clone differ from it
 */
record SourceRevision(String commit, boolean changed) {

  /** The commit of the clone around this folder; empty where there is none, or no git. */
  static Optional<SourceRevision> around(Path folder, Tool tool) throws IOException {
    try {
      Tool.Ran head = tool.attempt(git(folder, "rev-parse", "HEAD"));
      if (!head.succeeded()) {
        return Optional.empty();
      }
      Tool.Ran status = tool.attempt(git(folder, "status", "--porcelain"));
      return Optional.of(new SourceRevision(head.out().strip(), !status.out().isBlank()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static List<String> git(Path folder, String... args) {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(args));
    return command;
  }
}
