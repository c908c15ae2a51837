package dev.sluice.bench.load;

import dev.sluice.bench.objects.Corpus;
import dev.sluice.bench.objects.Review;
import dev.sluice.bench.server.Target;
import dev.sluice.webhook.server.StreamWakeUp;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends reviews to one server and measures the answers. All traffic runs on one event loop; the
 * methods block their caller until the last answer is here. One call at a time.
 */
public final class LoadClient implements AutoCloseable {
  private static final int GO_STREAM_WINDOW = 4 << 20; // what an API server, a Go program, grants
  private static final int GO_CONNECTION_WINDOW = 1 << 30;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Context loop = vertx.getOrCreateContext();
  private final HttpClientAgent client;
  private final Target target;
  private final Map<String, RequestOptions> requests = new HashMap<>(); // of the loop
  private final ProcessHandle server;

  /**
   * A client of this server.
   *
   * @param server the process it runs in, whose processor time is read
   * @param protocol how to talk
   */
  public LoadClient(Target target, ProcessHandle server, Protocol protocol) {
    this.target = target;
    this.server = server;
    this.client = client(target, protocol);
  }

  private RequestOptions request(String path) {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setHost("localhost")
        .setPort(target.port())
        .setURI(path)
        .putHeader("content-type", "application/json")
        .putHeader("accept", "application/json, */*");
  }

  private HttpClientAgent client(Target server, Protocol protocol) {
    boolean http2 = protocol.isHttp2();
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(http2)
            .setProtocolVersion(http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
            .setTrustOptions(
                new PemTrustOptions().addCertValue(Buffer.buffer(server.caBundlePem())))
            .setInitialSettings(new Http2Settings().setInitialWindowSize(GO_STREAM_WINDOW))
            .setHttp2ConnectionWindowSize(GO_CONNECTION_WINDOW);
    PoolOptions pool =
        new PoolOptions()
            .setHttp2MaxSize(1)
            .setHttp1MaxSize(protocol.connections())
            .setMaxWaitQueueSize(-1);
    return vertx
        .httpClientBuilder()
        .with(options)
        .with(pool)
        // a client with many bodies to send meets the same gap in Netty as a server with answers
        .withConnectHandler(StreamWakeUp::watch)
        .build();
  }

  /** Keeps this many requests in flight: the next one goes out as soon as an answer is here. */
  public Sample asFastAsPossible(Corpus corpus, int inFlight, Window window) {
    Run run = new Run(corpus, window, false);
    for (int i = 0; i < inFlight; i++) {
      loop.runOnContext(_ -> run.sendNext(true, System.nanoTime()));
    }
    return run.finish();
  }

  /**
   * Sends at a fixed rate, whether or not answers come. A latency counts from the moment the
   * request was due, so that a stall is charged to all requests it delays.
   */
  public Sample atRate(Corpus corpus, int perSecond, Window window) {
    Run run = new Run(corpus, window, true);
    Thread.ofPlatform().name("pacer").daemon().start(() -> run.pace(perSecond));
    return run.finish();
  }

  @Override
  public void close() {
    client
        .close()
        .onComplete(_ -> vertx.close()); // not awaited: with its loops gone nobody would tell us
  }

  /** One cell; but for {@link #finish} and {@link #pace} confined to the event loop. */
  private final class Run {
    private final List<Review> reviews;
    private final List<Buffer> bodies;
    private final long began = System.nanoTime();
    private final Tally tally;
    private final AnswerCheck check = new AnswerCheck(target.yardstick());
    private final Promise<Void> drained = Promise.promise();
    private boolean pacing;
    private int next;
    private int outstanding;

    private Run(Corpus corpus, Window window, boolean atRate) {
      this.reviews = corpus.reviews();
      this.bodies = reviews.stream().map(review -> Buffer.buffer(review.json())).toList();
      this.tally = new Tally(began, window, atRate);
      this.pacing = atRate;
    }

    private void pace(int perSecond) {
      long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
      for (long due = began; due < tally.to(); due += interval) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        long at = due;
        loop.runOnContext(_ -> sendNext(false, at));
      }
      loop.runOnContext(_ -> paced());
    }

    private void paced() {
      pacing = false;
      completeIfIdle();
    }

    private void sendNext(boolean repeat, long due) {
      Review review = reviews.get(next);
      Buffer body = bodies.get(next);
      next = (next + 1) % reviews.size();
      outstanding++;
      tally.sent(due, System.nanoTime());
      client
          .request(requests.computeIfAbsent(review.path(), LoadClient.this::request))
          .compose(open -> open.send(body))
          .compose(response -> response.body().map(answer -> judge(review, response, answer, due)))
          .onFailure(e -> tally.failed(String.valueOf(e)))
          .onComplete(_ -> answered(repeat));
    }

    private boolean judge(Review review, HttpClientResponse response, Buffer answer, long due) {
      long now = System.nanoTime();
      var problem = check.problem(review, response.statusCode(), answer);
      problem.ifPresentOrElse(tally::failed, () -> tally.good(review, due, now));
      return problem.isEmpty();
    }

    private void answered(boolean repeat) {
      outstanding--;
      long now = System.nanoTime();
      if (repeat && now < tally.to()) {
        sendNext(true, now);
      } else if (now >= tally.to()) {
        completeIfIdle();
      }
    }

    private Sample finish() {
      parkUntil(tally.from());
      Usage before = Usage.of(server);
      parkUntil(tally.to());
      Usage used = Usage.of(server).since(before);
      loop.runOnContext(_ -> completeIfIdle());
      try {
        drained.future().await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (java.util.concurrent.TimeoutException e) {
        throw new IllegalStateException(
            "%s left requests unanswered for %s".formatted(target.yardstick().label(), PATIENCE),
            e);
      }
      return tally.sample(used);
    }

    /** Ends the cell, unless a request is under way or, on a slow machine, overdue to be sent. */
    private void completeIfIdle() {
      if (outstanding == 0 && !pacing) {
        drained.tryComplete();
      }
    }

    private static void parkUntil(long time) {
      for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }
}
