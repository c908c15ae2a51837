package dev.sluice.webhook.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.Texts;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The worst bodies known, several at once, against a process with the memory that our Deployment
 * gives it. It ends at the first OutOfMemoryError, as the launcher has it.
 */
@FullTier
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before the first test
class HostileBodiesIT {
  private static final int AT_ONCE = 4;
  private static final Duration STARTS = Duration.ofMinutes(5); // a machine may be busy

  @TempDir private static Path dir;
  private Process process;
  private SSLContext trust;
  private int port;

  /** All bodies get one process: what one of them costs must not be left for the next. */
  @BeforeAll
  void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxRAM=512m",
                "-XX:MaxRAMPercentage=50",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                SmallServer.class.getName(),
                dir.toString())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("log").toFile())
            .start();
    await().atMost(STARTS).until(() -> Files.exists(dir.resolve(SmallServer.PORT)));
    port = Integer.parseInt(Files.readString(dir.resolve(SmallServer.PORT)));
    trust = Served.trusting(Files.readString(dir.resolve(SmallServer.CA)));
  }

  @AfterAll
  void stop() throws Exception {
    process.destroyForcibly();
    assertThat(process.waitFor(Served.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(HostileBodies.class)
  void aBodyCostsItsSenderAndNobodyElse(HostileBodies hostile) {
    sendBesideHonestCalls(List.of(hostile));
  }

  @Test
  void allOfThemTogetherCostTheirSenderAndNobodyElse() {
    sendBesideHonestCalls(
        List.of(
            HostileBodies.EXPANDING,
            HostileBodies.WIDELY_EXPANDING,
            HostileBodies.MANY_EXPANDING,
            HostileBodies.EMPTY_LISTS,
            HostileBodies.OBJECT_OF_LISTS,
            HostileBodies.REVIEW_OF_OBJECTS));
  }

  private void sendBesideHonestCalls(List<HostileBodies> bodies) {
    try (HttpClient hostile = Served.client(trust, Version.HTTP_1_1);
        HttpClient honest = Served.client(trust, Version.HTTP_2)) {
      assertThat(convert(honest)).isEqualTo(200); // cold
      List<CompletableFuture<Integer>> answers =
          bodies.stream().flatMap(body -> send(hostile, body)).toList();
      List<Duration> took = new ArrayList<>();
      do {
        long began = System.nanoTime();
        assertThat(convert(honest)).as(log()).isEqualTo(200);
        assertThat(validate(honest)).as(log()).isEqualTo(200);
        took.add(Duration.ofNanos(System.nanoTime() - began));
      } while (!answers.stream().allMatch(CompletableFuture::isDone));

      assertThat(answers)
          .extracting(CompletableFuture::join)
          .as(log())
          .isSubsetOf(200, 400, 413, 429, 503);
      assertThat(took).allMatch(time -> time.compareTo(Served.PATIENCE) < 0);
      assertThat(convert(honest)).isEqualTo(200);
      assertThat(process.isAlive()).as(log()).isTrue();
    }
  }

  private Stream<CompletableFuture<Integer>> send(HttpClient client, HostileBodies hostile) {
    HttpRequest request =
        Served.to(port, hostile.path())
            .timeout(Duration.ofMinutes(3))
            .POST(BodyPublishers.ofByteArray(hostile.body()))
            .build();
    return IntStream.range(0, AT_ONCE)
        .mapToObj(
            _ ->
                client
                    .sendAsync(request, BodyHandlers.discarding())
                    .thenApply(HttpResponse::statusCode));
  }

  private int convert(HttpClient client) {
    return post(client, "/convert", Texts.conversion("good", "a", "b"));
  }

  private int validate(HttpClient client) {
    return post(client, Texts.VALIDATE_TOPOLOGY, Texts.creation("good", "rack"));
  }

  private int post(HttpClient client, String path, String body) {
    return Served.send(client, Served.to(port, path).POST(BodyPublishers.ofString(body)).build())
        .statusCode();
  }

  private String log() {
    try {
      return Files.readString(dir.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
