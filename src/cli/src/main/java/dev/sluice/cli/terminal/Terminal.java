package dev.sluice.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which of the streams of this process lead to a terminal. */
public enum Terminal {
  STANDARD_OUTPUT(1),
  STANDARD_ERROR(2);

  private final Path descriptor;

  Terminal(int descriptor) {
    this.descriptor = Path.of("/proc/self/fd/" + descriptor);
  }

  /**
   * Whether the stream is a terminal. Java itself only knows input and output together; that is the
   * answer where the system does not describe a stream.
   */
  public boolean isThere() {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return consoleIsThere();
    }
  }

  @SuppressWarnings("SystemConsoleNull") // it is null where -Djdk.console=java.base is given
  private static boolean consoleIsThere() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
