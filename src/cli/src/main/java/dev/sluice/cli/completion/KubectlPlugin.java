package dev.sluice.cli.completion;

import dev.sluice.server.program.CommandException;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The two files that make a program a plugin of kubectl: kubectl finds them by their names.
 *
 * @param folder absolute; made if it is missing
 */
record KubectlPlugin(Path folder) {
  private static final String MARK = "# Written by sluice completion --install-plugin.";

  /**
   * Writes both files, in place of those of an earlier call.
   *
   * @param launcher the path of the launcher; null if this process was started without it
   * @throws CommandException if there is a file of somebody else, or nothing can be written
   */
  void install(@Nullable String launcher, PrintWriter out) {
    if (launcher == null) {
      throw new CommandException(
          "--install-plugin: the launcher is not known (expected: a call of ./sluice)");
    }
    Path plugin = folder.resolve("kubectl-sluice");
    Path completer = folder.resolve("kubectl_complete-sluice");
    try {
      requireOurs(plugin, Files.isSymbolicLink(plugin));
      requireOurs(completer, isMarked(completer));
      Files.createDirectories(folder);
      Files.deleteIfExists(plugin);
      Files.createSymbolicLink(plugin, Path.of(launcher));
      Files.writeString(completer, script(launcher));
      Files.setPosixFilePermissions(completer, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new CommandException("--install-plugin: " + folder + " cannot be written: " + e);
    }
    out.println("wrote " + plugin);
    out.println("wrote " + completer);
    out.println(
        isOnPath()
            ? "kubectl sluice --help shows the commands."
            : "Add " + folder + " to the PATH; then kubectl sluice --help shows the commands.");
  }

  private static void requireOurs(Path file, boolean isOurs) {
    if (!isOurs && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new CommandException(
          "--install-plugin: " + file + " is there and is not ours (expected: no such file)");
    }
  }

  private static boolean isMarked(Path file) throws IOException {
    return Files.isRegularFile(file) && Files.readString(file).contains(MARK);
  }

  private static String script(String launcher) {
    return """
    #!/bin/sh
    %s
    exec '%s' candidates -- "$@"
    """
        .formatted(MARK, launcher.replace("'", "'\\''"));
  }

  private boolean isOnPath() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(it -> !it.isEmpty())
        .anyMatch(it -> Path.of(it).toAbsolutePath().normalize().equals(folder.normalize()));
  }
}
