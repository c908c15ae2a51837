package dev.sluice.scheduler.ledger;

import dev.sluice.supervision.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reader of the ledger, with a bounded buffer and a thread of its own that writes. A reader
 * that does not keep up is disconnected. Thread-safe.
 */
final class LedgerConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerConnection.class);

  /** Lines that may wait for it. */
  private static final int PIECES = 256;

  private final SocketChannel channel;
  private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(PIECES);
  private final Thread thread;

  LedgerConnection(SocketChannel channel, Part part) {
    this.channel = channel;
    this.thread =
        Thread.ofPlatform().daemon().name("sluice-ledger-reader").start(part.guarded(this::write));
  }

  /** Sends this, later and in order. Does not block. */
  void offer(byte[] piece) {
    if (!pieces.offer(piece)) {
      LOG.info(
          "a reader of the ledger does not keep up; the connection is closed and the reader may"
              + " reconnect");
      close();
    }
  }

  private void write() {
    try (channel) {
      while (true) {
        ByteBuffer piece = ByteBuffer.wrap(pieces.take());
        while (piece.hasRemaining()) {
          channel.write(piece);
        }
      }
    } catch (IOException e) {
      LOG.debug("a reader of the ledger disconnected: {}", e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // let go
    }
  }

  boolean isGone() {
    return !channel.isOpen();
  }

  /** Disconnects it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("the connection of a reader could not be closed", e);
    }
    thread.interrupt();
  }
}
