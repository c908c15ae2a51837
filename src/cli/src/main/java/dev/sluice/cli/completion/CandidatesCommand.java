package dev.sluice.cli.completion;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what may come next in a command line, as kubectl wants it of its plugins. */
@Command(
    name = "candidates",
    hidden = true,
    header = "Prints what may come next in a command line, one word a line.")
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class CandidatesCommand implements Callable<Integer> {
  /** The last line: the shell need not offer files in place of words. */
  private static final String NO_FILES = ":4";

  /** The same, but where a value is expected the shell offers files. */
  private static final String FILES = ":0";

  private final Supplier<CommandLine> program;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "WORD", description = "The words so far; the last is not yet complete.")
  private List<String> words = List.of();

  /** What may come next after a name of this program. */
  public CandidatesCommand(Supplier<CommandLine> program) {
    this.program = program;
  }

  @Override
  public Integer call() {
    List<String> typed = words.isEmpty() ? List.of("") : words;
    String last = typed.getLast();
    List<CharSequence> ends = new ArrayList<>();
    AutoComplete.complete(
        program.get().getCommandSpec(),
        typed.toArray(String[]::new),
        typed.size() - 1,
        last.length(),
        String.join(" ", typed).length(),
        ends);
    PrintWriter out = spec.commandLine().getOut();
    ends.stream().map(end -> last + end).sorted().distinct().forEach(out::println);
    out.println(ends.isEmpty() ? FILES : NO_FILES);
    out.flush();
    return 0;
  }
}
