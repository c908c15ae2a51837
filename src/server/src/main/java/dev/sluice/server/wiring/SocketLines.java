package dev.sluice.server.wiring;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** Lines over a socket, each bounded in size and time. */
final class SocketLines {
  private static final int MOST = 4 << 20;
  private static final int BUFFER = 16 << 10;

  private SocketLines() {}

  /**
   * Reads one line, without its end.
   *
   * @param end when it must be there, by {@link System#nanoTime}
   * @throws IOException if it is not, or if it is too long
   */
  static byte[] read(SocketChannel channel, long end) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    while (true) {
      await(channel, SelectionKey.OP_READ, end);
      int count = channel.read(buffer.clear());
      if (count < 0 || line.size() > MOST) {
        throw new EOFException("no whole line");
      }
      boolean isWhole = count > 0 && buffer.get(count - 1) == '\n';
      line.write(buffer.array(), 0, isWhole ? count - 1 : count);
      if (isWhole) {
        return line.toByteArray();
      }
    }
  }

  /**
   * Writes a text as one line.
   *
   * @param text without line breaks
   * @param end when it must be taken, by {@link System#nanoTime}
   * @throws IOException if it is not
   */
  static void write(SocketChannel channel, byte[] text, long end) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(text.length + 1).put(text).put((byte) '\n').flip();
    while (buffer.hasRemaining()) {
      await(channel, SelectionKey.OP_WRITE, end);
      channel.write(buffer);
    }
  }

  private static void await(SocketChannel channel, int operation, long end) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    channel.configureBlocking(false);
    try (Selector selector = channel.provider().openSelector()) {
      channel.register(selector, operation);
      if (left <= 0 || selector.select(left) == 0) {
        throw new IOException("no answer in time");
      }
    }
  }
}
