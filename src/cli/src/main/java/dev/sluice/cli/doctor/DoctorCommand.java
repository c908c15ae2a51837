package dev.sluice.cli.doctor;

import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.doctor.check.Finding.Level;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.trust.TrustCheck.HostAndPort;
import dev.sluice.manifests.Target;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.wiring.TimeConverter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says whether a cluster can work with our kinds, and what to do if not. */
@Command(
    name = "doctor",
    header = "Says whether a cluster is well served, and what to do if not.",
    description =
        "Looks at CRDs, certificates, registration, replicas, endpoints, the leader, rights, the"
            + " job kinds that --config enables, and whether the scheduler plans them, and reads"
            + " and creates (as a dry run) objects of every kind at every version. On a manager of"
            + " MultiKueue it looks at each worker, with the manager's own login. Changes nothing"
            + " without --fix. Exit code 1 if there is an error; warnings alone are none.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice doctor",
      "  sluice doctor --context production -o json",
      "  sluice doctor --config controller_manager_config.yaml",
      "  sluice doctor --fix",
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class DoctorCommand implements Callable<Integer> {
  private static final Pattern ADDRESS = Pattern.compile("\\[?([^\\[\\]]+)]?:([0-9]{1,5})");
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final InstantSource clock;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;
  @Mixin private ConfigurationFlags configuration;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeConverter.class,
      description = "How long each call may take (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      description =
          "Where the Service of the server can be reached from here, such as by kubectl"
              + " port-forward: the server is greeted there by each of its names.")
  private @Nullable String address;

  @Option(
      names = "--fix",
      description =
          "Mend what can be mended without a choice: delete a webhook configuration whose server"
              + " is gone, since it blocks writes.")
  private boolean fix;

  @Mixin private ReportFlags output;

  /** A doctor with the clock of this machine. */
  public DoctorCommand() {
    this(InstantSource.system());
  }

  DoctorCommand(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() {
    if (timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(), "--timeout: " + timeout.toMillis() + " ms (expected: up to 5m)");
    }
    Findings findings = examine();
    output.print(spec.commandLine().getOut(), findings.text(), findings.tree());
    if (!fix && !findings.fixes().isEmpty()) {
      spec.commandLine().getErr().println("--fix mends what blocks writes");
    }
    return findings.count(Level.ERROR) == 0 ? 0 : 1;
  }

  private Examination.Choices choices() {
    Chosen files = configuration.read(Target.Service.DEFAULT.namespace());
    Optional<RoleSettings> given =
        configuration.isGiven()
            ? Optional.of(RoleSettings.of(files.configuration(), files.extensions()))
            : Optional.empty();
    return new Examination.Choices(
        timeout,
        cluster.asArguments(),
        files.configuration(),
        files.extensions(),
        given,
        Optional.ofNullable(address).map(this::forwarded),
        fix);
  }

  private HostAndPort forwarded(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches()) {
      throw new ParameterException(
          spec.commandLine(), "--address: " + text + " (expected: HOST:PORT)");
    }
    return new HostAndPort(matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  private Findings examine() {
    Examination.Choices choices = choices();
    try (ApiServer server = cluster.connect()) {
      return new Examination(server, clock, choices).run();
    } catch (ClusterException e) {
      Findings findings = new Findings();
      findings.error(
          "kubeconfig", String.valueOf(e.getMessage()), "name one with --kubeconfig or --context");
      return findings;
    }
  }
}
