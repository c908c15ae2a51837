package dev.sluice.webhook.guard;

/**
 * Why a Job may not have another pod.
 *
 * @param sentence for the creator of the pod, with the numbers
 */
public record Surplus(Reason reason, String sentence) {
  /** The kinds of surplus. */
  public enum Reason {
    SUSPENDED,
    FINISHED,
    COMPLETED,
    PARALLELISM,
    INDEX
  }
}
