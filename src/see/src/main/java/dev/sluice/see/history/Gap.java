package dev.sluice.see.history;

import java.time.Instant;

/**
 * A time of which the history may lack transitions. What the objects still told afterwards was
 * filled in.
 *
 * @param from when the last line before it was written
 * @param at when the history went on
 * @param reason one word, such as {@code Restart}
 */
public record Gap(Instant from, Instant at, String reason) implements HistoryLine {
  /** The process that writes the history was not there. */
  public static final String RESTART = "Restart";

  /** More came at once than the queue before the writer holds. */
  public static final String QUEUE_FULL = "QueueFull";

  /** The disk took no more lines. */
  public static final String DISK = "Disk";
}
