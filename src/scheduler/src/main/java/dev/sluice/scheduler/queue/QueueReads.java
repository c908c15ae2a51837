package dev.sluice.scheduler.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import java.util.IdentityHashMap;
import java.util.Optional;

/**
 * Reads the objects of each pass, and keeps what it read for the next one: of thousands of queues
 * few change between two passes. It holds no more than the objects of two passes. One thread.
 */
final class QueueReads {
  private IdentityHashMap<JsonNode, HubObject> before = new IdentityHashMap<>();
  private IdentityHashMap<JsonNode, HubObject> now = new IdentityHashMap<>();

  /** A pass begins: what the one before did not read is forgotten. */
  void begin() {
    before = now;
    now = new IdentityHashMap<>();
  }

  /**
   * The object that is written there, empty if it has not the form of one. A tree that was read in
   * this pass or the one before is not read again; trees never change.
   */
  <T extends HubObject> Optional<T> read(Class<T> type, JsonNode tree) {
    HubObject inThisPass = now.get(tree);
    HubObject known = inThisPass == null ? before.get(tree) : inThisPass;
    try {
      T read =
          known != null && type.isInstance(known) ? type.cast(known) : HubObjects.read(type, tree);
      now.put(tree, read);
      return Optional.of(read);
    } catch (MalformedObjectException _) {
      return Optional.empty(); // who told the engine has said so
    }
  }
}
