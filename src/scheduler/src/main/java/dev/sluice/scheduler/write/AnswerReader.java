package dev.sluice.scheduler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.json.tree.Keep;
import dev.sluice.json.tree.PrunedReader;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Reads the objects that the API server answers a write with, as they are watched: without {@code
 * managedFields}, which is half of a small object. Thread-safe.
 */
final class AnswerReader {
  private static final Keep KEPT = Keep.allBut().with("metadata", Keep.allBut("managedFields"));

  /** As many as ever read at one time. */
  private final Queue<PrunedReader> idle = new ConcurrentLinkedQueue<>();

  /**
   * The object, which cannot be changed; missing where the body is empty.
   *
   * @throws IOException if it is no JSON
   */
  JsonNode read(byte[] body) throws IOException {
    PrunedReader known = idle.poll();
    PrunedReader reader = known == null ? new PrunedReader() : known;
    try {
      return body.length == 0 ? MissingNode.getInstance() : reader.read(body, body.length, KEPT);
    } finally {
      idle.add(reader);
    }
  }
}
