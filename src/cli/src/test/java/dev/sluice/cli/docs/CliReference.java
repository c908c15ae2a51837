package dev.sluice.cli.docs;

import dev.sluice.cli.Sluice;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page about the command line, made of what {@code --help} prints. */
final class CliReference {
  private static final int WIDTH = 100;

  private CliReference() {}

  static String page() {
    CommandLine sluice = Sluice.commandLine();
    var page =
        new StringBuilder(
            """
            # Command line

            This page is for everybody who runs `sluice`. It has the help of every command, as \
            `--help` prints it.
            A test keeps it equal to the program; do not edit it by hand.

            A terminal shows the same text at its own width. `sluice completion bash` or `zsh` \
            makes the shell complete
            commands and flags.

            """);
    sections(page, "sluice", sluice);
    page.append(
        """
        ## Next

        - [Configuration](configuration.md)
        - [On a laptop](../getting-started/laptop.md)
        """);
    return page.toString();
  }

  /** A section for the command and for each of its own. */
  private static void sections(StringBuilder page, String title, CommandLine command) {
    section(page, title, command);
    command
        .getSubcommands()
        .forEach(
            (name, each) -> {
              if (!each.getCommandSpec().usageMessage().hidden()) {
                sections(page, title + " " + name, each);
              }
            });
  }

  private static void section(StringBuilder page, String title, CommandLine command) {
    command.getCommandSpec().usageMessage().autoWidth(false).width(WIDTH);
    page.append("## %s%n%n```text%n".formatted(title));
    command
        .getUsageMessage(Ansi.OFF)
        .lines()
        .map(String::stripTrailing)
        .forEach(it -> page.append(it).append('\n'));
    page.append("```\n\n");
  }
}
