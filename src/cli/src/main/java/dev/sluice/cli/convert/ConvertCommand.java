package dev.sluice.cli.convert;

import dev.sluice.api.ApiVersion;
import dev.sluice.cli.manifest.ManifestFlags;
import dev.sluice.cli.progress.FileProgress;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.yaml.Manifest.Format;
import dev.sluice.server.manifest.ManifestFiles;
import dev.sluice.server.manifest.ManifestPaths;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Converts manifests offline. */
@Command(
    name = "convert",
    header = "Converts manifests to another version of their kind, offline.",
    description = {
      "Comments, order and spelling stay; objects of other groups pass unchanged. If one object"
          + " cannot be converted, nothing is printed; with --in-place, nothing of its file is"
          + " changed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice convert -f topology.yaml --to v1beta2",
      "  helm template queues | sluice convert -f - --to v1beta2",
      "  sluice convert -R -f deploy/ --to v1beta2 --dry-run",
      "  sluice convert -R -f deploy/ --to v1beta2 --in-place",
      "  sluice convert -f cohorts.json --to v1beta2 -o yaml",
      "  sluice convert -f stored.yaml --to v1beta2 --carry"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ConvertCommand implements Callable<Integer> {
  private final InputStream stdin;

  private FileProgress progress = FileProgress.none();

  @Spec private CommandSpec spec;

  @Mixin private ManifestFlags manifests;

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      required = true,
      converter = VersionConverter.class,
      description = "v1alpha1, v1beta1 or v1beta2.")
  private ApiVersion to;

  @Option(
      names = "--carry",
      description =
          "Convert objects with odd content too, as the server does, and only warn about them.")
  private boolean carry;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "yaml or json (default: as each document came). Documents that come in the other format"
              + " are rewritten.")
  private @Nullable Format format;

  @Option(
      names = "--in-place",
      description = "Replace the files instead of printing; each as a whole or not at all.")
  private boolean inPlace;

  @Option(
      names = "--dry-run",
      description = "Change nothing and print what would change, as a unified diff.")
  private boolean dryRun;

  /** The command, with what it is to read where a file is called {@code -}. */
  public ConvertCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  public Integer call() {
    checkUsage();
    ManifestConverter converter =
        new ManifestConverter(to, carry ? Mode.CARRY : Mode.FAIL, this::say);
    FileConverter fileConverter = new FileConverter(new ManifestFiles(stdin), converter, this::say);
    List<String> problems = new ArrayList<>();
    List<String> paths = ManifestPaths.find(manifests.files(), manifests.recursive(), problems);
    boolean yes =
        (inPlace || dryRun)
            ? replace(fileConverter, paths, problems)
            : print(fileConverter, paths, problems);
    return yes ? 0 : 1;
  }

  private void checkUsage() {
    if ((inPlace || dryRun) && format != null) {
      throw new ParameterException(
          spec.commandLine(),
          "-o: only for printing (expected: neither --in-place nor --dry-run beside it)");
    }
    if (inPlace && manifests.files().contains("-")) {
      throw new ParameterException(
          spec.commandLine(), "-f -: standard input has no place (expected: files or folders)");
    }
  }

  private boolean print(FileConverter converter, List<String> paths, List<String> problems) {
    List<ConvertedFile> converted = new ArrayList<>();
    try (FileProgress bar = FileProgress.over("convert", paths, false)) {
      progress = bar;
      for (String path : paths) {
        converted.add(converter.convert(path));
        bar.step();
      }
    }
    converted.forEach(file -> problems.addAll(file.problems()));
    report(problems);
    if (!problems.isEmpty() && !carry) {
      String hint = "sluice: nothing was printed; --carry prints what can be converted";
      spec.commandLine().getErr().println(hint);
      return false;
    }
    ConvertedOutput output = new ConvertedOutput(spec.commandLine().getOut(), format);
    converted.forEach(output::print);
    output.flush();
    return problems.isEmpty();
  }

  private boolean replace(FileConverter converter, List<String> paths, List<String> problems) {
    report(problems);
    ConvertSummary summary = new ConvertSummary(problems.size());
    try (FileProgress bar = FileProgress.over("convert", paths, dryRun)) {
      progress = bar;
      for (String path : paths) {
        replace(converter.convert(path), summary);
        bar.step();
      }
    }
    spec.commandLine().getOut().flush();
    spec.commandLine().getErr().println(summary.text(dryRun));
    return summary.errors() == 0;
  }

  private void replace(ConvertedFile file, ConvertSummary summary) {
    List<String> problems = new ArrayList<>(file.problems());
    if (problems.isEmpty() && file.isChanged() && !dryRun) {
      write(file, problems);
    }
    if (!problems.isEmpty()) {
      report(problems);
      say("sluice: " + file.displayName() + ": left as it is");
    } else if (dryRun) {
      String diff = UnifiedDiff.of(file.displayName(), file.before(), file.after());
      spec.commandLine().getOut().print(diff);
    }
    summary.add(file, problems.size());
  }

  private static void write(ConvertedFile file, List<String> problems) {
    try {
      FileReplacement.replace(
          Path.of(file.file()),
          file.before().getBytes(StandardCharsets.UTF_8),
          file.after().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      problems.add(file.file() + ": cannot be replaced: " + e);
    }
  }

  private void report(List<String> problems) {
    problems.forEach(problem -> say("sluice: " + problem));
  }

  /** Prints a line for people, above the bar if there is one. */
  private void say(String line) {
    progress.clear();
    spec.commandLine().getErr().println(line);
  }

  /** Reads a version by its short text. */
  static final class VersionConverter implements ITypeConverter<ApiVersion> {
    @Override
    public ApiVersion convert(String text) {
      return ApiVersion.findByText(text)
          .or(() -> ApiVersion.findByGroupVersion(text))
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + text + "' (expected: one of " + List.of(ApiVersion.values()) + ")"));
    }
  }
}
