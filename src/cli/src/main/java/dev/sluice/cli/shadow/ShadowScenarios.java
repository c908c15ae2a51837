package dev.sluice.cli.shadow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.replay.RecordedDecision;
import dev.sluice.cli.replay.RecordedDecision.Role;
import dev.sluice.cli.replay.ScenarioExport;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.shadow.Judgement;
import dev.sluice.see.shadow.Judgement.Evidence;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.shadow.KnownObjects;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Writes scenarios of differences, on a thread of its own: finding the least objects takes longer
 * than a comparison. {@code sluice test} passes on each; it shows our decision. A difference whose
 * scenario cannot be written is reported without one, and the failure is counted.
 */
final class ShadowScenarios implements AutoCloseable {
  /** What is left out of a scenario after that is little. */
  private static final Duration REDUCTION = Duration.ofSeconds(20);

  /** Makes a scenario of a decision, and leaves out what it can while it may go on. */
  @FunctionalInterface
  interface Export {
    /** The scenario. */
    ObjectNode of(RecordedDecision decision, BooleanSupplier goOn);
  }

  /** For one scenario; a thread that is silent for so long hangs. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private static final int MOST_BYTES = 1 << 20;

  private final Path folder;
  private final int most;
  private final EngineConfiguration configuration;
  private final Map<Judgement, String> written = new ConcurrentHashMap<>();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("sluice-scenarios").daemon().factory());
  private final Export export;
  private final Part part;
  private final Heartbeat heart;

  private int taken;

  /**
   * Writes into that folder.
   *
   * @param most how many files; later differences get none
   * @param supervisor counts what fails, and sees that the thread goes on
   * @throws CommandException if the folder cannot be made
   */
  ShadowScenarios(Path folder, int most, EngineConfiguration configuration, Supervisor supervisor) {
    this(
        folder,
        most,
        configuration,
        (decision, goOn) -> ScenarioExport.of(decision, false, goOn),
        supervisor);
  }

  /** One that makes its scenarios by that. */
  ShadowScenarios(
      Path folder,
      int most,
      EngineConfiguration configuration,
      Export export,
      Supervisor supervisor) {
    this.export = export;
    this.folder = folder;
    this.most = most;
    this.configuration = configuration;
    this.part = supervisor.part("scenarios");
    this.heart = part.heartbeat(DEADLINE);
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new CommandException("--scenarios: " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Has a scenario written of a difference, if there is room for one more; returns at once. */
  void take(Judgement judgement, KnownObjects objects) {
    Evidence evidence = judgement.evidence();
    Outcome outcome = evidence == null ? null : evidence.outcome();
    if (evidence == null || taken >= most) {
      return;
    }
    taken++;
    if (outcome == null) {
      written.put(key(judgement), "none: no cycle considers the Workload");
      return;
    }
    RecordedDecision decision = decision(evidence, outcome, objects);
    int number = taken;
    worker.execute(part.guarded(() -> writeWatched(judgement, decision, number)));
  }

  /** The same without the state, which is large. */
  static Judgement key(Judgement it) {
    return new Judgement(
        it.at(),
        it.verdict(),
        it.deviation(),
        it.workload(),
        it.uid(),
        it.clusterQueue(),
        it.theirs(),
        it.ours(),
        null);
  }

  private RecordedDecision decision(Evidence evidence, Outcome outcome, KnownObjects objects) {
    List<RecordedDecision.Known> known = new ArrayList<>();
    for (KnownObjects.Known it : objects.all()) {
      known.add(new RecordedDecision.Known(it.kind(), it.key(), it.object(), Role.REST));
    }
    for (WorkloadState state : evidence.engine().fork().snapshot(evidence.at()).workloads()) {
      boolean isHead = state.key().equals(outcome.workload());
      Role role = state.holdsQuota() ? Role.REST : isHead ? Role.HEAD : Role.ASLEEP;
      known.add(
          new RecordedDecision.Known(ObjectKind.WORKLOAD, state.key(), state.workload(), role));
    }
    return new RecordedDecision(
        evidence.at(), outcome, known, ConfigurationDocument.write(configuration));
  }

  private void writeWatched(Judgement judgement, RecordedDecision decision, int number) {
    heart.beat();
    try {
      write(judgement, decision, number);
    } finally {
      heart.rest();
    }
  }

  private void write(Judgement judgement, RecordedDecision decision, int number) {
    ObjectKey workload = judgement.workload();
    String name =
        "%03d-%s-%s-%s.yaml"
            .formatted(
                number,
                judgement.verdict().label().replace('_', '-'),
                workload.namespace(),
                workload.name());
    long start = System.nanoTime();
    try {
      ObjectNode scenario =
          export.of(decision, () -> System.nanoTime() - start < REDUCTION.toNanos());
      String text = comment(judgement) + YamlWriter.write(scenario);
      if (text.length() > MOST_BYTES) {
        written.put(key(judgement), "none: it would have more than 1 MiB");
        return;
      }
      Files.writeString(folder.resolve(name), text, UTF_8);
      written.put(key(judgement), name);
    } catch (IOException | CommandException e) { // no room on the disk, or no scenario shows it
      written.put(key(judgement), "none: " + e.getMessage());
    } catch (RuntimeException e) {
      written.put(key(judgement), "none: " + e.getMessage());
      part.failed(e, "the difference has no scenario, and others follow");
    }
  }

  private static String comment(Judgement it) {
    return "# %s: the other scheduler %s.%n# Sluice %s, which this scenario shows.%n"
        .formatted(it.verdict().text(), oneLine(it.theirs()), oneLine(it.ours()));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }

  /** The file of the difference, or why it has none; empty where none was wanted. */
  String of(Judgement judgement) {
    return written.getOrDefault(judgement, "");
  }

  /** Waits for those that are being written, for a minute at most. */
  @Override
  public void close() {
    worker.shutdown();
    try {
      if (!worker.awaitTermination(REDUCTION.toSeconds() * 3, TimeUnit.SECONDS)) {
        worker.shutdownNow();
      }
    } catch (InterruptedException _) {
      worker.shutdownNow();
      Thread.currentThread().interrupt();
    } finally {
      heart.close();
    }
  }
}
