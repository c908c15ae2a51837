package dev.sluice.api.configuration;

import dev.sluice.api.meta.LabelSelector;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What concerns the process and not the jobs.
 *
 * @param webhook where reviews are answered
 * @param metrics what is measured, and where it is read
 * @param health where liveness and readiness are served
 * @param pprofBindAddress where profiles are read; empty if nowhere
 * @param leaderElection how replicas elect a leader
 * @param controller how much is done at a time
 * @param client the rate of calls to the API server
 * @param certificates whether we make our certificates
 * @param tls how TLS is spoken
 * @param visibility where pending workloads are listed
 */
public record Manager(
    Webhook webhook,
    Metrics metrics,
    Health health,
    Optional<String> pprofBindAddress,
    LeaderElection leaderElection,
    Controller controller,
    Client client,
    Certificates certificates,
    Tls tls,
    Visibility visibility) {
  /** The same with the Lease of the leader in that namespace. */
  Manager withLeaseIn(String namespace) {
    LeaderElection election =
        new LeaderElection(
            leaderElection.enabled(),
            leaderElection.resourceLock(),
            leaderElection.resourceName(),
            namespace,
            leaderElection.leaseDuration(),
            leaderElection.renewDeadline(),
            leaderElection.retryPeriod());
    return new Manager(
        webhook,
        metrics,
        health,
        pprofBindAddress,
        election,
        controller,
        client,
        certificates,
        tls,
        visibility);
  }

  /**
   * Where reviews are answered.
   *
   * @param host the address to listen on, empty for all
   * @param certDir where tls.crt and tls.key are, if we do not make them
   */
  public record Webhook(String host, int port, String certDir) {}

  /**
   * What is measured.
   *
   * @param bindAddress {@code host:port} or {@code :port}, {@code 0} for nowhere
   * @param clusterQueueResources whether quota and usage of ClusterQueues are metrics
   * @param localQueues whether LocalQueues have metrics
   * @param localQueueSelector which of them
   * @param customLabels labels of metrics taken from objects
   */
  public record Metrics(
      String bindAddress,
      boolean clusterQueueResources,
      boolean localQueues,
      LabelSelector localQueueSelector,
      List<CustomLabel> customLabels) {
    public Metrics {
      customLabels = List.copyOf(customLabels);
    }

    /** Whether metrics are shown on a port at all. */
    public boolean isServed() {
      return !bindAddress.equals("0");
    }
  }

  /**
   * A label of metrics taken from an object.
   *
   * @param name the label of the metric
   * @param sourceKind the kind of object
   * @param key the object's label or annotation
   * @param fromAnnotation whether the key names an annotation
   * @param trackedValues the values with their own series; empty for all
   */
  public record CustomLabel(
      String name,
      String sourceKind,
      String key,
      boolean fromAnnotation,
      List<String> trackedValues) {
    /** The kind of source whose labels and annotations are copied from jobs. */
    public static final String WORKLOAD = "Workload";

    public CustomLabel {
      trackedValues = List.copyOf(trackedValues);
    }
  }

  /** Where health is served, and under which paths. */
  public record Health(String bindAddress, String readinessName, String livenessName) {}

  /** Leader election among replicas. */
  public record LeaderElection(
      boolean enabled,
      String resourceLock,
      String resourceName,
      String resourceNamespace,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {}

  /**
   * How much is done at a time.
   *
   * @param concurrency workers by {@code Kind.group}; one for a kind that is not there
   * @param cacheSyncTimeout how long the first lists may take
   */
  public record Controller(Map<String, Integer> concurrency, Duration cacheSyncTimeout) {
    public Controller {
      concurrency = Collections.unmodifiableMap(new LinkedHashMap<>(concurrency));
    }
  }

  /**
   * The client rate limit.
   *
   * @param qps calls per second, negative for no limit
   * @param burst calls at once
   */
  public record Client(double qps, int burst) {}

  /** Whether we make our certificates, and for which Service and Secret. */
  public record Certificates(boolean ownAuthority, String serviceName, String secretName) {}

  /**
   * How TLS is spoken.
   *
   * @param minVersion {@code VersionTLS12} and so on; empty for the platform's choice
   * @param cipherSuites what a caller of TLS 1.2 may choose from, in the names of the JDK; empty
   *     for the platform's choice
   * @param groups what keys may be exchanged in, in the names of the JDK; empty for the platform's
   *     choice
   */
  public record Tls(Optional<String> minVersion, List<String> cipherSuites, List<String> groups) {
    /** The suites of TLS 1.3, which are always there. */
    static final List<String> TLS13_SUITES =
        List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256");

    public Tls {
      cipherSuites = List.copyOf(cipherSuites);
      groups = List.copyOf(groups);
    }

    /** Whether TLS 1.2 is refused. */
    public boolean onlyTls13() {
      return minVersion.equals(Optional.of("VersionTLS13"));
    }

    /** All suites that may be used, those of TLS 1.3 included; empty for the platform's choice. */
    public List<String> enabledSuites() {
      return cipherSuites.isEmpty()
          ? List.of()
          : Stream.concat(TLS13_SUITES.stream(), cipherSuites.stream()).distinct().toList();
    }
  }

  /** Where pending workloads are listed; an empty address for all. */
  public record Visibility(String bindAddress, int bindPort) {}
}
