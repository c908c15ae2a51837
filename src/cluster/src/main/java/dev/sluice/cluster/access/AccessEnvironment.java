package dev.sluice.cluster.access;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a process, which decides what cluster it uses by default.
 *
 * @param variables the environment variables
 * @param home the home folder of the user
 * @param serviceAccount the folder of a Pod's token and CA bundle
 * @param clock for the expiry of credentials
 */
public record AccessEnvironment(
    Function<String, @Nullable String> variables,
    Path home,
    Path serviceAccount,
    InstantSource clock) {

  /** The environment of this process. */
  public static AccessEnvironment ofThisProcess() {
    return new AccessEnvironment(
        System::getenv,
        Path.of(System.getProperty("user.home", ".")),
        Path.of("/var/run/secrets/kubernetes.io/serviceaccount"),
        InstantSource.system());
  }

  /** An environment variable; a blank value counts as not set. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.apply(name)).filter(value -> !value.isBlank());
  }
}
