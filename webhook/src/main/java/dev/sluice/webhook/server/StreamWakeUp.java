package dev.sluice.webhook.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.vertx.core.http.HttpConnection;

/**
 * Wakes the streams of an HTTP/2 connection that Netty has forgotten to tell that they may write.
 *
 * <p>When a connection can take bytes again, Netty 4.2 notes it for the connection and then tells
 * one stream after the other. Vert.x writes as soon as a stream is told; over TLS this may fill the
 * connection up, whereupon Netty passes over the remaining streams, and the news that it is full
 * waits in the event loop. If by then everything has been sent, nothing seems to have changed: the
 * streams passed over stay asleep until their caller gives up. So here, each time a connection can
 * take bytes again, its streams are looked at once more, later, when nobody is writing. Any filling
 * up on the way ends in such an event again, so that none is forgotten for good.
 *
 * <p>Belongs to the connection's event loop. See {@code docs/contributing/benchmarks.md}.
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
