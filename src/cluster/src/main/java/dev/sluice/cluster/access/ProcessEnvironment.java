package dev.sluice.cluster.access;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds a process and decides which cluster it means.
 *
 * @param variables the environment
 * @param home the folder of the user
 * @param serviceAccount the folder where a Pod finds its token and authority
 * @param clock tells what has run out
 */
public record ProcessEnvironment(
    Function<String, @Nullable String> variables,
    Path home,
    Path serviceAccount,
    InstantSource clock) {

  /** Those of this process. */
  public static ProcessEnvironment ofThisProcess() {
    return new ProcessEnvironment(
        System::getenv,
        Path.of(System.getProperty("user.home", ".")),
        Path.of("/var/run/secrets/kubernetes.io/serviceaccount"),
        InstantSource.system());
  }

  /** A variable of the environment; one that is set to nothing counts as not set. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.apply(name)).filter(value -> !value.isBlank());
  }
}
