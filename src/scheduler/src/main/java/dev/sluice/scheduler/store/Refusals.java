package dev.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Notices;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports writes that the API server refuses or fails to carry out, in the log and as an event of
 * the object, where the owner of a job looks first. Causes are a policy, another webhook or a
 * missing right. Each is reported once, and again at intervals while it persists. Thread-safe.
 */
final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final Notices notices = new Notices();
  private final InstantSource clock;
  private final Consumer<Write.Event> events;

  Refusals(InstantSource clock, Consumer<Write.Event> events) {
    this.clock = clock;
    this.events = events;
  }

  /**
   * Reports a write that was not carried out.
   *
   * @param how what the API server does, such as "refuses to"
   */
  void tell(Write write, String how, String message) {
    Write.Event event =
        new Write.Event(
            about(write),
            "Warning",
            reason(write),
            "The API server %s %s %s: %s"
                .formatted(how, verb(write), name(write.target()), message));
    if (notices.isNews(event, clock.instant())) {
      LOG.warn("a write is not carried out, and is retried: {}", event.message());
      events.accept(event);
    }
  }

  private static String reason(Write write) {
    return switch (write) {
      case Write.Create _ -> EventReasons.FAILED_CREATE;
      case Write.Delete _ -> EventReasons.FAILED_DELETE;
      case Write.MergePatch _, Write.Apply _, Write.Event _ -> EventReasons.FAILED_UPDATE;
    };
  }

  private static String verb(Write write) {
    return switch (write) {
      case Write.Create _ -> "create";
      case Write.Delete _ -> "delete";
      case Write.MergePatch _, Write.Apply _, Write.Event _ -> "change";
    };
  }

  private static String name(ObjectRef object) {
    String within = object.namespace().isEmpty() ? "" : object.namespace() + "/";
    return object.kind().kind() + " " + within + object.name();
  }

  /** An object that was never created has no events; its controller has. */
  private static ObjectRef about(Write write) {
    return write instanceof Write.Create create
        ? controller(create).orElse(create.target())
        : write.target();
  }

  private static Optional<ObjectRef> controller(Write.Create create) {
    for (JsonNode owner : create.body().path("metadata").path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        GroupVersionKind kind =
            GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText());
        return Optional.of(
            new ObjectRef(
                kind,
                create.target().namespace(),
                owner.path("name").asText(),
                owner.path("uid").asText()));
      }
    }
    return Optional.empty();
  }
}
