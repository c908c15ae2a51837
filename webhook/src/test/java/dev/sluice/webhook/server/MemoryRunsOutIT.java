package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.supervision.ProcessEnd;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.Served;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process in which memory runs out, without the flag with which the launcher has it end. */
@FullTier
class MemoryRunsOutIT {
  private static final String DONE = "done";

  /** The program of that process: calls itself once. */
  public static final class Exhausted implements Endpoint {
    public static void main(String[] args) throws Exception {
      Path dir = Path.of(args[0]);
      Supervisor supervisor = new Supervisor();
      Vertx vertx = GatedTransport.vertx(new VertxOptions());
      vertx.exceptionHandler(cause -> supervisor.part("event-loop").failed(cause, "it goes on"));
      Listening server = new Listening(dir, vertx, Bounds.DEFAULT, new Exhausted());
      try (HttpClient client = server.client(Version.HTTP_2)) {
        byte[] body = new byte[Integer.parseInt(args[1])];
        client.send(
            Served.to(server.port(), "/exhausted").POST(BodyPublishers.ofByteArray(body)).build(),
            BodyHandlers.discarding());
      }
      Files.createFile(dir.resolve(DONE));
      Runtime.getRuntime().halt(0);
    }

    @Override
    public String path() {
      return "/exhausted";
    }

    @Override
    public Probe probe() {
      return new Probe("", "");
    }

    @Override
    public Answer answer(byte[] body, Deadline deadline) {
      throw new OutOfMemoryError("of a library");
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, RequestExchange.SMALL + 1, 2 << 20}) // on the loop, by a worker, in each lane
  void theProcessEndsAndSaysWhy(int body, @TempDir Path dir) throws Exception {
    Path log = dir.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Exhausted.class.getName(),
                dir.toString(),
                Integer.toString(body))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    await().atMost(Served.PATIENCE).until(() -> !process.isAlive());
    assertThat(process.waitFor(1, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(ProcessEnd.BROKEN);
    assertThat(log)
        .content()
        .contains("ending with exit code 70: the part event-loop failed", "of a library");
    assertThat(dir.resolve(DONE)).doesNotExist();
  }
}
