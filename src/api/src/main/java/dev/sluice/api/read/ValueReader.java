package dev.sluice.api.read;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads what stands at one field. */
interface ValueReader {
  /**
   * The value of a node that is there and is not null.
   *
   * @throws MalformedFieldException if the node has another form
   */
  Object read(JsonNode node);
}
