package dev.sluice.webhook.guard;

/**
 * Why a Job may not have one more pod.
 *
 * @param sentence for whoever creates it, with the numbers
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
