package dev.sluice.bench;

import dev.sluice.bench.report.Machine;
import dev.sluice.bench.worst.WorstMemory;
import dev.sluice.bench.worst.WorstText;
import dev.sluice.bench.worst.WorstTexts;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures the heap that the worst texts known take, and prints a table. */
@Command(
    name = "worst",
    mixinStandardHelpOptions = true,
    header = "Measures the smallest heap in which the worst conversions known are answered.",
    description =
        "Each text is answered in JVMs of its own, whose heap is bisected to 6 MiB. Charged is what"
            + " the server takes for it from the bytes in flight, the body included.")
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class WorstCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<WorstText> texts = WorstTexts.all();
    Progress progress = new Progress(System.err, Boolean.getBoolean("bench.terminal"));
    WorstMemory memory = new WorstMemory();
    for (int i = 0; i < texts.size(); i++) {
      progress.doing(i + 1, texts.size(), texts.get(i).name());
      memory.measure(texts.get(i));
    }
    progress.done();
    spec.commandLine()
        .getOut()
        .printf("Machine: %s.%n%n%s", Machine.current().description(), memory.table());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
