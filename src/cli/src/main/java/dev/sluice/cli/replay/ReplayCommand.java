package dev.sluice.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.picture.UsageOverTime;
import dev.sluice.cli.picture.UsageSvg;
import dev.sluice.cli.replay.WhatIfReport.Play;
import dev.sluice.cli.simulate.SimulationInput;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.MalformedRecordingException;
import dev.sluice.scheduler.recorder.RecordingReader;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Decides a recording again. */
@Command(
    name = "replay",
    header = "Decides again what sluice schedule --record has recorded, and compares.",
    description = {
      "Every decision is made again by this version, and must be the one that was recorded. The"
          + " hashes of the recording are checked, too. Exit code 1 at the first decision that"
          + " differs, and for a recording that was altered or lacks a segment.",
      "",
      "With --export, one decision becomes a scenario with the least objects that still show it;"
          + " sluice test passes on it.",
      "",
      "With -f, --config, or --diff, the work arrives and runs as it was recorded, and all"
          + " decisions are new. Work that had not ended runs as long as half of its queue did."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice replay /var/lib/sluice/recording",
      "  sluice replay recording/ --from 2026-01-31T03:00:00Z --to 2026-01-31T04:00:00Z -o json",
      "  sluice replay recording/ -f bigger-quota.yaml --svg both.svg",
      "  sluice replay recording/ --export night.yaml --around team-b/train@2026-01-31T03:12:00Z"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ReplayCommand implements Callable<Integer> {
  /** What is left out of a scenario after that is little. */
  private static final Duration REDUCTION = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR|FILE",
      description = "The folder of a recording, or one of its segments.")
  private Path recording;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = Time.class,
      description = "Report decisions from that time on; all before it are made, too.")
  private Instant from = Instant.MIN;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = Time.class,
      description = "Stop at that time.")
  private Instant to = Instant.MAX;

  @Option(
      names = "--verify",
      description =
          "Compare each decision with the recorded one: the default, and first with --export.")
  private boolean verify;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw to this file what each queue used; for edits, in both plays.")
  private @Nullable Path svg;

  @ArgGroup(exclusive = false)
  private @Nullable Export export;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "EDITS",
      description =
          "Play the recorded work again with these queues, flavors and the like, merged into the"
              + " recorded ones, and show what becomes of each queue; a file or folder,"
              + " repeatable.")
  private List<String> edits = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Play it again with this Configuration.")
  private @Nullable String configuration;

  @Option(
      names = "--diff",
      paramLabel = "EDITS",
      arity = "2",
      description = "Play it with each of two files of edits, and show both.")
  private List<String> diff = new ArrayList<>();

  /** How the result is written. */
  enum Format {
    TEXT,
    JSON
  }

  /** What becomes a scenario. */
  private static final class Export {
    @Option(
        names = "--export",
        paramLabel = "FILE",
        required = true,
        description = "Write a scenario of one decision to this file; - for standard output.")
    private String file;

    @Option(
        names = "--around",
        paramLabel = "NS/NAME@TIME",
        required = true,
        converter = Around.class,
        description =
            "The first decision about this workload at that time or later, as the one that waits"
                + " or as one that is preempted; without a later one, the last before.")
    private About around;

    @Option(
        names = "--anonymize",
        description =
            "Replace names, uids and labels in the scenario; names of resources and times stay.")
    private boolean anonymize;
  }

  /** A workload at a time. */
  record About(ObjectKey workload, Instant time) {}

  /** Times such as 2026-01-31T12:00:00Z. */
  static final class Time implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeException _) {
        throw new TypeConversionException(text + " (expected: a time like 2026-01-31T12:00:00Z)");
      }
    }
  }

  /** A workload at a time, such as team-a/train@2026-01-31T12:00:00Z. */
  static final class Around implements ITypeConverter<About> {
    @Override
    public About convert(String text) {
      int at = text.indexOf('@');
      int slash = text.indexOf('/');
      if (slash <= 0 || at < slash + 2) {
        throw new TypeConversionException(text + " (expected: NAMESPACE/NAME@TIME)");
      }
      return new About(
          new ObjectKey(text.substring(0, slash), text.substring(slash + 1, at)),
          new Time().convert(text.substring(at + 1)));
    }
  }

  @Override
  public Integer call() {
    if (!Files.exists(recording)) {
      throw new ParameterException(
          spec.commandLine(), recording + ": no such file or folder (expected: a recording)");
    }
    try {
      if (!edits.isEmpty() || configuration != null || !diff.isEmpty()) {
        return play();
      }
      int compared = export == null || verify ? compare() : 0;
      return export == null || compared != 0 ? compared : write(export);
    } catch (MalformedRecordingException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new CommandException(recording + ": " + e.getMessage(), e);
    }
  }

  private int compare() throws IOException {
    var reader = new RecordingReader();
    var verification = new Verification(from, to, svg != null);
    reader.read(recording, verification);
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case TEXT -> out.print(verification.text(reader));
      case JSON -> out.println(verification.json(reader).toPrettyString());
    }
    out.flush();
    draw(verification.usage());
    return verification.isSame() ? 0 : 1;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw new CommandException("%s cannot be written: %s".formatted(file, e), e);
    }
  }

  private void draw(UsageOverTime usage) {
    if (svg != null) {
      write(svg, UsageSvg.of(usage));
    }
  }

  private int play() throws IOException {
    if (export != null || (!diff.isEmpty() && (!edits.isEmpty() || configuration != null))) {
      throw new ParameterException(
          spec.commandLine(),
          "--diff, --export, and edits exclude each other (expected: one of them)");
    }
    var course = new Course();
    new RecordingReader().read(recording, course);
    Play first;
    Play second;
    if (diff.isEmpty()) {
      EngineConfiguration other =
          configuration == null
              ? course.configuration()
              : EngineConfiguration.of(
                  SimulationInput.of(
                          SimulationInput.readConfiguration(
                              List.of(configuration), InputStream.nullInputStream()))
                      .configuration()
                      .configuration());
      first = played("as it was", course, course.configuration(), List.of());
      second = played("edited", course, other, edits);
    } else {
      String a = diff.getFirst();
      String b = diff.getLast();
      first = played(a, course, course.configuration(), List.of(a));
      second = played(b, course, course.configuration(), List.of(b));
    }
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case TEXT -> out.print(WhatIfReport.text(first, second));
      case JSON -> out.println(WhatIfReport.json(first, second).toPrettyString());
    }
    out.flush();
    draw(first.usage().beside(first.name(), second.usage(), second.name()));
    return 0;
  }

  private static List<JsonNode> documents(List<String> files) {
    return files.isEmpty() ? List.of() : SimulationInput.read(files, InputStream.nullInputStream());
  }

  private Play played(String name, Course course, EngineConfiguration engine, List<String> files) {
    WhatIf played = WhatIf.play(course, engine, new Edits(documents(files)), svg != null);
    return new Play(name, played.results(), played.usage());
  }

  private int write(Export wanted) throws IOException {
    RecordedDecision decision =
        RecordedDecision.find(recording, wanted.around.workload(), wanted.around.time());
    if (decision == null) {
      throw new CommandException(
          wanted.around.workload() + ": the recording has no decision about it");
    }
    long start = System.nanoTime();
    ObjectNode scenario =
        ScenarioExport.of(
            decision, wanted.anonymize, () -> System.nanoTime() - start < REDUCTION.toNanos());
    String text = YamlWriter.write(scenario);
    PrintWriter out = spec.commandLine().getOut();
    if (wanted.file.equals("-")) {
      out.print(text);
    } else {
      write(Path.of(wanted.file), text);
      out.println(
          "%s: %s, %d of %d objects"
              .formatted(
                  wanted.file,
                  scenario.at("/metadata/name").asText(),
                  scenario.at("/spec/objects").size(),
                  decision.objects().size()));
    }
    out.flush();
    return 0;
  }
}
