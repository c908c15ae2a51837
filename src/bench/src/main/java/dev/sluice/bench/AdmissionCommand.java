package dev.sluice.bench;

import dev.sluice.bench.load.LoadClient;
import dev.sluice.bench.load.Protocol;
import dev.sluice.bench.load.Sample;
import dev.sluice.bench.load.Window;
import dev.sluice.bench.objects.AdmissionCase;
import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.report.AdmissionReport;
import dev.sluice.bench.report.Load;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.server.ServerProcess;
import dev.sluice.bench.server.Yardstick;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures admission over HTTPS and prints a table. */
@Command(
    name = "admission",
    mixinStandardHelpOptions = true,
    header = "Measures admission next to a bare server that parses each review and allows it.",
    description =
        "Sluice, the bare server and the client run in a process each, on the same machine; what is"
            + " compared runs right after the other. HTTP/2 has one connection with so many"
            + " requests in flight, HTTP/1.1 so many connections with one each. Every answer is"
            + " checked; the exit code is 1 if one was missing or wrong.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run admission",
      "  src/bench/run admission --cases JOB_MUTATION --in-flight 16 --warm-up 10 --measure 20",
      "  src/bench/run admission --save src/bench/results/admission.md"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class AdmissionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CellOptions options;

  @Option(
      names = "--cases",
      split = ",",
      defaultValue =
          "CLUSTER_QUEUE_VALIDATION,JOB_MUTATION,JOB_VALIDATION,POD_MUTATION,POD_VALIDATION",
      description = "What is asked (default: ${DEFAULT-VALUE}).")
  private List<AdmissionCase> cases;

  @Option(
      names = "--rate",
      defaultValue = "2000",
      description = "Reviews a second, for the latency; 0 for no such cell (default: 2000).")
  private int rate;

  @Option(names = "--save", paramLabel = "FILE", description = "Keep the result there.")
  private @Nullable Path save;

  /** A cell that is still to be measured. */
  private record Todo(
      AdmissionCase review, Corpus corpus, Protocol protocol, Load load, String server) {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    String head = head();
    out.println(head);
    out.flush();
    AdmissionReport report = measure();
    String text =
        report.text() + (report.complete() ? "" : "NOT every answer was there and good:\n");
    out.print(text + report.problems());
    out.flush();
    if (save != null) {
      Files.writeString(save, "# " + head + "\n" + text + report.problems());
    }
    return report.complete() ? 0 : 1;
  }

  private String head() {
    return """
    Admission, %s

    Machine: %s. Servers and client are three processes that share these processors.
    JVM options: %s
    Cells: %s s warm-up, %s s measured; seed %d. Bytes of a review: %s.
    """
        .formatted(
            Instant.now().toString().substring(0, 16).replace('T', ' ') + " UTC",
            Machine.current().description(),
            String.join(" ", ServerProcess.JVM_OPTIONS),
            options.window().warmUp().toMillis() / 1e3,
            options.window().measured().toMillis() / 1e3,
            options.seed(),
            String.join(
                ", ",
                cases.stream()
                    .map(
                        it ->
                            "%s %.0f"
                                .formatted(it.words(), it.corpus(options.seed()).bytesPerReview()))
                    .toList()));
  }

  private AdmissionReport measure() throws IOException {
    AdmissionReport report = new AdmissionReport();
    try (ServerProcess sluice = ServerProcess.start(Yardstick.SLUICE, options.sluiceJvm());
        ServerProcess bare = ServerProcess.start(Yardstick.BARE, List.of())) {
      Progress progress = new Progress(System.err, Boolean.getBoolean("bench.terminal"));
      List<Todo> cells = cells();
      for (int i = 0; i < cells.size(); i++) {
        Todo cell = cells.get(i);
        progress.doing(i + 1, cells.size(), words(cell));
        boolean isSluice = cell.server.equals(Yardstick.SLUICE.label());
        report.add(measure(cell, isSluice ? sluice : bare));
      }
      progress.done();
    }
    return report;
  }

  private static String words(Todo cell) {
    return "%s, %s, %s, %s"
        .formatted(cell.review.words(), cell.protocol.words(), cell.load.words(), cell.server);
  }

  private List<Todo> cells() {
    List<Todo> cells = new ArrayList<>();
    List<Protocol> protocols =
        List.of(Protocol.ONE_HTTP2_CONNECTION, Protocol.HTTP1_CONNECTION_EACH);
    for (AdmissionCase review : cases) {
      Corpus corpus = review.corpus(options.seed());
      for (Protocol protocol : protocols) {
        for (int requests : options.inFlight()) {
          add(review, corpus, protocol, new Load.InFlight(requests), cells);
        }
        if (rate > 0) {
          add(review, corpus, protocol, new Load.AtRate(rate), cells);
        }
      }
    }
    return cells;
  }

  private static void add(
      AdmissionCase review, Corpus corpus, Protocol protocol, Load load, List<Todo> cells) {
    cells.add(new Todo(review, corpus, protocol, load, Yardstick.SLUICE.label()));
    cells.add(new Todo(review, corpus, protocol, load, Yardstick.BARE.label()));
  }

  private AdmissionReport.Cell measure(Todo cell, ServerProcess server) {
    Window window = options.window();
    try (LoadClient client = new LoadClient(server.target(), server.handle(), cell.protocol)) {
      Sample sample =
          switch (cell.load) {
            case Load.InFlight(int requests) ->
                client.asFastAsPossible(cell.corpus, requests, window);
            case Load.AtRate(int perSecond) -> client.atRate(cell.corpus, perSecond, window);
            case Load.InMemory() ->
                throw new IllegalArgumentException("in memory (expected: over HTTPS)");
          };
      return new AdmissionReport.Cell(
          cell.review.words(), cell.protocol, cell.load, cell.server, sample);
    }
  }
}
