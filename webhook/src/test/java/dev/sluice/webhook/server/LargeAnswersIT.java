package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Tier;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import io.vertx.core.VertxOptions;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many large answers at once on the one connection that an API server has. */
@SuppressWarnings("NullAway.Init") // set before each test
class LargeAnswersIT {
  private static final int AT_ONCE = 16;
  private static final int ROUNDS = Tier.number(1, 4);
  private static final List<byte[]> SEGMENTS = Collections.nCopies(64, new byte[64 << 10]);
  private static final int LENGTH = 4 << 20;

  @TempDir private Path dir;
  private Listening server;
  private HttpClient client;

  /** Answers four megabytes. */
  private static final class Large implements Endpoint {
    @Override
    public String path() {
      return "/large";
    }

    @Override
    public Probe probe() {
      return new Probe("", "");
    }

    @Override
    public Answer answer(byte[] body, Deadline deadline) {
      return Answer.review(SEGMENTS);
    }
  }

  @BeforeEach
  void start() {
    server =
        new Listening(dir, GatedTransport.vertx(new VertxOptions()), Served.PATIENT, new Large());
    client = server.client(Version.HTTP_2);
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  @Test
  void reachTheirCallerAllOfThem() {
    for (int round = 0; round < ROUNDS; round++) {
      var answers = Stream.generate(this::ask).limit(AT_ONCE).toList();

      assertThat(answers)
          .as("lengths in round %d", round)
          .extracting(answer -> answer.join().body().length)
          .containsOnly(LENGTH);
    }
  }

  /** Sends a body that is large enough to be answered by a worker, as large reviews are. */
  private CompletableFuture<HttpResponse<byte[]>> ask() {
    HttpRequest request =
        Served.to(server.port(), "/large")
            .POST(BodyPublishers.ofByteArray(new byte[RequestExchange.SMALL + 1]))
            .build();
    return client
        .sendAsync(request, BodyHandlers.ofByteArray())
        .orTimeout(Served.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
