package dev.sluice.multicluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.multicluster.protocol.Presence;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The answers of a worker's API server to our reads and writes that a watch may not have shown yet.
 * Thread-safe.
 */
final class Answers {
  /** No watch reports the deletion of an object without our label. */
  private static final Duration PRESENT = Duration.ofSeconds(30);

  /** After our own creation it ends at once; this bounds what is kept. */
  private static final Duration ABSENT = Duration.ofMinutes(10);

  private static final int MANY = 10_000;

  private record Answer(Presence presence, long until) {}

  private final LongSupplier nanoTime;
  private final Map<TypedObjectKey, Answer> answers = new ConcurrentHashMap<>();

  Answers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void put(TypedObjectKey key, Presence presence) {
    long now = nanoTime.getAsLong();
    if (answers.size() >= MANY) {
      answers.values().removeIf(it -> it.until() - now <= 0);
    }
    Duration kept = presence.isAbsent() ? ABSENT : PRESENT;
    answers.put(key, new Answer(presence, now + kept.toNanos()));
  }

  /** We may have created or deleted it: earlier answers no longer count. */
  void forget(TypedObjectKey key) {
    answers.remove(key);
  }

  /** The watch shows a change: it replaces an earlier answer unless it is older. */
  void note(GroupKind kind, ObjectChange change) {
    answers.computeIfPresent(
        TypedObjectKey.of(kind, change.latest()),
        (_, known) ->
            known.presence().object().filter(it -> isLater(it, change)).isPresent() ? known : null);
  }

  private static boolean isLater(JsonNode answered, ObjectChange change) {
    return change.after().filter(it -> version(answered) > version(it)).isPresent();
  }

  private static long version(JsonNode object) {
    return ResourceVersion.number(object.path("metadata").path("resourceVersion").asText())
        .orElse(0);
  }

  /** The newer of the object of the watch and the answer. */
  Presence latest(TypedObjectKey key, Optional<JsonNode> shown) {
    Answer known = answers.get(key);
    if (known == null || known.until() - nanoTime.getAsLong() <= 0) {
      return shown.<Presence>map(Presence.Present::new).orElse(Presence.unlisted());
    }
    boolean isShownLater =
        shown.isPresent()
            && known
                .presence()
                .object()
                .filter(it -> version(it) <= version(shown.get()))
                .isPresent();
    return isShownLater ? new Presence.Present(shown.get()) : known.presence();
  }
}
