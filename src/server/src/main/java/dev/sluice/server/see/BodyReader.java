package dev.sluice.server.see;

import dev.sluice.server.reply.Reply;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Reads the bodies of requests within bounds of number, size, and time: anybody may send one before
 * it is known who asks. Safe for many event loops; each request belongs to one.
 */
final class BodyReader {
  /** Requests with a body that are under way, from their first byte to the answer. */
  private static final int MOST = 16;

  private static final int LARGEST = 1 << 20;
  private static final long PATIENCE_MILLIS = 10_000;

  private final Vertx vertx;
  private final AtomicInteger underWay = new AtomicInteger();

  BodyReader(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Reads the body of a request; exactly one of the two is called, unless the caller disconnects.
   *
   * @param whole gets it on the event loop of the request
   * @param refused gets the answer if it is not read
   */
  void read(HttpServerRequest request, Consumer<byte[]> whole, Consumer<Reply> refused) {
    if (underWay.incrementAndGet() > MOST) {
      underWay.decrementAndGet();
      refused.accept(
          Reply.failure(429, "TooManyRequests", "too many requests with a body are under way"));
      return;
    }
    new Reading(request, whole, refused).start();
  }

  /** One body; all its methods are called on the event loop of the request. */
  private final class Reading {
    private final HttpServerRequest request;
    private final Consumer<byte[]> whole;
    private final Consumer<Reply> refused;
    private final Buffer body = Buffer.buffer();
    private boolean over;
    private boolean released;

    private Reading(HttpServerRequest request, Consumer<byte[]> whole, Consumer<Reply> refused) {
      this.request = request;
      this.whole = whole;
      this.refused = refused;
    }

    private void start() {
      long timer = vertx.setTimer(PATIENCE_MILLIS, _ -> refuse(408, "Timeout", "is too slow"));
      request
          .response()
          .endHandler(_ -> release())
          .closeHandler(
              _ -> {
                over = true;
                vertx.cancelTimer(timer);
                release();
              });
      request.handler(this::take);
      request.endHandler(
          _ -> {
            vertx.cancelTimer(timer);
            if (!over) {
              over = true;
              whole.accept(body.getBytes());
            }
          });
    }

    private void take(Buffer part) {
      if (over) {
        return; // what is beyond is read and forgotten
      }
      body.appendBuffer(part);
      if (body.length() > LARGEST) {
        refuse(413, "RequestEntityTooLarge", "has more than " + LARGEST + " bytes");
      }
    }

    private void refuse(int code, String reason, String problem) {
      if (!over) {
        over = true;
        refused.accept(Reply.failure(code, reason, "the body " + problem));
      }
    }

    private void release() {
      if (!released) {
        released = true;
        underWay.decrementAndGet();
      }
    }
  }
}
