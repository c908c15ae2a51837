package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Commands that ran in this process. */
final class Ran {
  private Ran() {}

  /** What a command said that has to end well. */
  static String well(Object command, String... arguments) {
    var said = new StringWriter();
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(said, true));
    line.setErr(new PrintWriter(said, true));
    assertThat(line.execute(arguments)).as(said::toString).isZero();
    return said.toString();
  }
}
