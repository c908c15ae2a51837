package dev.sluice.cluster.api;

import static dev.sluice.cluster.api.ConnectionException.Reason.UNREADABLE;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into lines. Requests more only after the received bytes were consumed.
 * Holds its lock while it calls the listener, so that after {@link #close} no listener is called.
 */
final class LineBuffer {
  /** More than any object that an API server stores. */
  private static final int LONGEST = 16 << 20;

  private static final int SMALL = 16 << 10;

  private final LineListener listener;
  private volatile long lastHeard = System.nanoTime();
  private volatile boolean collecting;

  @GuardedBy("this")
  private byte[] line = new byte[SMALL];

  @GuardedBy("this")
  private int length;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private @Nullable Throwable failure;

  LineBuffer(LineListener listener) {
    this.listener = listener;
  }

  /** From now on keeps what comes instead of handing it on. */
  void collectOnly() {
    collecting = true;
  }

  synchronized byte[] collected() {
    return Arrays.copyOf(line, length);
  }

  long lastHeard() {
    return lastHeard;
  }

  /** From now on ignores what comes. */
  synchronized void close() {
    closed = true;
  }

  /** The failure of a line; the client's own exception is less specific. */
  synchronized @Nullable Throwable failure() {
    return failure;
  }

  synchronized void take(List<ByteBuffer> chunks, AsyncBody body) {
    if (closed) {
      return;
    }
    lastHeard = System.nanoTime();
    try {
      take(chunks);
      body.consume();
    } catch (Throwable e) { // the client would swallow it, and the reader would wait forever
      failure = e;
      closed = true;
      body.cancel();
    }
  }

  @GuardedBy("this")
  private void take(List<ByteBuffer> chunks) {
    for (ByteBuffer chunk : chunks) {
      while (chunk.hasRemaining()) {
        int end = endOfLine(chunk);
        append(chunk, end - chunk.position());
        if (chunk.hasRemaining()) {
          chunk.get();
          lineIsWhole();
        }
      }
    }
  }

  /** Where the line ends in this chunk, or where the chunk ends. */
  private int endOfLine(ByteBuffer chunk) {
    int at = collecting ? chunk.limit() : chunk.position();
    while (at < chunk.limit() && chunk.get(at) != '\n') {
      at++;
    }
    return at;
  }

  @GuardedBy("this")
  private void append(ByteBuffer chunk, int bytes) {
    while (line.length - length < bytes) {
      grow();
    }
    chunk.get(line, length, bytes);
    length += bytes;
  }

  @GuardedBy("this")
  private void lineIsWhole() {
    if (length > 0) {
      listen();
    }
    length = 0;
    if (line.length > 64 * SMALL) {
      line = new byte[SMALL]; // one large object need not cost us for ever
    }
  }

  @GuardedBy("this")
  private void listen() {
    try {
      listener.line(line, length);
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      throw Connection.unreadable(e); // the reader must not continue as if nothing was missed
    }
  }

  @GuardedBy("this")
  private void grow() {
    if (line.length >= LONGEST) {
      throw new ConnectionException(
          UNREADABLE, "a line of more than " + LONGEST + " bytes (expected: less)");
    }
    line = Arrays.copyOf(line, 2 * line.length);
  }
}
