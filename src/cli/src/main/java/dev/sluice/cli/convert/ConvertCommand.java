package dev.sluice.cli.convert;

import dev.sluice.api.ApiVersion;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.cli.manifest.ManifestException;
import dev.sluice.cli.manifest.ManifestFiles;
import dev.sluice.cli.manifest.ManifestPrinter;
import dev.sluice.conversion.law.Mode;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Converts manifests offline. */
@Command(
    name = "convert",
    header = "Converts manifests to another version of their kind, offline.",
    description = {
      "Objects of other groups pass unchanged. If one object cannot be converted, nothing is"
          + " printed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice convert -f topology.yaml --to v1beta2",
      "  helm template queues | sluice convert -f - --to v1beta2",
      "  sluice convert -f cohorts.json --to v1beta2 -o yaml",
      "  sluice convert -f stored.yaml --to v1beta2 --carry"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ConvertCommand implements Callable<Integer> {
  private final InputStream stdin;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      arity = "1..*",
      description = "YAML or JSON with any number of documents; - for standard input; repeatable.")
  private List<String> files;

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
          "Convert objects with odd content too, as the server does, and only remark on them.")
  private boolean carry;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "yaml or json (default: as each document came).")
  private Manifest.@Nullable Format format;

  /** The command, with what it is to read where a file is called {@code -}. */
  public ConvertCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    ManifestConverter converter =
        new ManifestConverter(to, carry ? Mode.CARRY : Mode.FAIL, remark -> err.println(remark));
    List<Manifest> manifests = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    read(manifests, problems);
    List<ManifestConverter.Result> results = new ArrayList<>();
    for (Manifest manifest : manifests) {
      results.add(converter.convert(manifest, problems));
    }
    problems.forEach(problem -> err.println("sluice: " + problem));
    if (!problems.isEmpty() && !carry) {
      err.println("sluice: nothing was printed; --carry prints what can be converted");
      return 1;
    }
    print(results);
    return problems.isEmpty() ? 0 : 1;
  }

  private void read(List<Manifest> manifests, List<String> problems) {
    ManifestFiles reader = new ManifestFiles(stdin);
    for (String file : files) {
      try {
        manifests.addAll(reader.read(file));
      } catch (ManifestException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private void print(List<ManifestConverter.Result> results) {
    ManifestPrinter printer = new ManifestPrinter(spec.commandLine().getOut());
    for (ManifestConverter.Result result : results) {
      if (result.value() != null) {
        printer.print(result.value(), format == null ? result.format() : format);
      }
    }
    printer.flush();
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
