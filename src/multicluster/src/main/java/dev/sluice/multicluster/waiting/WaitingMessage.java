package dev.sluice.multicluster.waiting;

import dev.sluice.api.meta.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The message of a Pending check. */
public final class WaitingMessage {
  /** The shortest time between two writes for one Workload. */
  public static final Duration INTERVAL = Duration.ofSeconds(10);

  /** The largest part of one worker, in bytes: 20 of them fit into a condition. */
  private static final int LONGEST = 1_500;

  private static final int LONGEST_OF_ALL = 32 * 1024;

  private WaitingMessage() {}

  /**
   * The message.
   *
   * @param reasons by cluster, in the order of the configuration
   * @param others further sentences, such as on unknown names
   */
  public static String of(Map<String, WaitingReason> reasons, List<String> others) {
    List<String> parts = new ArrayList<>();
    reasons.forEach(
        (cluster, reason) ->
            parts.add(cluster + ": " + Messages.cut(plain(reason.text()), LONGEST)));
    others.forEach(it -> parts.add(Messages.cut(plain(it), LONGEST)));
    int clusters = reasons.size();
    String count =
        switch (clusters) {
          case 0 -> "";
          case 1 -> "1 cluster. ";
          default -> clusters + " clusters. ";
        };
    return Messages.cut(count + String.join("; ", parts), LONGEST_OF_ALL).strip();
  }

  /** The text of a worker is data: line breaks and control characters are removed. */
  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }

  /**
   * When a message may be written.
   *
   * @param lastWritten when this process last wrote one for the Workload
   * @return now or earlier for at once; empty if the message is already up to date
   */
  public static Optional<Instant> due(
      String shown, String wanted, Optional<Instant> lastWritten, Instant now) {
    return shown.equals(wanted)
        ? Optional.empty()
        : Optional.of(lastWritten.map(it -> it.plus(INTERVAL)).orElse(now));
  }
}
