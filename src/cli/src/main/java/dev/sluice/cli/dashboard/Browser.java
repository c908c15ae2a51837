package dev.sluice.cli.dashboard;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Opens addresses in the browser of the user. */
final class Browser {
  private Browser() {}

  /**
   * Asks the system to open the address; returns at once.
   *
   * @return whether there is a program for that
   */
  static boolean open(String address) {
    try {
      new ProcessBuilder(command(System.getProperty("os.name", ""), address))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException _) {
      return false; // there is no such program
    }
  }

  /** The command of that system which opens an address. */
  static List<String> command(String system, String address) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return List.of("open", address);
    }
    return name.startsWith("windows")
        ? List.of("rundll32", "url.dll,FileProtocolHandler", address)
        : List.of("xdg-open", address);
  }
}
