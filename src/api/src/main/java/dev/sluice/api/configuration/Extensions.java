package dev.sluice.api.configuration;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What only we have, in a document of its own ({@code config.sluice.dev/v1alpha1}, kind {@code
 * Extensions}), so that a Configuration file stays what the peer reads. Immutable.
 *
 * @param podGuard what happens to pods a Job has no use for
 * @param quotaFence what happens to reservations beyond quota
 * @param customKinds kinds of jobs we manage without code for them
 */
public record Extensions(PodGuard podGuard, QuotaFence quotaFence, List<CustomKind> customKinds) {
  /** The version of the document. */
  public static final String API_VERSION = "config.sluice.dev/v1alpha1";

  /** The kind of the document. */
  public static final String KIND = "Extensions";

  /** What holds without such a document. */
  public static final Extensions DEFAULT =
      new Extensions(
          new PodGuard(PodGuard.Mode.DENY), new QuotaFence(QuotaFence.Mode.DENY), List.of());

  public Extensions {
    requireNonNull(podGuard, "podGuard");
    requireNonNull(quotaFence, "quotaFence");
    customKinds = List.copyOf(customKinds);
  }

  /**
   * What happens in managed namespaces to a pod of a managed Job that has all the pods it may have.
   */
  public record PodGuard(Mode mode) {
    /** What happens to such a pod. */
    public enum Mode {
      /** It is refused. */
      DENY,
      /** It is let in with a warning. */
      WARN,
      /** Nobody looks. */
      OFF
    }
  }

  /** What happens to a write that would reserve more for a Workload than there is. */
  public record QuotaFence(Mode mode) {
    /** What happens to such a write. */
    public enum Mode {
      /** It is refused. */
      DENY,
      /** It is let in with a warning. */
      WARN,
      /** Nobody looks. */
      OFF
    }
  }
}
