package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.FILES;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** TCP ports of the loopback address. */
public final class Ports {
  private static final int CONNECT_MILLIS = 1000;

  private static final PortBlock BLOCK =
      PortBlock.claim(
          Binaries.cache(System.getenv(), Path.of(System.getProperty("user.home")))
              .resolve("ports"));

  /** The next to try; none is tried twice before the rest. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(BLOCK.count()));

  private Ports() {}

  /** A port that was free a moment ago; see {@link #free(int)}. */
  public static int free() {
    return free(1).getFirst();
  }

  /**
   * Different ports that were free a moment ago. Processes that choose ports in this way do not
   * take them; another may, and then the caller must try again.
   */
  static List<Integer> free(int count) {
    var held = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(open());
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "no free port on loopback", e);
    } finally {
      held.forEach(Ports::close);
    }
  }

  private static ServerSocket open() throws IOException {
    for (int tries = 0; tries < BLOCK.count(); tries++) {
      int port = BLOCK.first() + Math.floorMod(NEXT.getAndIncrement(), BLOCK.count());
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException _) {
        // somebody has it: the next one
      }
    }
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  static boolean isListening(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot release a port", e);
    }
  }
}
