package dev.sluice.cluster.api;

import java.io.IOException;

/** Takes the lines of a stream, in order and one at a time. */
@FunctionalInterface
public interface LineListener {
  /**
   * A line without its end; the bytes are valid during the call.
   *
   * @throws IOException if the line makes no sense; then the stream is given up
   */
  void line(byte[] bytes, int length) throws IOException;
}
