package dev.sluice.webhook.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.vertx.core.http.HttpConnection;

/**
 * Notifies the streams of an HTTP/2 connection that Netty did not notify that they are writable.
 *
 * <p>When a connection becomes writable again, Netty 4.2 records it for the connection and then
 * notifies one stream after the other. Vert.x writes as soon as a stream is notified. Over TLS this
 * may make the connection unwritable again; Netty then skips the remaining streams, and the event
 * that the connection is unwritable waits in the event loop. If everything has been sent by then,
 * no change is seen: the skipped streams are never notified. So here, each time a connection
 * becomes writable, its streams are checked again later, when no write is running. Each further
 * change of writability ends in such an event again, so no stream is missed.
 *
 * <p>Belongs to the connection's event loop. See {@code docs/contributing/upstream}.
 */
public final class StreamWakeUp extends ChannelInboundHandlerAdapter {
  private final Http2ConnectionHandler connection;
  private boolean due;

  private StreamWakeUp(Http2ConnectionHandler connection) {
    this.connection = connection;
  }

  /** Watches over this connection from now on; does nothing if it does not speak HTTP/2. */
  public static void watch(HttpConnection connection) {
    NettyConnection.of(connection).ifPresent(StreamWakeUp::watch);
  }

  private static void watch(ChannelHandlerContext connection) {
    if (connection.handler() instanceof Http2ConnectionHandler http2) {
      connection.pipeline().addAfter(connection.name(), null, new StreamWakeUp(http2));
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!due && context.channel().isWritable()) {
      due = true;
      context.executor().execute(() -> wake(context));
    }
    context.fireChannelWritabilityChanged();
  }

  private void wake(ChannelHandlerContext context) {
    due = false;
    Http2RemoteFlowController flow = connection.encoder().flowController();
    try {
      flow.initialWindowSize(flow.initialWindowSize()); // no change, but all streams are looked at
    } catch (Http2Exception e) {
      context.fireExceptionCaught(e);
    }
  }
}
