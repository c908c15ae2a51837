package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.server.Workers.Lane;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One request from its first byte to its answer: the body is collected within bounds, then answered
 * here if it is small, or by a worker if it is not. Confined to the request's event loop but for
 * the answering itself.
 *
 * <p>Timers are set only for what is not over by the end of the event loop's turn: most requests
 * arrive whole and are answered within one, and a timer costs more than to look once.
 */
final class RequestExchange {
  private static final Logger LOG = LoggerFactory.getLogger(RequestExchange.class);

  /**
   * Bodies up to this size are answered on the event loop: it takes less time than handing over.
   */
  static final int SMALL = 16 << 10;

  /** Bodies beyond this size, and small ones that grow by more, have the lane for large ones. */
  private static final int LARGE = 1 << 20;

  /** Bytes that an answer may take on the event loop: what they are written in takes no time. */
  private static final long GROWTH_HERE = 128 << 10;

  /** Bytes that an answer may take beside a body that is not large. */
  private static final long GROWTH_OF_MEDIUM = 32 << 20;

  /** Every open request counts for at least this much: it is about what Vert.x keeps of it. */
  private static final int LEAST = 4 << 10;

  private static final byte[] NOTHING = {};
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final Bounds bounds;
  private final InFlight inFlight;
  private final Workers workers;
  private final Endpoint endpoint;
  private final Duration timeout;
  private final Deadline deadline;
  private final HttpServerRequest request;
  private final Reply reply;
  private final MemoryReservation memory;
  private final @Nullable String traceparent;

  private boolean reading = true;
  private byte[] body = NOTHING;
  private int length;
  private long timer = NO_TIMER;

  RequestExchange(
      Vertx vertx,
      Bounds bounds,
      InFlight inFlight,
      Workers workers,
      Endpoint endpoint,
      Duration timeout,
      Deadline deadline,
      HttpServerRequest request,
      Reply reply) {
    this.vertx = vertx;
    this.bounds = bounds;
    this.inFlight = inFlight;
    this.workers = workers;
    this.endpoint = endpoint;
    this.timeout = timeout;
    this.deadline = deadline;
    this.request = request;
    this.reply = reply;
    this.memory = new MemoryReservation(inFlight);
    this.traceparent = request.getHeader(TraceId.HEADER);
  }

  static Answer tooLarge(Bounds bounds) {
    return Answer.sentence(
        413, "the body is too large (expected: at most " + bounds.maxBodyBytes() + " bytes)");
  }

  void begin() {
    if (!memory.tryGrowTo(Math.min(LEAST, bounds.maxBodyBytes()))) {
      reply.withoutBody(tooManyBytes(), bounds.bodyTimeout());
      return;
    }
    request.exceptionHandler(_ -> giveUp());
    request.handler(chunk -> guarded(() -> collect(chunk)));
    request.endHandler(_ -> guarded(this::complete));
    vertx.runOnContext(_ -> awaitBody());
    if ("100-continue".equalsIgnoreCase(request.getHeader("expect"))
        && request.version() != HttpVersion.HTTP_1_0) {
      request.response().writeContinue();
    }
  }

  private void awaitBody() {
    if (reading) {
      Duration patience = least(bounds.bodyTimeout(), timeout);
      timer = vertx.setTimer(patience.toMillis(), _ -> tooSlow(patience));
    }
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void collect(Buffer chunk) {
    if (!reading) {
      return;
    }
    long needed = (long) length + chunk.length();
    if (needed > bounds.maxBodyBytes()) {
      refuse(tooLarge(bounds), bounds.bodyTimeout());
    } else if (!hasRoom(Math.toIntExact(needed))) {
      refuse(tooManyBytes(), bounds.bodyTimeout());
    } else {
      chunk.getBytes(body, length);
      length = Math.toIntExact(needed);
    }
  }

  /** Makes room for so many bytes, and for what is likely to follow them. */
  private boolean hasRoom(int needed) {
    if (needed <= body.length) {
      return true;
    }
    long most = RequestRouter.declaredLength(request).orElse(bounds.maxBodyBytes());
    long wanted = Math.max(needed, Math.min(2L * needed, most));
    boolean large = wanted > LARGE; // then both copies are worth counting for a moment
    if (!memory.tryGrowTo(large ? body.length + wanted : wanted)) {
      return false;
    }
    body = Arrays.copyOf(body, Math.toIntExact(wanted));
    if (large) {
      memory.become(wanted);
    }
    return true;
  }

  private void complete() {
    if (!reading) {
      return;
    }
    if (!inFlight.tryEnter()) {
      refuse(
          Answer.sentence(
              429,
              "too many requests at once (expected: at most %d)".formatted(bounds.maxConcurrent())),
          bounds.bodyTimeout());
      return;
    }
    byte[] whole = length == body.length ? body : Arrays.copyOf(body, length);
    stopReading();
    memory.become(whole.length);
    if (endpoint.mayWait()) {
      handOver(Lane.WAITING, whole);
    } else if (whole.length <= SMALL && !endpoint.mayWaitBriefly()) {
      answerHere(whole);
    } else {
      handOver(whole.length <= LARGE ? Lane.MEDIUM : Lane.LARGE, whole);
    }
  }

  private void answerHere(byte[] whole) {
    RequestBudget budget = new RequestBudget(memory, inFlight.mostForOne(), GROWTH_HERE);
    Answer answer = answer(whole, budget);
    budget.close();
    if (budget.outgrown()) { // a small body that becomes a little larger is no reason to wait long
      handOver(budget.wanted() <= LARGE ? Lane.MEDIUM : Lane.LARGE, whole);
    } else {
      finish(answer);
    }
  }

  private void handOver(Lane lane, byte[] whole) {
    Context context = vertx.getOrCreateContext();
    try {
      if (!workers.tryExecute(lane, () -> work(context, lane, whole))) {
        finish(
            Answer.sentence(429, "too many large or waiting requests at once (expected: fewer)"));
      }
    } catch (RejectedExecutionException e) {
      finish(Answer.sentence(503, "the server is stopping"));
    }
  }

  /** On a worker: answers, or leaves the answer to the lane for what is large. */
  private void work(Context context, Lane lane, byte[] whole) {
    long growth = lane == Lane.MEDIUM ? GROWTH_OF_MEDIUM : Long.MAX_VALUE;
    RequestBudget budget = new RequestBudget(memory, inFlight.mostForOne(), growth);
    Answer answer = answer(whole, budget);
    budget.close();
    boolean outgrown = budget.outgrown();
    context.runOnContext(
        _ -> {
          if (outgrown) {
            handOver(Lane.LARGE, whole);
          } else {
            finish(answer);
          }
        });
  }

  private Answer answer(byte[] whole, RequestBudget budget) {
    if (deadline.expired()) {
      return Answer.sentence(503, "time was over before the request could be looked at");
    }
    try (var _ = trace()) {
      return endpoint.answer(whole, deadline, budget);
    } catch (RuntimeException | Error e) { // also errors: the caller must get an answer
      reportError(e);
      LOG.atError().setCause(e).addKeyValue("path", endpoint.path()).log("request failed");
      return Answer.sentence(500, Answer.INTERNAL_ERROR);
    }
  }

  /** What a deep object does to its own stack concerns no other request. */
  private void reportError(Throwable failure) {
    if (!(failure instanceof StackOverflowError)) {
      LoopErrors.report(vertx, failure);
    }
  }

  /** Has log lines carry the caller's trace id, if it sent one. */
  private MDC.@Nullable MDCCloseable trace() {
    return TraceId.of(traceparent).map(id -> MDC.putCloseable(TraceId.KEY, id)).orElse(null);
  }

  /** Sends the answer, which is held instead of the body until the caller has taken it. */
  private void finish(Answer answer) {
    inFlight.leave();
    guarded(() -> send(answer));
  }

  private void send(Answer answer) {
    memory.become(answer.length());
    Future<Void> written = reply.send(answer);
    written.onComplete(_ -> memory.release());
    if (!written.isComplete()) {
      vertx.runOnContext(_ -> awaitTaking(written));
    }
  }

  /** Does a step on the event loop; a step that fails costs this request, and never the loop. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      reportError(e);
      LOG.atError().setCause(e).addKeyValue("path", endpoint.path()).log("request cut off");
      stopReading();
      memory.release();
      reply.abort();
    }
  }

  private void awaitTaking(Future<Void> written) {
    if (!written.isComplete()) {
      long patience = vertx.setTimer(bounds.requestTimeout().toMillis(), _ -> reply.abort());
      written.onComplete(_ -> vertx.cancelTimer(patience));
    }
  }

  private void refuse(Answer answer, Duration patience) {
    giveUp();
    reply.withoutBody(answer, patience);
  }

  private void tooSlow(Duration patience) {
    refuse(
        Answer.sentence(
            503,
            "the body did not arrive in time (expected: within %d ms)"
                .formatted(patience.toMillis())),
        Duration.ZERO);
  }

  private Answer tooManyBytes() {
    return Answer.sentence(
        429,
        "too many bytes in flight (expected: at most %d in all requests together)"
            .formatted(bounds.maxBytesInFlight()));
  }

  /** Releases the body, unless a worker still uses it to answer. */
  private void giveUp() {
    if (reading) {
      stopReading();
      memory.release();
    }
  }

  private void stopReading() {
    reading = false;
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
    }
    body = NOTHING;
    length = 0;
  }
}
