package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Commands that ran in this process. */
final class Ran {
  /**
   * How one ended.
   *
   * @param said what went to its two streams
   */
  record Result(int exitCode, String said) {}

  private Ran() {}

  static Result of(Object command, String... arguments) {
    var said = new StringWriter();
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(said, true));
    line.setErr(new PrintWriter(said, true));
    int exitCode = line.execute(arguments);
    return new Result(exitCode, said.toString());
  }

  /** What a command said that has to end well. */
  static String well(Object command, String... arguments) {
    Result ran = of(command, arguments);
    assertThat(ran.exitCode()).as(ran.said()).isZero();
    return ran.said();
  }
}
