package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands in this process. */
public final class Commands {
  private Commands() {}

  /** What a command said, and its exit code. */
  public record Ran(int code, String out, String err) {}

  /** Runs a command with nothing on standard input. */
  public static Ran run(String... args) {
    return runWith("", args);
  }

  /** Runs a command with this text on standard input. */
  public static Ran runWith(String stdin, String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int code =
        Sluice.commandLine(new ByteArrayInputStream(stdin.getBytes(UTF_8)))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Ran(code, out.toString(), err.toString());
  }
}
