package dev.sluice.scheduler.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.place.PodWrites;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that is being deleted and whose owner allows that it is deleted by force, as the API server
 * has it.
 */
record LostPod(JsonNode tree) {
  /** How much longer than it was given it may take to end. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  private static final String REPORTER = "kueue-failure-recovery";
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  /** The pod, if it is one of these. */
  static Optional<LostPod> of(JsonNode pod) {
    boolean allowed =
        pod.at("/metadata/annotations")
            .path(Annotations.SAFE_TO_FORCEFULLY_DELETE)
            .asText()
            .equals("true");
    LostPod lost = new LostPod(pod);
    return allowed && !lost.node().isEmpty() && lost.end().isPresent()
        ? Optional.of(lost)
        : Optional.empty();
  }

  /** The node that has it; empty for none. */
  String node() {
    return tree.at("/spec/nodeName").asText();
  }

  /** When it should have ended; empty if it is not being deleted. */
  private Optional<Instant> end() {
    try {
      return Optional.of(Instant.parse(tree.at("/metadata/deletionTimestamp").asText()));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** From when on it may be deleted by force. */
  Instant due() {
    return end().orElse(Instant.MAX.minus(PATIENCE)).plus(PATIENCE);
  }

  /** Whether the state of pods on that node is unknown. */
  static boolean isUnreachable(JsonNode node) {
    return node.at("/spec/taints")
        .valueStream()
        .anyMatch(taint -> taint.path("key").asText().equals(UNREACHABLE));
  }

  /**
   * The writes that end it: first the phase Failed, for controllers that count pods, then the
   * deletion.
   */
  List<Write> ends(Instant now) {
    List<Write> writes = new ArrayList<>();
    if (!ENDED.contains(tree.at("/status/phase").asText())) {
      String message =
          "Deleted by force, for its node %s is unreachable and it should have ended a minute ago"
              .formatted(node());
      writes.add(
          PodWrites.failed(
              tree, "KueueFailureRecovery", EventReasons.FORCEFULLY_DELETED, message, now));
      writes.add(
          new Write.Event(
              PodWrites.ref(tree), REPORTER, "Warning", EventReasons.FORCEFULLY_DELETED, message));
    }
    writes.add(new Write.Delete(PodWrites.ref(tree), true));
    return writes;
  }
}
