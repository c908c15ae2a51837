package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.Texts;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.ConversionMeters;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import dev.sluice.webhook.server.Workers.Lane;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.threadchecker.BlockedThreadEvent;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is large leaves the event loop; each report of a loop that was held up is an error here. */
@FullTier
@SuppressWarnings("NullAway.Init") // set before each test
class BlockedLoopsIT {
  /** Half of what the largest body here costs a warm JVM on a fast machine. */
  private static final Duration LONGEST = Duration.ofMillis(150);

  private static final int DEEP = 20;
  private static final int OBJECTS_OF_20_MIB = 120_000;

  @TempDir private Path dir;
  private final Queue<String> reports = new ConcurrentLinkedQueue<>();
  private Listening server;
  private HttpClient client;

  /** Does what no endpoint should: works on the event loop for long. */
  private static final class Busy implements Endpoint {
    @Override
    public String path() {
      return "/busy";
    }

    @Override
    public Probe probe() {
      return new Probe("", "");
    }

    @Override
    public Answer answer(byte[] body, Deadline deadline) {
      long end = System.nanoTime() + LONGEST.multipliedBy(3).toNanos();
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      return Answer.review(List.of(body));
    }
  }

  @BeforeEach
  void start() {
    Vertx vertx =
        GatedTransport.vertx(
            new VertxOptions()
                .setBlockedThreadCheckInterval(10)
                .setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
                .setMaxEventLoopExecuteTime(LONGEST.toMillis())
                .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS));
    ((VertxInternal) vertx).blockedThreadChecker().setThreadBlockedHandler(this::report);
    server = new Listening(dir, vertx, Bounds.DEFAULT, conversion(), new Busy());
    client = server.client(Version.HTTP_2);
  }

  private static ConversionEndpoint conversion() {
    return new ConversionEndpoint(
        new JsonSyntax(JsonLimits.DEFAULT),
        Bounds.DEFAULT.maxAnswerBytes(),
        new ConversionMeters(new SimpleMeterRegistry()),
        System::nanoTime);
  }

  private void report(BlockedThreadEvent event) {
    var stack = Arrays.stream(event.thread().getStackTrace()).limit(DEEP).toList();
    reports.add(event.thread().getName() + " for " + event.duration() + " ns in " + stack);
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  @Test
  void noLoopIsHeldUpByConversionsOfAnySize() {
    List<byte[]> reviews =
        Stream.of(1, 50, 500, OBJECTS_OF_20_MIB)
            .map(objects -> Texts.largeConversion("u", objects).getBytes(UTF_8))
            .toList();
    assertThat(reviews.getLast().length).isGreaterThan(20 << 20);
    reviews.forEach(review -> assertThat(post("/convert", review)).isEqualTo(200)); // cold
    reports.clear();

    IntStream.range(0, 2)
        .boxed()
        .flatMap(_ -> reviews.stream())
        .forEach(review -> assertThat(post("/convert", review)).isEqualTo(200));

    assertThat(reports).isEmpty();
  }

  /** 1.4 KB that become 21 MB, and 3 KB that would become too much. */
  @Test
  void noLoopIsHeldUpByASmallBodyThatBecomesLarge() {
    byte[] narrow = Texts.expanding("u", 8, 1).getBytes(UTF_8);
    byte[] wide = Texts.expanding("u", 8, 14).getBytes(UTF_8);
    assertThat(wide.length).isLessThan(RequestExchange.SMALL);
    assertThat(post("/convert", narrow)).isEqualTo(200); // cold
    assertThat(post("/convert", wide)).isIn(200, 413);
    reports.clear();

    for (int i = 0; i < 3; i++) {
      assertThat(post("/convert", narrow)).isEqualTo(200);
      assertThat(post("/convert", wide)).isIn(200, 413);
    }

    assertThat(reports).noneMatch(report -> report.contains("dev.sluice.conversion"));
  }

  /** As callers with small lists send them, beside others that expand. */
  @Test
  void aSmallListThatGrowsALittleDoesNotWaitForLargeRequests() {
    byte[] list = Texts.placed("u", 30).getBytes(UTF_8);
    assertThat(list.length).isLessThan(RequestExchange.SMALL);

    assertThat(post("/convert", list)).isEqualTo(200);

    assertThat(server.lanes()).isEmpty();
  }

  @Test
  void aSmallBodyIsAnsweredInTheLaneOfWhatItBecomes() {
    assertThat(post("/convert", Texts.expanding("u", 1, 1, 2_000).getBytes(UTF_8))).isEqualTo(200);
    assertThat(post("/convert", Texts.expanding("u", 8, 1).getBytes(UTF_8))).isEqualTo(200);

    assertThat(server.lanes()).containsExactly(Lane.MEDIUM, Lane.LARGE);
  }

  @Test
  void aLoopThatIsHeldUpWouldBeReported() {
    assertThat(post("/busy", new byte[1])).isEqualTo(200);

    await().atMost(Served.PATIENCE).until(() -> !reports.isEmpty());
  }

  private int post(String path, byte[] body) {
    return client
        .sendAsync(
            Served.to(server.port(), path).POST(BodyPublishers.ofByteArray(body)).build(),
            BodyHandlers.discarding())
        .orTimeout(Served.PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join()
        .statusCode();
  }
}
