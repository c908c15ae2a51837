package dev.sluice.webhook.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose request heads do not arrive in time: the first one counted from when
 * the connection was accepted, whatever else happens meanwhile, and each later one from its first
 * byte. Bytes that dribble in do not extend it. Belongs to the connection's event loop.
 *
 * <p>It stands right behind TLS. A timer is set only while a head is in the middle of arriving at
 * the end of a read, which is rare for callers that behave.
 */
final class HeadWatch extends ChannelInboundHandlerAdapter {
  private final OpenConnection connection;
  private final long limitNanos;
  private @Nullable Http2Frames frames;
  private boolean isProtocolKnown;
  private boolean open;
  private long openUnit;
  private long openSince;
  private @Nullable ScheduledFuture<?> timer;

  private HeadWatch(OpenConnection connection, Duration limit) {
    this.connection = connection;
    this.limitNanos = limit.toNanos();
  }

  /** Puts the watch behind TLS, once it is known whether TLS is spoken. */
  static final class Start extends ChannelInboundHandlerAdapter {
    private final OpenConnection connection;
    private final Duration limit;

    Start(OpenConnection connection, Duration limit) {
      this.connection = connection;
      this.limit = limit;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      ChannelPipeline pipeline = context.pipeline();
      ChannelHandlerContext tls = pipeline.context(SslHandler.class);
      String before = tls == null ? context.name() : tls.name();
      pipeline.addAfter(before, null, new HeadWatch(connection, limit));
      context.fireChannelActive();
      pipeline.remove(this);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    timer =
        context.executor().schedule(() -> awaitFirst(context), limitNanos, TimeUnit.NANOSECONDS);
  }

  private void awaitFirst(ChannelHandlerContext context) {
    timer = null;
    if (!connection.hasAsked()) {
      connection.cut();
    } else {
      look(context);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ScheduledFuture<?> set = timer;
    if (set != null) {
      set.cancel(false);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes && bytes.isReadable()) {
      chooseProtocol(context);
      boolean wasBusy = connection.isBusy();
      long before = connection.asked();
      Http2Frames http2 = frames;
      if (http2 != null) {
        http2.read(bytes);
      }
      context.fireChannelRead(message);
      if (http2 != null) {
        note(http2.isAmidHead(connection.isBusy()), http2.unit());
      } else {
        note(!wasBusy && connection.asked() == before, 0);
      }
      look(context);
    } else {
      context.fireChannelRead(message);
    }
  }

  private void chooseProtocol(ChannelHandlerContext context) {
    if (!isProtocolKnown) {
      isProtocolKnown = true;
      SslHandler tls = context.pipeline().get(SslHandler.class);
      frames = tls != null && "h2".equals(tls.applicationProtocol()) ? new Http2Frames() : null;
    }
  }

  private void note(boolean isOpen, long unit) {
    if (isOpen && (!open || unit != openUnit)) {
      openSince = System.nanoTime();
    }
    open = isOpen;
    openUnit = unit;
  }

  /** Closes the connection if its time has passed, otherwise sets a timer. */
  private void look(ChannelHandlerContext context) {
    if (!open || timer != null || !connection.hasAsked()) {
      return; // the first head has a timer of its own
    }
    long left = openSince + limitNanos - System.nanoTime();
    if (left <= 0) {
      connection.cut();
      return;
    }
    timer =
        context
            .executor()
            .schedule(
                () -> {
                  timer = null;
                  look(context);
                },
                left,
                TimeUnit.NANOSECONDS);
  }
}
