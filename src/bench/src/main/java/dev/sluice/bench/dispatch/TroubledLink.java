package dev.sluice.bench.dispatch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A way to an API server on loopback on which answers come late, or not at all. What is asked goes
 * through at once, and so does the beginning of a connection up to the first request.
 */
final class TroubledLink implements AutoCloseable {
  private static final int PIECE = 16 * 1024;

  /** Pieces that a connection keeps back at most; then the API server has to wait. */
  private static final int KEPT = 256;

  private static final Duration PAUSE = Duration.ofMillis(10);

  private final int target;
  private final ServerSocket door;
  private final Collection<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile Duration late = Duration.ZERO;

  /**
   * A part of an answer.
   *
   * @param came when
   * @param isHello whether it belongs to the beginning of the connection
   */
  private record Piece(ByteBuffer bytes, long came, boolean isHello) {}

  /**
   * Opens the way.
   *
   * @param target the port of the API server
   */
  TroubledLink(int target) throws IOException {
    this.target = target;
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** How late each part of an answer is from now on, also of those that are under way. */
  void delay(Duration by) {
    late = by;
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = kept(door.accept());
        Socket server = kept(new Socket(InetAddress.getLoopbackAddress(), target));
        BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(KEPT);
        AtomicInteger asked = new AtomicInteger();
        threads.execute(() -> copy(client, server, asked));
        threads.execute(() -> read(server, asked, pieces));
        threads.execute(() -> write(pieces, client, server));
      } catch (IOException _) {
        // the door was closed, or the API server is away
      }
    }
  }

  private Socket kept(Socket socket) {
    open.add(socket);
    return socket;
  }

  /**
   * What is asked.
   *
   * @param asked counts its pieces; the first one greets
   */
  private void copy(Socket client, Socket server, AtomicInteger asked) {
    byte[] bytes = new byte[PIECE];
    try {
      InputStream in = client.getInputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        asked.incrementAndGet();
        server.getOutputStream().write(bytes, 0, count);
      }
    } catch (IOException _) {
      // one of them hung up
    } finally {
      close(server);
      close(client);
    }
  }

  /** What is answered; an empty piece is its end. */
  private static void read(Socket server, AtomicInteger asked, BlockingQueue<Piece> pieces) {
    byte[] bytes = new byte[PIECE];
    try {
      try {
        InputStream in = server.getInputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          pieces.put(
              new Piece(
                  ByteBuffer.wrap(Arrays.copyOf(bytes, count)),
                  System.nanoTime(),
                  asked.get() < 2));
        }
      } catch (IOException _) {
        // it hung up
      }
      pieces.put(new Piece(ByteBuffer.allocate(0), System.nanoTime(), true));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(BlockingQueue<Piece> pieces, Socket client, Socket server) {
    try {
      OutputStream out = client.getOutputStream();
      for (Piece piece = pieces.take(); piece.bytes().hasRemaining(); piece = pieces.take()) {
        long came = piece.came();
        while (!piece.isHello()
            && !client.isClosed()
            && System.nanoTime() - came < late.toNanos()) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
        out.write(piece.bytes().array());
      }
    } catch (IOException _) {
      // the manager hung up
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      close(client);
      close(server);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException _) {
      // it is closed
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    open.forEach(this::close);
    threads.shutdownNow();
  }
}
