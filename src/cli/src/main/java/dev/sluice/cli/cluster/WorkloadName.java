package dev.sluice.cli.cluster;

import dev.sluice.api.meta.ObjectKey;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The name of a Workload on a command line. */
public final class WorkloadName {
  private WorkloadName() {}

  /**
   * Reads NAMESPACE/NAME.
   *
   * @throws ParameterException if it is written in another way
   */
  public static ObjectKey parse(String text, CommandSpec spec) {
    String[] parts = text.split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new ParameterException(spec.commandLine(), text + " (expected: NAMESPACE/NAME)");
    }
    return new ObjectKey(parts[0], parts[1]);
  }
}
