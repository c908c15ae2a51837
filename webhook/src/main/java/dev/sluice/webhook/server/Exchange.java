package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request from its first byte to its answer: the body is collected within bounds, then answered
 * here if it is small, or by a worker if it is not. Confined to the request's event loop but for
 * the answering itself.
 */
final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /**
   * Bodies up to this size are answered on the event loop: it takes less time than handing over.
   */
  static final int SMALL = 16 << 10;

  private static final int FIRST_BUFFER = 8 << 10;

  private final Vertx vertx;
  private final Bounds bounds;
  private final InFlight inFlight;
  private final Executor workers;
  private final Endpoint endpoint;
  private final Deadline deadline;
  private final HttpServerRequest request;
  private final Reply reply;

  private byte[] body = new byte[FIRST_BUFFER];
  private int length;
  private long held;
  private long timer = -1;

  Exchange(
      Vertx vertx,
      Bounds bounds,
      InFlight inFlight,
      Executor workers,
      Endpoint endpoint,
      Deadline deadline,
      HttpServerRequest request,
      Reply reply) {
    this.vertx = vertx;
    this.bounds = bounds;
    this.inFlight = inFlight;
    this.workers = workers;
    this.endpoint = endpoint;
    this.deadline = deadline;
    this.request = request;
    this.reply = reply;
  }

  static Answer tooLarge(Bounds bounds) {
    return Answer.sentence(
        413, "the body is too large (expected: at most " + bounds.maxBodyBytes() + " bytes)");
  }

  void begin() {
    request.exceptionHandler(_ -> giveUp());
    request.handler(this::collect);
    request.endHandler(_ -> complete());
    timer = vertx.setTimer(bounds.bodyTimeout().toMillis(), _ -> tooSlow());
    if ("100-continue".equalsIgnoreCase(request.getHeader("expect"))) {
      request.response().writeContinue();
    }
  }

  private void collect(Buffer chunk) {
    if (reply.done()) {
      return;
    }
    int needed = length + chunk.length();
    if (needed > bounds.maxBodyBytes() || needed < 0) {
      refuse(tooLarge(bounds));
    } else if (!inFlight.tryHold(chunk.length())) {
      refuse(
          Answer.sentence(
              429,
              "too many bytes in flight (expected: at most %d in all requests together)"
                  .formatted(bounds.maxBytesInFlight())));
    } else {
      held += chunk.length();
      if (needed > body.length) {
        body = Arrays.copyOf(body, Math.clamp(2L * needed, needed, bounds.maxBodyBytes()));
      }
      chunk.getBytes(body, length);
      length = needed;
    }
  }

  private void complete() {
    vertx.cancelTimer(timer);
    if (reply.done()) {
      return;
    }
    if (!inFlight.tryEnter()) {
      refuse(
          Answer.sentence(
              429,
              "too many requests at once (expected: at most %d)"
                  .formatted(bounds.maxConcurrent())));
      return;
    }
    byte[] whole = length == body.length ? body : Arrays.copyOf(body, length);
    body = new byte[0];
    if (whole.length <= SMALL) {
      finish(answer(whole));
    } else {
      handOver(whole);
    }
  }

  private void handOver(byte[] whole) {
    Context context = vertx.getOrCreateContext();
    try {
      workers.execute(
          () -> {
            Answer answer = answer(whole);
            context.runOnContext(_ -> finish(answer));
          });
    } catch (RejectedExecutionException e) {
      finish(Answer.sentence(503, "the server is stopping"));
    }
  }

  private Answer answer(byte[] whole) {
    if (deadline.expired()) {
      return Answer.sentence(503, "time was over before the request could be looked at");
    }
    try {
      return endpoint.answer(whole, deadline);
    } catch (RuntimeException | StackOverflowError e) {
      LOG.atError().setCause(e).addKeyValue("path", endpoint.path()).log("request failed");
      return Answer.sentence(500, "internal error; the server's log has the details");
    }
  }

  private void finish(Answer answer) {
    inFlight.leave();
    reply.send(answer).onComplete(_ -> releaseBytes());
  }

  private void refuse(Answer answer) {
    vertx.cancelTimer(timer);
    reply.withoutBody(answer);
    releaseBytes();
  }

  private void tooSlow() {
    Duration time = bounds.bodyTimeout();
    refuse(
        Answer.sentence(
            503,
            "the body did not arrive in time (expected: within %d ms)".formatted(time.toMillis())));
  }

  /** The caller went away before its body was here. */
  private void giveUp() {
    vertx.cancelTimer(timer);
    releaseBytes();
  }

  private void releaseBytes() {
    inFlight.release(held);
    held = 0;
    body = new byte[0];
    length = 0;
  }
}
