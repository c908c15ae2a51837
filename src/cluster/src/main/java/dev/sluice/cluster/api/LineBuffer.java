package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;

import java.io.IOException;
import java.util.Arrays;

/** Cuts a stream of bytes into lines. For one thread. */
final class LineBuffer {
  /** More than any object that an API server stores. */
  private static final int LONGEST = 16 << 20;

  private static final int SMALL = 16 << 10;

  private final LineListener listener;
  private byte[] line = new byte[SMALL];
  private int length;

  LineBuffer(LineListener listener) {
    this.listener = listener;
  }

  /**
   * Takes the next bytes of the stream.
   *
   * @throws ConnectionException if a line makes no sense or is too long; the stream must not go on
   */
  void take(byte[] part, int partLength) {
    int from = 0;
    for (int at = 0; at < partLength; at++) {
      if (part[at] == '\n') {
        append(part, from, at - from);
        lineIsWhole();
        from = at + 1;
      }
    }
    append(part, from, partLength - from);
  }

  private void append(byte[] part, int from, int bytes) {
    while (line.length - length < bytes) {
      grow();
    }
    System.arraycopy(part, from, line, length, bytes);
    length += bytes;
  }

  private void lineIsWhole() {
    if (length > 0) {
      listen();
    }
    length = 0;
    if (line.length > 64 * SMALL) {
      line = new byte[SMALL]; // one large object need not cost us for ever
    }
  }

  private void listen() {
    try {
      listener.line(line, length);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      throw Connection.unreadable(e); // the reader must not continue as if nothing was missed
    }
  }

  private void grow() {
    if (line.length >= LONGEST) {
      throw new ConnectionException(
          UNREADABLE, "a line of more than " + LONGEST + " bytes (expected: less)");
    }
    line = Arrays.copyOf(line, 2 * line.length);
  }
}
