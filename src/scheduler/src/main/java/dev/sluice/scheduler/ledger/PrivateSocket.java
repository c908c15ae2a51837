package dev.sluice.scheduler.ledger;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** Unix domain sockets that only the user of this process may connect to. */
public final class PrivateSocket {
  private PrivateSocket() {}

  /**
   * Listens there; a socket left by a killed process is replaced.
   *
   * @throws IOException if the socket cannot be created, or if another file is there
   */
  public static ServerSocketChannel bind(Path path) throws IOException {
    removeSocket(path);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /**
   * Connects and never waits: where nobody accepts, a full queue of connections would hold a caller
   * without bound.
   *
   * @return a channel that does not block
   * @throws IOException if nobody listens there, or no more connections may wait
   */
  public static SocketChannel connect(Path path) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(path))) {
        throw new IOException(path + " accepts no connection");
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void removeSocket(Path path) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      BasicFileAttributes file =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!file.isOther()) {
        throw new IOException(path + " is there and is no socket");
      }
      Files.delete(path);
    }
  }
}
