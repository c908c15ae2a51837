package dev.sluice.cli.cluster;

import dev.sluice.api.meta.ObjectKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The flag that says in which namespace a Workload is. */
public final class NamespaceFlag {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Its namespace, if NAME has none (default: that of the context, or default).")
  private @Nullable String namespace;

  /**
   * Reads NAMESPACE/NAME or NAME.
   *
   * @param usual the namespace if none is named
   * @throws ParameterException if it is written in another way, or two namespaces are named
   */
  public ObjectKey key(String text, CommandSpec spec, Supplier<String> usual) {
    String[] parts = text.split("/", -1);
    boolean isWhole = parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty();
    if (!isWhole && (parts.length != 1 || text.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), text + " (expected: NAMESPACE/NAME, or NAME and -n NS)");
    }
    if (isWhole && namespace != null && !namespace.equals(parts[0])) {
      throw new ParameterException(
          spec.commandLine(), text + ": -n names namespace " + namespace + " (expected: the same)");
    }
    if (isWhole) {
      return new ObjectKey(parts[0], parts[1]);
    }
    return new ObjectKey(namespace == null ? usual.get() : namespace, text);
  }
}
