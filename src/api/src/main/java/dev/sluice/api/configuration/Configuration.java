package dev.sluice.api.configuration;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * The Configuration file of {@code config.kueue.x-k8s.io}, with every default filled in. Immutable.
 *
 * @param namespace the namespace we run in
 * @param jobs which jobs are managed
 * @param manager ports, certificates, the client of the API server and the like
 * @param scheduling how workloads are queued and admitted
 * @param featureGates which features are on
 * @param given the paths of the fields that the file sets, so that a flag or a default of our own
 *     may stand in for what it does not
 */
public record Configuration(
    String namespace,
    JobManagement jobs,
    Manager manager,
    Scheduling scheduling,
    FeatureGates featureGates,
    Set<String> given) {
  public Configuration {
    requireNonNull(namespace, "namespace");
    given = Set.copyOf(given);
  }

  /** What holds without a file, in the namespace we run in. */
  public static Configuration defaults(String ownNamespace) {
    return ConfigurationReader.in(ownNamespace).defaults();
  }

  /**
   * The same for a process that was told its namespace. A file that was made for Kueue may name
   * that of Kueue, where this process has no right to a Lease or to Secrets.
   */
  public Configuration in(String ownNamespace) {
    boolean isGiven = sets("leaderElection.resourceNamespace");
    return new Configuration(
        ownNamespace,
        jobs,
        isGiven ? manager : manager.withLeaseIn(ownNamespace),
        scheduling,
        featureGates,
        given);
  }

  /** Whether the file sets this field, for example {@code webhook.port}. */
  public boolean sets(String path) {
    return given.contains(path);
  }
}
