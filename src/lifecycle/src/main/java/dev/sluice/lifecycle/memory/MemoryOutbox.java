package dev.sluice.lifecycle.memory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Carries out the writes of controllers, and keeps their events for a while. For one thread. */
final class MemoryOutbox {
  private static final int MOST_EVENTS = 100_000;

  private final MemoryObjects objects;
  private final Owners owners;
  private final InstantSource clock;
  private final Deque<Write.Event> events = new ArrayDeque<>();

  MemoryOutbox(MemoryObjects objects, Owners owners, InstantSource clock) {
    this.objects = objects;
    this.owners = owners;
    this.clock = clock;
  }

  /** The events since the last call. */
  List<Write.Event> takeEvents() {
    List<Write.Event> told = List.copyOf(events);
    events.clear();
    return told;
  }

  /**
   * Sends the writes up to the first that is refused; whether anything changed.
   *
   * @param again called where one is refused
   */
  boolean send(List<Write> writes, Runnable again) {
    boolean written = false;
    for (Write write : writes) {
      if (write instanceof Write.Event event) {
        tell(event);
      } else if (objects
          .send(write instanceof Write.Create it ? dated(it) : write, clock.instant())
          .isPresent()) {
        again.run();
        return written;
      } else {
        written = true;
      }
    }
    return written;
  }

  private void tell(Write.Event event) {
    if (events.size() == MOST_EVENTS) {
      events.removeFirst(); // nothing receives them
    }
    events.addLast(event);
  }

  /** A Workload is created right after its job, which may be older than the simulation. */
  private Write.Create dated(Write.Create create) {
    ObjectNode body = create.body().deepCopy();
    owners
        .present(body)
        .map(it -> it.path("metadata").path("creationTimestamp").asText())
        .max(String::compareTo)
        .ifPresent(it -> body.withObjectProperty("metadata").put("creationTimestamp", it));
    return new Write.Create(create.target(), body, create.fieldManager());
  }
}
