package dev.sluice.webhook.server;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Optional;

/**
 * The connection of Netty behind one of Vert.x. Vert.x offers no public way to it; this class alone
 * uses the internal one, which can change with any release of Vert.x.
 */
public final class NettyConnection {
  private NettyConnection() {}

  /**
   * The context of the handler that speaks HTTP, on a server or a client. Empty for a connection
   * that Vert.x did not make, such as that of a test.
   */
  public static Optional<ChannelHandlerContext> of(HttpConnection connection) {
    return switch (connection) {
      case HttpServerConnection server -> Optional.of(server.channelHandlerContext());
      case HttpClientConnection client -> Optional.of(client.channelHandlerContext());
      default -> Optional.empty();
    };
  }
}
