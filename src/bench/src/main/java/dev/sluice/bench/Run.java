package dev.sluice.bench;

import dev.sluice.bench.load.InMemory;
import dev.sluice.bench.load.LoadClient;
import dev.sluice.bench.load.Memory;
import dev.sluice.bench.load.Sample;
import dev.sluice.bench.load.ServerMemory;
import dev.sluice.bench.load.Work;
import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.report.Load;
import dev.sluice.bench.report.Report;
import dev.sluice.bench.report.Row;
import dev.sluice.bench.server.ServerProcess;
import dev.sluice.bench.server.Yardstick;
import dev.sluice.webhook.server.Bounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Measures all cells of a plan. What is compared is measured one right after the other, so that a
 * slow minute of the machine hits both; only one of them works at a time.
 */
final class Run {
  private static final List<Integer> MEMORY_SIZES = List.of(1, 50, 500, 5000);

  private final Plan plan;
  private final Progress progress;
  private final Report report = new Report();

  /** A cell that is still to be measured. */
  private record Cell(int objects, Load load, String what, Supplier<Sample> measure) {}

  Run(Plan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  Report run() throws IOException {
    try (ServerProcess sluice = ServerProcess.start(Yardstick.SLUICE, plan.sluiceJvm());
        ServerProcess echo = ServerProcess.start(Yardstick.ECHO, List.of());
        LoadClient toSluice = client(sluice);
        LoadClient toEcho = client(echo)) {
      measure(cells(toSluice, toEcho));
      measureMemory(toSluice, sluice.handle());
    }
    return report;
  }

  private LoadClient client(ServerProcess server) {
    return new LoadClient(server.target(), server.handle(), plan.protocol());
  }

  private void measure(List<Cell> cells) {
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      progress.doing(
          i + 1,
          cells.size(),
          "%d objects a request, %s, %s"
              .formatted(cell.objects(), cell.load().words(), cell.what()));
      report.add(new Row(cell.objects(), cell.load(), cell.what(), cell.measure().get()));
    }
    progress.done();
  }

  /** Requests of each size, one at a time, and then a look at what is held. */
  private void measureMemory(LoadClient toSluice, ProcessHandle sluice) throws IOException {
    for (int objects : MEMORY_SIZES) {
      Corpus corpus = Corpus.of(plan.makers(), objects, plan.seed());
      Sample sample = toSluice.asFastAsPossible(corpus, 1, plan.window());
      if (sample.failed() > 0 || sample.sent() > sample.answered()) {
        report.add(new Row(objects, new Load.InFlight(1), Report.SLUICE, sample));
      }
      report.add(Memory.of(corpus, ServerMemory.of(sluice)));
    }
  }

  private List<Cell> cells(LoadClient toSluice, LoadClient toEcho) {
    List<Cell> cells = new ArrayList<>();
    for (int objects : plan.sizes()) {
      Corpus corpus = Corpus.of(plan.makers(), objects, plan.seed());
      cells.add(inMemory(corpus, Report.SLUICE, Work.sluice()));
      cells.add(inMemory(corpus, Report.JACKSON, Work.jackson()));
      for (int requests : plan.inFlight()) {
        if (requests * corpus.bytesPerReview() < Bounds.DEFAULT.maxBytesInFlight()) {
          cells.add(inFlight(corpus, Report.SLUICE, requests, toSluice));
          cells.add(inFlight(corpus, Report.ECHO, requests, toEcho));
        } // the server would refuse what passes its bound
      }
    }
    if (plan.rate() > 0) {
      Corpus single = Corpus.of(plan.makers(), 1, plan.seed());
      cells.add(atRate(single, Report.SLUICE, toSluice));
      cells.add(atRate(single, Report.ECHO, toEcho));
    }
    return cells;
  }

  private Cell inMemory(Corpus corpus, String what, ToLongFunction<byte[]> work) {
    return new Cell(
        corpus.objectsPerReview(),
        new Load.InMemory(),
        what,
        () -> InMemory.measure(work, corpus, plan.window()));
  }

  private Cell inFlight(Corpus corpus, String what, int requests, LoadClient client) {
    return new Cell(
        corpus.objectsPerReview(),
        new Load.InFlight(requests),
        what,
        () -> client.asFastAsPossible(corpus, requests, plan.window()));
  }

  private Cell atRate(Corpus corpus, String what, LoadClient client) {
    return new Cell(
        corpus.objectsPerReview(),
        new Load.AtRate(plan.rate()),
        what,
        () -> client.atRate(corpus, plan.rate(), plan.window()));
  }
}
