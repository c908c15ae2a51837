package dev.sluice.bench;

import dev.sluice.bench.load.Protocol;
import dev.sluice.bench.objects.ObjectMaker;
import dev.sluice.bench.objects.ObjectMakers;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.report.Report;
import dev.sluice.bench.server.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures conversions over HTTPS and prints a table. */
@Command(
    name = "src/bench/run",
    mixinStandardHelpOptions = true,
    header = "Measures conversions next to a server that only echoes, and next to plain Jackson.",
    description =
        "Sluice, the echo and the client run in a process each, on the same machine. Every answer"
            + " is checked; the exit code is 1 if one was missing or wrong.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run",
      "  src/bench/run --save",
      "  src/bench/run --sizes 500 --in-flight 16 --warm-up 10 --measure 20",
      "  src/bench/run --sluice-jvm=-XX:StartFlightRecording:filename=sluice.jfr",
      "  src/bench/run admission",
      "  src/bench/run micro -f 1 ReviewBenchmark"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class ConversionsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CellOptions options;

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description = "Kinds to convert, in turn (default: all).")
  private @Nullable List<String> kinds;

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "1,50,500",
      description = "Objects in each request (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description =
          "Requests of one object to send a second; 0 for no such cell (default:"
              + " ${DEFAULT-VALUE}).")
  private int rate;

  @Option(names = "--http1", description = "16 HTTP/1.1 connections in place of one HTTP/2.")
  private boolean http1;

  @Option(
      names = "--save",
      arity = "0..1",
      fallbackValue = "src/bench/results",
      paramLabel = "FOLDER",
      description = "Keep the result in a file there (default: ${FALLBACK-VALUE}).")
  private @Nullable Path save;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all numbers to this file too, in JSON.")
  private @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    Instant began = Instant.now();
    Machine machine = Machine.current();
    Plan plan = plan();
    PrintWriter out = spec.commandLine().getOut();
    String head = head(began, machine, plan);
    out.println(head);
    Report report =
        new Run(plan, new Progress(System.err, Boolean.getBoolean("bench.terminal"))).run();
    String text =
        "%s%n%s%n%s%n%,d requests sent; every answer was %s%n"
            .formatted(
                report.table(),
                report.memoryTable(),
                report.summary(),
                report.requests(),
                report.complete() ? "there and good." : "NOT there and good:");
    out.println(text + report.problems());
    out.flush();
    if (save != null) {
      keep(save, began, machine, head + "\n" + text + report.problems());
    }
    if (json != null) {
      Files.writeString(json, report.json(began, machine));
    }
    return report.complete() ? 0 : 1;
  }

  private Plan plan() {
    List<ObjectMaker> makers =
        kinds == null ? ObjectMakers.ofKnownKinds() : ObjectMakers.ofKinds(kinds);
    return new Plan(
        makers,
        sizes,
        options.inFlight(),
        rate,
        options.window(),
        http1 ? Protocol.HTTP1_CONNECTIONS : Protocol.ONE_HTTP2_CONNECTION,
        options.seed(),
        options.sluiceJvm());
  }

  private static String head(Instant began, Machine machine, Plan plan) {
    return """
    Conversions, %s

    Machine: %s. Server and client are two processes that share these processors.
    JVM options: %s
    Objects: %s; seed %d. Cells: %s s warm-up, %s s measured; %s.
    """
        .formatted(
            began.toString().substring(0, 16).replace('T', ' ') + " UTC",
            machine.description(),
            String.join(" ", ServerProcess.JVM_OPTIONS),
            plan.describeObjects(),
            plan.seed(),
            plan.window().warmUp().toMillis() / 1e3,
            plan.window().measured().toMillis() / 1e3,
            plan.protocol() == Protocol.ONE_HTTP2_CONNECTION
                ? "one HTTP/2 connection"
                : "16 HTTP/1.1 connections");
  }

  private void keep(Path folder, Instant began, Machine machine, String text) throws IOException {
    String date = DateTimeFormatter.ISO_LOCAL_DATE.withZone(ZoneOffset.UTC).format(began);
    Path file = folder.resolve(date + "-" + machine.kind() + ".md");
    Files.createDirectories(folder);
    Files.writeString(file, "# " + text.strip() + "\n");
    spec.commandLine().getOut().println("Kept in " + file);
  }
}
