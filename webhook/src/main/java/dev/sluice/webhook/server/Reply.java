package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.IntConsumer;

/** Sends one answer to one request, at most once. Belongs to the request's event loop. */
final class Reply {
  private static final long CANCEL = 8; // RFC 9113: the stream is no longer needed

  /** Bytes of one answer that are sent before others have their turn on the event loop. */
  private static final int TURN = 512 << 10;

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final IntConsumer sent;
  private boolean done;

  /**
   * A reply to this request.
   *
   * @param sent receives the status once the answer is being sent
   */
  Reply(Vertx vertx, HttpServerRequest request, IntConsumer sent) {
    this.vertx = vertx;
    this.request = request;
    this.sent = sent;
  }

  /**
   * Sends the answer, no faster than the caller takes it.
   *
   * @return completed when all of it was handed to the system, or failed when the caller has gone
   */
  Future<Void> send(Answer answer) {
    HttpServerResponse response = request.response();
    if (!begin(answer, response)) {
      return Future.succeededFuture(); // the caller is gone
    }
    return answer.segments().size() == 1
        ? sendWhole(response, answer.segments().getFirst())
        : new Transfer(vertx, response, answer.segments().iterator()).begin();
  }

  /** Sends all but the body, as HEAD asks for. */
  void headOnly(Answer answer) {
    HttpServerResponse response = request.response();
    if (begin(answer, response)) {
      response.end();
    }
  }

  private boolean begin(Answer answer, HttpServerResponse response) {
    if (done || response.ended() || response.closed()) {
      return false;
    }
    done = true;
    response
        .setStatusCode(answer.status())
        .putHeader("content-type", answer.contentType())
        .putHeader("content-length", Long.toString(answer.length()));
    if (answer.status() == 429 || answer.status() == 503) {
      response.putHeader("retry-after", "1");
    }
    sent.accept(answer.status());
    return true;
  }

  private static Future<Void> sendWhole(HttpServerResponse response, byte[] body) {
    response.exceptionHandler(_ -> {}); // what is returned fails, too
    return response.end(buffer(body));
  }

  private static Buffer buffer(byte[] segment) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(segment)); // not a copy
  }

  /**
   * Sends the answer although the body may not be here. What still comes of it is thrown away for a
   * while, since a caller that finds the connection closed while it sends may never read the
   * answer; then the connection (HTTP/1) or the stream (HTTP/2) ends.
   *
   * @param patience how long the rest of the body is listened to
   * @return as {@link #send} does
   */
  Future<Void> withoutBody(Answer answer, Duration patience) {
    if (request.isEnded() || !expectsBody()) {
      return send(answer);
    }
    if (!isHttp2()) {
      request.response().putHeader("connection", "close");
    }
    request.handler(_ -> {});
    request.resume();
    Future<Void> written = send(answer);
    if (patience.isZero()) {
      written.onComplete(_ -> abort());
    } else {
      awaitBody(written, patience);
    }
    return written;
  }

  private void awaitBody(Future<Void> written, Duration patience) {
    long timer = vertx.setTimer(patience.toMillis(), _ -> abort());
    request.exceptionHandler(_ -> vertx.cancelTimer(timer));
    request.endHandler(
        _ -> {
          vertx.cancelTimer(timer);
          if (!isHttp2()) {
            written.onComplete(_ -> abort()); // as the answer's header said
          }
        });
  }

  /** Ends the exchange in any state; already written bytes stay sent. */
  void abort() {
    abort(request);
  }

  /** The same of any request. */
  static void abort(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(request.response().ended() ? 0 : CANCEL);
    } else {
      cut(request.connection());
    }
  }

  /**
   * The public API of Vert.x waits until all written bytes are taken, possibly forever; Netty sends
   * a close notification and waits for a few seconds at most.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the close is not awaited
  private static void cut(HttpConnection connection) {
    NettyConnection.of(connection).ifPresentOrElse(ChannelHandlerContext::close, connection::close);
  }

  private boolean isHttp2() {
    return request.version() == HttpVersion.HTTP_2;
  }

  private boolean expectsBody() {
    String length = request.getHeader("content-length");
    return isHttp2()
        || request.getHeader("transfer-encoding") != null
        || (length != null && !length.equals("0"));
  }

  /**
   * Writes the segments of an answer. A slow caller is waited for without blocking, and a long
   * answer is sent in several turns of the event loop, so that it does not delay others.
   */
  private static final class Transfer {
    private final Vertx vertx;
    private final HttpServerResponse response;
    private final Iterator<byte[]> segments;
    private final Promise<Void> written = Promise.promise();
    private boolean pausing;

    private Transfer(Vertx vertx, HttpServerResponse response, Iterator<byte[]> segments) {
      this.vertx = vertx;
      this.response = response;
      this.segments = segments;
    }

    private Future<Void> begin() {
      response.exceptionHandler(written::tryFail);
      response.closeHandler(_ -> written.tryFail("the caller is gone"));
      response.drainHandler(_ -> goOn());
      goOn();
      return written.future();
    }

    private void goOn() {
      int sent = 0;
      while (!pausing && !written.future().isComplete() && segments.hasNext()) {
        if (response.writeQueueFull()) {
          return; // the drain handler continues
        }
        if (sent > TURN) {
          pausing = true;
          vertx.runOnContext(_ -> takeTurn());
          return;
        }
        sent += sendNext();
      }
    }

    private void takeTurn() {
      pausing = false;
      goOn();
    }

    private int sendNext() {
      byte[] segment = segments.next();
      Buffer buffer = buffer(segment);
      if (segments.hasNext()) {
        response.write(buffer).onFailure(written::tryFail);
      } else {
        response.end(buffer).onSuccess(written::tryComplete).onFailure(written::tryFail);
      }
      return segment.length;
    }
  }
}
