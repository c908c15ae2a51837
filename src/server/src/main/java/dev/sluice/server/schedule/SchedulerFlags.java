package dev.sluice.server.schedule;

import dev.sluice.manifests.Target;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.scheduler.recorder.RecordingOptions;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags of every command that schedules. */
@SuppressWarnings("NullAway.Init") // set by picocli, from the defaults where a flag is not given
public final class SchedulerFlags {
  private static final int MOST_WRITERS = 1_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--leader-elect",
      paramLabel = "BOOL",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Whether to agree with other replicas on who leads (default: as"
              + " leaderElection.leaderElect says, true without a file).")
  private @Nullable Boolean leaderElect;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "The namespace we run in, where the Lease of the leader is (default: sluice-system; the"
              + " Lease of one that runs in no Pod is in kube-system).")
  private @Nullable String namespace;

  @Option(
      names = "--writers",
      paramLabel = "N",
      defaultValue = "" + SchedulerOptions.WRITERS,
      description =
          "How many objects are written at a time; the only limit to the rate of calls"
              + " (default: ${DEFAULT-VALUE}).")
  private int writers;

  @Mixin private RecordFlags record;

  /** Where decisions are recorded; empty for nowhere. */
  Optional<RecordingOptions> recording() {
    return record.in(null);
  }

  /** Whether there may be other replicas. */
  boolean elects(Chosen chosen) {
    return leaderElect == null
        ? chosen.configuration().manager().leaderElection().enabled()
        : leaderElect;
  }

  /** The namespace that we run in. */
  public String ownNamespace() {
    return namespace == null ? Target.Service.DEFAULT.namespace() : namespace;
  }

  /** What was chosen, with the Lease and the Secrets of the namespace that the flag names. */
  public Chosen placed(Chosen chosen) {
    return namespace == null
        ? chosen
        : new Chosen(chosen.configuration().in(namespace), chosen.extensions());
  }

  /** Whether the flag was given. */
  boolean namesNamespace() {
    return namespace != null;
  }

  /**
   * How many objects are written at a time.
   *
   * @throws ParameterException if that is no sensible number
   */
  int writers() {
    if (writers < 1 || writers > MOST_WRITERS) {
      throw new ParameterException(
          command.commandLine(),
          "--writers: " + writers + " (expected: 1 to " + MOST_WRITERS + ")");
    }
    return writers;
  }
}
