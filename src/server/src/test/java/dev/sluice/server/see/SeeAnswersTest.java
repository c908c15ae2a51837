package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.cluster.api.Connection;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.see.usage.UsageLog;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.world.SimulatedConfiguration;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init") // set before each test
class SeeAnswersTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final String QUEUE =
      "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cq/pendingworkloads";

  @TempDir private Path folder;
  private PlainServer server;
  private Connection connection;
  private Optional<QueueState> state = Optional.empty();
  private List<String> missing = List.of();
  private SeeAnswers answers;

  /** Every token is jane's, and she may read everything. */
  @BeforeEach
  void anApiServerWithOneUser() throws IOException {
    server =
        PlainServer.start(
            _ ->
                """
                {"status":{"authenticated":true,"user":{"username":"jane"},"allowed":true}}\
                """);
    connection = Connection.to(server.kubeconfig(folder));
    ReviewClient client = new ReviewClient(connection);
    AccessReviews reviews = new AccessReviews(client, System::nanoTime);
    QueueSource queues = new KnownQueues(() -> state, () -> missing);
    answers =
        new SeeAnswers(
            queues,
            () -> missing,
            new Callers(Optional::empty, new TokenReviews(client, System::nanoTime)),
            reviews,
            views(queues, new NameRights(reviews)));
  }

  private static Views views(QueueSource queues, NameRights rights) {
    InstantSource clock = InstantSource.fixed(NOW);
    var chosen =
        new SimulatedConfiguration(Configuration.defaults("sluice-system"), Extensions.DEFAULT);
    return new Views(
        queues,
        rights,
        new Simulations(queues, new LiveQueues(), chosen, rights, Past.NONE, Runnable::run, clock),
        Past.NONE,
        new TransitionLog(),
        new UsageLog(),
        Runnable::run,
        clock);
  }

  @AfterEach
  void end() {
    connection.close();
    server.close();
  }

  private void knowAQueue() {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    byte[] queue = "{\"metadata\":{\"name\":\"cq\"},\"spec\":{}}".getBytes(UTF_8);
    engine.apply(
        Change.upserted(ObjectKind.CLUSTER_QUEUE, HubObjects.read(ClusterQueue.class, queue)), NOW);
    state = Optional.of(new QueueState(engine.snapshot(NOW), "\"a-1\"", NOW));
  }

  private Reply get(String path, Map<String, List<String>> headers) {
    return answers
        .answer(new SeeRequest("GET", path, Map.of(), headers, List.of(), new byte[0]))
        .join();
  }

  private Reply ofJane(String path, String... header) {
    return get(
        path,
        header.length == 0
            ? Map.of("authorization", List.of("Bearer t"))
            : Map.of("authorization", List.of("Bearer t"), header[0], List.of(header[1])));
  }

  private static String text(Reply reply) {
    return new String(reply.body(), UTF_8);
  }

  @Test
  void whileSomethingIsMissingTheAnswerSaysWhatAndWhenToRetry() {
    missing = List.of("Workload.kueue.x-k8s.io: no rights");

    Reply reply = ofJane(QUEUE);

    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.headers()).containsEntry("Retry-After", "1");
    assertThat(text(reply)).contains("Workload.kueue.x-k8s.io: no rights");
    assertThat(get(QUEUE, Map.of()).status()).as("whom to trust may be among it").isEqualTo(503);
    assertThat(get("/readyz", Map.of()).status()).isEqualTo(503);
    assertThat(get("/healthz", Map.of()).status()).isEqualTo(200);
    assertThat(get("/livez", Map.of()).status()).isEqualTo(200);
  }

  @Test
  void aQueueWithoutWorkloadsHasAnEmptyList() {
    knowAQueue();

    Reply reply = ofJane(QUEUE);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(text(reply)).contains("\"items\":[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "W/%s", "\"b-1\", %s"})
  void whatTheClientHasIsNotSentAgain(String tags) {
    knowAQueue();
    String tag = ofJane(QUEUE).headers().getOrDefault("ETag", "");

    Reply reply = ofJane(QUEUE, "if-none-match", tags.formatted(tag));

    assertThat(reply.status()).isEqualTo(304);
    assertThat(reply.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a-1\"", "a-1", "", "\"b-1\""})
  void whatTheClientDoesNotHaveIsSent(String tags) {
    knowAQueue();

    assertThat(ofJane(QUEUE, "if-none-match", tags).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic amFuZTp4", "Bearer", "Bearer ", "t", ""})
  void whoHasNoTokenIsNobody(String credentials) {
    knowAQueue();

    Reply reply = get(QUEUE, Map.of("authorization", List.of(credentials)));

    assertThat(reply.status()).isEqualTo(401);
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void headersOfAFrontProxyCountForNothingWithoutItsCertificate() {
    knowAQueue();
    Map<String, List<String>> forged =
        Map.of("x-remote-user", List.of("admin"), "x-remote-group", List.of("system:masters"));

    assertThat(get(QUEUE, forged).status()).isEqualTo(401);
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void unknownPathsAndOtherMethodsAreRefused() {
    knowAQueue();

    assertThat(ofJane("/apis/visibility.kueue.x-k8s.io/v1/clusterqueues").status()).isEqualTo(404);
    assertThat(
            answers
                .answer(
                    new SeeRequest(
                        "DELETE",
                        QUEUE,
                        Map.of(),
                        Map.of("authorization", List.of("Bearer t")),
                        List.of(),
                        new byte[0]))
                .join()
                .status())
        .isEqualTo(405);
  }
}
