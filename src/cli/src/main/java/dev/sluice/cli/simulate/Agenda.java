package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.GoDuration;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What will happen in a simulation: objects that arrive, and workloads that end. */
final class Agenda {
  /** How long a workload runs once it is admitted, such as {@code 90s}; for ever without it. */
  static final String RUNS_FOR = Annotations.RUNS_FOR;

  /**
   * One thing that will happen.
   *
   * @param arrival the object that arrives; null for the end of a workload
   * @param admitted since when the workload runs that ends
   */
  record Event(
      Instant time,
      int order,
      ObjectKey key,
      @Nullable JsonNode arrival,
      @Nullable Instant admitted) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::time).thenComparingInt(Event::order));
  private int added;

  /** An object arrives then. */
  void arrival(Instant time, JsonNode object) {
    events.add(new Event(time, added++, ObjectKey.of(object), object, null));
  }

  /** A workload ends then, if it still runs since that admission. */
  void end(Instant time, ObjectKey workload, Instant admitted) {
    events.add(new Event(time, added++, workload, null, admitted));
  }

  /** When something happens next; {@code MAX} for never. */
  Instant next() {
    return events.isEmpty() ? Instant.MAX : events.element().time();
  }

  /** Removes what happens until then, in order; of one time, in the order it was added. */
  List<Event> takeUntil(Instant time) {
    List<Event> due = new ArrayList<>();
    while (!next().isAfter(time) && !events.isEmpty()) {
      due.add(events.remove());
    }
    return due;
  }

  /**
   * When an object says that it was created.
   *
   * @throws IllegalArgumentException if that is no time
   */
  static Optional<Instant> created(JsonNode object) {
    String text = object.at("/metadata/creationTimestamp").asText();
    try {
      return text.isEmpty() || text.equals("null")
          ? Optional.empty()
          : Optional.of(Instant.parse(text));
    } catch (DateTimeException _) {
      throw new IllegalArgumentException(
          "%s %s: metadata.creationTimestamp: %s (expected: a time like 2026-01-31T12:00:00Z)"
              .formatted(object.path("kind").asText(), ObjectKey.of(object), text));
    }
  }

  /**
   * How long a workload runs as it says itself, or its job does.
   *
   * @throws IllegalArgumentException if that is no duration
   */
  static Optional<Duration> runsFor(List<JsonNode> workloadAndOwners) {
    for (JsonNode object : workloadAndOwners) {
      JsonNode text = object.path("metadata").path("annotations").path(RUNS_FOR);
      if (text.isTextual()) {
        return Optional.of(duration(object, text.asText()));
      }
    }
    return Optional.empty();
  }

  private static Duration duration(JsonNode object, String text) {
    try {
      return GoDuration.require(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s %s: metadata.annotations[%s]: %s"
              .formatted(
                  object.path("kind").asText("Workload"),
                  ObjectKey.of(object),
                  RUNS_FOR,
                  e.getMessage()),
          e);
    }
  }
}
