package dev.sluice.cluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.json.tree.Keep;
import dev.sluice.json.tree.PrunedReader;
import java.io.IOException;

/** Reads lists and watch events of one kind, of each object only what the kind keeps. */
final class WatchReader {
  private final PrunedReader reader = new PrunedReader();
  private final TextNode apiVersion;
  private final TextNode kindName;
  private final Keep listKeep;
  private final Keep eventKeep;

  WatchReader(WatchedKind kind) {
    Keep item = kind.keep();
    this.apiVersion = TextNode.valueOf(kind.type().apiVersion());
    this.kindName = TextNode.valueOf(kind.type().kind());
    this.listKeep =
        Keep.only().with("metadata", Keep.only("resourceVersion", "continue")).with("items", item);
    this.eventKeep =
        Keep.only("type").with("object", item.with("code", Keep.ALL).with("message", Keep.ALL));
  }

  /**
   * A page of a list.
   *
   * @throws ConnectionException if it is no JSON
   */
  JsonNode page(byte[] bytes) {
    return page(bytes, listKeep);
  }

  /**
   * The given parts of a page of a list.
   *
   * @throws ConnectionException if it is no JSON
   */
  JsonNode page(byte[] bytes, Keep keep) {
    try {
      return reader.read(bytes, bytes.length, keep);
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }

  /**
   * An event of a watch.
   *
   * @param length of the event, from the start of the bytes
   * @throws IOException if it is no JSON
   */
  JsonNode event(byte[] bytes, int length) throws IOException {
    return reader.read(bytes, length, eventKeep);
  }

  /** Items of lists come without a type, and bare metadata with that of metadata. */
  JsonNode typed(JsonNode object) {
    return PrunedReader.typed(object, apiVersion, kindName);
  }
}
