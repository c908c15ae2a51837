package dev.sluice.webhook.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection accepted by a {@link ConnectionGate}, with its idle time and its running requests.
 * Thread-safe: the gate reads it from another thread than its event loop.
 */
final class OpenConnection {
  private static final AttributeKey<OpenConnection> KEY =
      AttributeKey.valueOf(OpenConnection.class, "open");

  /** In place of a number of requests: the connection is closing and accepts no more. */
  private static final int CLOSING = -1;

  private static final long GOODBYE_MILLIS = 1_000;
  private static final long NO_ERROR = 0;
  private static final int EVERY_STREAM = Integer.MAX_VALUE;

  private final Channel channel;
  private final String address;
  private final ConnectionGate gate;
  private final AtomicInteger inHand = new AtomicInteger();
  private volatile long idleSince;
  private volatile @Nullable ChannelHandlerContext http2;
  private final AtomicLong asked = new AtomicLong();
  private volatile boolean leaving;

  OpenConnection(Channel channel, String address, ConnectionGate gate, long nanos) {
    this.channel = channel;
    this.address = address;
    this.gate = gate;
    this.idleSince = nanos;
    channel.attr(KEY).set(this);
  }

  /** The one behind a connection of Vert.x; empty where no gate stands before the server. */
  static Optional<OpenConnection> of(HttpConnection connection) {
    return NettyConnection.of(connection).map(context -> context.channel().attr(KEY).get());
  }

  /** Has the streams of HTTP/2 counted from now on. */
  static void connected(HttpConnection connection) {
    NettyConnection.of(connection)
        .filter(context -> context.handler() instanceof Http2ConnectionHandler)
        .ifPresent(context -> of(connection).ifPresent(open -> open.speaksHttp2(context)));
  }

  private void speaksHttp2(ChannelHandlerContext context) {
    count(((Http2ConnectionHandler) context.handler()).connection());
    http2 = context;
  }

  private void count(Http2Connection connection) {
    for (int i = 0; i < connection.numActiveStreams(); i++) {
      begin();
    }
    connection.addListener(
        new Http2EventAdapter() {
          @Override
          public void onStreamActive(Http2Stream stream) {
            begin();
          }

          @Override
          public void onStreamClosed(Http2Stream stream) {
            end();
          }
        });
  }

  /** Counts a request of HTTP/1 until it is answered and read; those of HTTP/2 are streams. */
  static void accepted(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      of(request.connection()).ifPresent(it -> it.count(request));
    }
  }

  private void count(HttpServerRequest request) {
    if (!begin()) {
      return;
    }
    HttpServerResponse response = request.response();
    response.headersEndHandler(
        _ -> {
          if (leaving) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
          }
        });
    response.endHandler(
        _ -> {
          if (request.isEnded()) {
            end();
          } else {
            request.end().onComplete(_ -> end());
          }
        });
  }

  private boolean begin() {
    asked.incrementAndGet();
    int count = inHand.get();
    while (count != CLOSING) {
      int found = inHand.compareAndExchange(count, count + 1);
      if (found == count) {
        return true;
      }
      count = found;
    }
    return false;
  }

  private void end() {
    idleSince = gate.nanoTime();
    inHand.updateAndGet(count -> count > 0 ? count - 1 : count);
  }

  /** Whether a request is in hand. */
  boolean isBusy() {
    return inHand.get() > 0;
  }

  /** Whether a request has arrived on it at all. */
  boolean hasAsked() {
    return asked.get() > 0;
  }

  /** How many requests have arrived on it. */
  long asked() {
    return asked.get();
  }

  /** In nanoseconds of the gate's clock; what arrives without becoming a request is idling. */
  long idleSince() {
    return idleSince;
  }

  /** The addresses that share a bound with it. */
  String address() {
    return address;
  }

  /**
   * Asks the caller to send its next requests elsewhere. What it sends before it reads this is
   * answered, and it closes the connection when it has all answers. A caller of HTTP/1 reads it in
   * the head of its next answer.
   *
   * @return whether there is someone to be waited for
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a connection that is gone needs no goodbye
  boolean sayFarewell() {
    leaving = true;
    ChannelHandlerContext context = http2;
    if (context == null) {
      return hasAsked();
    }
    context
        .executor()
        .execute(
            () -> {
              ((Http2ConnectionHandler) context.handler())
                  .goAway(
                      context, EVERY_STREAM, NO_ERROR, Unpooled.EMPTY_BUFFER, context.newPromise());
              context.flush();
            });
    return true;
  }

  /** Stops accepting requests if none is running. */
  boolean tryRetire() {
    return inHand.compareAndSet(0, CLOSING);
  }

  /**
   * Closes the connection, with a GOAWAY or close notification where the protocol has one, within a
   * bound.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the close is not awaited
  void close() {
    channel
        .eventLoop()
        .execute(
            () -> {
              channel.close();
              if (channel.isOpen()) {
                channel
                    .eventLoop()
                    .schedule(
                        () -> channel.unsafe().close(channel.unsafe().voidPromise()),
                        GOODBYE_MILLIS,
                        TimeUnit.MILLISECONDS);
              }
            });
  }

  /** Closes it because it was too slow. */
  void cut() {
    gate.countCut();
    close();
  }
}
