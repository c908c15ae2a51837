package dev.sluice.cli.validate;

import dev.sluice.cli.manifest.ManifestFlags;
import dev.sluice.cli.progress.FileProgress;
import dev.sluice.cli.validate.FindingsOutput.Format;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.server.objects.FileView;
import dev.sluice.server.objects.ManifestObject;
import dev.sluice.server.objects.ManifestObjects;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.webhook.StandardRules;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says of manifests what a cluster would say, offline. */
@Command(
    name = "validate",
    header = "Validates manifests offline, as a cluster with Sluice would.",
    description = {
      "Sets defaults and validates objects by the schemas of their versions, by the CEL rules in"
          + " the schemas, and by the admission rules; prints all findings at once. Rules look up"
          + " namespaces, queues and priority classes in the files. Exit code 1 if an object would"
          + " be refused; warnings alone give exit code 0."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice validate -f topology.yaml",
      "  sluice validate -R -f deploy/",
      "  sluice validate -f new.yaml --old stored.yaml",
      "  sluice validate -f jobs/ --config kueue-config.yaml",
      "  kustomize build . | sluice validate -f - -o json"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ValidateCommand implements Callable<Integer> {
  /** Where Sluice is by default; jobs there are not managed. */
  private static final String OWN_NAMESPACE = "sluice-system";

  private final InputStream stdin;

  @Spec private CommandSpec spec;

  @Mixin private ManifestFlags manifests;

  @Option(
      names = "--old",
      paramLabel = "FILE",
      description =
          "What is stored now: objects found there by kind and name are checked as updates.")
  private List<String> old = new ArrayList<>();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Namespace of objects that name none (default: ${DEFAULT-VALUE}).")
  private String namespace;

  @Mixin private ConfigurationFlags configuration;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text, yaml or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** The command, with what it is to read where a file is called {@code -}. */
  public ValidateCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  public Integer call() {
    ManifestObjects reader =
        new ManifestObjects(stdin, files -> FileProgress.over("read", files, false));
    List<ManifestObject> stored = reader.read(old, manifests.recursive());
    List<ManifestObject> objects = reader.read(manifests.files(), manifests.recursive());
    Chosen chosen = configuration.read(OWN_NAMESPACE);
    var admission =
        new OfflineAdmission(
            StandardRules.book(chosen.extensions().customKinds()),
            chosen.world(view(stored, objects)),
            new StoredObjects(stored, namespace),
            namespace);
    ManifestValidator.Result result = new ManifestValidator(admission).validate(objects);
    new FindingsOutput(spec.commandLine().getOut()).print(result.findings(), format);
    spec.commandLine()
        .getErr()
        .printf(
            "%d objects checked: %d violations, %d warnings%n",
            result.objects(), result.violations(), result.warnings());
    return result.violations() == 0 ? 0 : 1;
  }

  private ClusterView view(List<ManifestObject> stored, List<ManifestObject> objects) {
    List<ManifestObject> all = new ArrayList<>(stored);
    all.addAll(objects); // of several with one name the last counts
    return FileView.of(all, namespace);
  }
}
