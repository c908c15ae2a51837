package dev.sluice.see.log;

import dev.sluice.api.meta.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the entries that a reader may see, the last one first.
 *
 * @param entries what is wanted
 * @param more whether there are more that are older
 */
public record LogPage(List<Shown> entries, boolean more) {
  public LogPage {
    entries = List.copyOf(entries);
  }

  /**
   * An entry as a reader may see it.
   *
   * @param clusterQueue whose quota it has, had, or waits for; empty if it is not known
   * @param preemptor for which it was preempted; null for none, and for one that the reader may not
   *     see or that is not known any more
   */
  public record Shown(LogEntry entry, String clusterQueue, @Nullable ObjectKey preemptor) {}
}
