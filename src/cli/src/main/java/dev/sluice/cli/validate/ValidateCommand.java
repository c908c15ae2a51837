package dev.sluice.cli.validate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.CommandException;
import dev.sluice.cli.manifest.Manifest;
import dev.sluice.cli.manifest.ManifestException;
import dev.sluice.cli.manifest.ManifestFiles;
import dev.sluice.cli.validate.ManifestValidator.Finding;
import dev.sluice.manifests.yaml.YamlWriter;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Applies the admission rules to manifests, offline. */
@Command(
    name = "validate",
    header = "Applies the admission rules to manifests, offline.",
    description = {
      "Prints all findings at once. Exit code 1 if an object would be refused; warnings alone are",
      "no refusal."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice validate -f topology.yaml",
      "  sluice validate -f new.yaml --old stored.yaml",
      "  kustomize build . | sluice validate -f - -o json"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ValidateCommand implements Callable<Integer> {
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
      names = "--old",
      paramLabel = "FILE",
      description =
          "What is stored now: objects found there by kind and name are checked as updates.")
  private List<String> old = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text, yaml or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** How findings are written. */
  enum Format {
    TEXT,
    YAML,
    JSON
  }

  /** The command, with what it is to read where a file is called {@code -}. */
  public ValidateCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  public Integer call() {
    ManifestFiles reader = new ManifestFiles(stdin);
    ManifestValidator validator = new ManifestValidator(read(reader, old));
    List<Finding> findings = new ArrayList<>();
    int checked = 0;
    for (Manifest manifest : read(reader, files)) {
      checked += validator.check(manifest, findings);
    }
    print(findings);
    long refused = findings.stream().filter(Finding::refuses).count();
    spec.commandLine()
        .getErr()
        .printf(
            "%d objects checked: %d violations, %d warnings%n",
            checked, refused, findings.size() - refused);
    return refused == 0 ? 0 : 1;
  }

  private static List<Manifest> read(ManifestFiles reader, List<String> names) {
    List<Manifest> manifests = new ArrayList<>();
    for (String name : names) {
      try {
        manifests.addAll(reader.read(name));
      } catch (ManifestException e) {
        throw new CommandException(String.valueOf(e.getMessage()), e);
      }
    }
    return manifests;
  }

  private void print(List<Finding> findings) {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case TEXT -> findings.forEach(finding -> out.println(finding.text()));
      case YAML -> out.print(YamlWriter.write(tree(findings)));
      case JSON -> out.println(json(tree(findings)));
    }
    out.flush();
  }

  private static ArrayNode tree(List<Finding> findings) {
    ArrayNode list = new ObjectMapper().createArrayNode();
    for (Finding finding : findings) {
      ObjectNode node = list.addObject();
      node.put("severity", finding.refuses() ? "error" : "warning");
      node.put("place", finding.place());
      node.put("object", finding.object());
      node.put("field", finding.field());
      node.put("type", finding.type());
      node.put("message", finding.message());
    }
    return list;
  }

  private static String json(ArrayNode tree) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }
}
