package dev.sluice.api.configuration;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What only we have, in a document of its own ({@code config.sluice.dev/v1alpha1}, kind {@code
 * Extensions}), so that a Configuration file stays what Kueue reads. Immutable.
 *
 * @param podGuard what happens to pods a Job has no use for
 * @param quotaFence what happens to reservations beyond quota
 * @param customKinds kinds of jobs we manage without code for them
 * @param multiKueue what Kueue has no field for under {@code multiKueue}
 * @param workloads what the server changes in Workloads that are created
 */
public record Extensions(
    PodGuard podGuard,
    QuotaFence quotaFence,
    List<CustomKind> customKinds,
    MultiKueue multiKueue,
    Workloads workloads) {
  /** The version of the document. */
  public static final String API_VERSION = "config.sluice.dev/v1alpha1";

  /** The kind of the document. */
  public static final String KIND = "Extensions";

  /** What holds without such a document. */
  public static final Extensions DEFAULT =
      new Extensions(new PodGuard(Mode.DENY), new QuotaFence(Mode.DENY), List.of());

  public Extensions {
    requireNonNull(podGuard, "podGuard");
    requireNonNull(quotaFence, "quotaFence");
    customKinds = List.copyOf(customKinds);
    requireNonNull(multiKueue, "multiKueue");
    requireNonNull(workloads, "workloads");
  }

  /** With the defaults of MultiKueue and Workloads. */
  public Extensions(PodGuard podGuard, QuotaFence quotaFence, List<CustomKind> customKinds) {
    this(
        podGuard,
        quotaFence,
        customKinds,
        new MultiKueue(Optional.empty()),
        new Workloads(DropManagedFields.SCHEDULER));
  }

  /** What happens to an object that a guard objects to. */
  public enum Mode {
    /** It is refused. */
    DENY,
    /** It is allowed with a warning. */
    WARN,
    /** It is not checked. */
    OFF
  }

  /** The reaction to surplus pods of managed Jobs in managed namespaces. */
  public record PodGuard(Mode mode) {}

  /**
   * Settings of workloads that run on other clusters.
   *
   * @param giveUpAfter how long no worker may admit one before it gives its quota back; empty for
   *     ever
   */
  public record MultiKueue(Optional<Duration> giveUpAfter) {}

  /** Of which Workloads the server drops {@code metadata.managedFields} when they are created. */
  public enum DropManagedFields {
    /** Of those that the scheduler creates. */
    SCHEDULER,
    /** Of all Workloads. */
    ALL,
    /** Of no Workload. */
    NONE
  }

  /** Settings of Workloads that are created. */
  public record Workloads(DropManagedFields dropManagedFields) {}

  /** Over writes that would reserve more for a Workload than there is. */
  public record QuotaFence(Mode mode) {}
}
