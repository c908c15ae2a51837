package dev.sluice.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.scheduler.engine.EngineFork;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class QuotaEditTrialsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration LONG = Duration.ofMinutes(2);

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  QuotaEditTrialsTest() {
    tell(ObjectKind.RESOURCE_FLAVOR, ResourceFlavor.class, "{'metadata':{'name':'f'}}");
    tell(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'n'}}");
    tell(ObjectKind.CLUSTER_QUEUE, ClusterQueue.class, clusterQueue("owner", 1));
    tell(ObjectKind.CLUSTER_QUEUE, ClusterQueue.class, clusterQueue("other", 3));
    for (String queue : List.of("owner", "other")) {
      tell(
          ObjectKind.LOCAL_QUEUE,
          LocalQueue.class,
          "{'metadata':{'name':'%s','namespace':'n'},'spec':{'clusterQueue':'%s'}}"
              .formatted(queue, queue));
    }
    tell(ObjectKind.WORKLOAD, Workload.class, workload("borrows", "other", 4));
    rest();
    tell(ObjectKind.WORKLOAD, Workload.class, workload("waits", "owner", 2));
    rest();
  }

  private <T> void tell(ObjectKind<T> kind, Class<T> type, String json) {
    engine.apply(Change.upserted(kind, read(type, json)), NOW);
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  private void rest() {
    while (engine.cycle(NOW).changed()) {
      // until nothing is left to decide
    }
  }

  private static String clusterQueue(String name, int cpu) {
    return """
    {'metadata':{'name':'%s'},'spec':{'cohortName':'c','namespaceSelector':{},
    'preemption':{'reclaimWithinCohort':'Any'},'resourceGroups':[{'coveredResources':['cpu'],
    'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':'%d'}]}]}]}}\
    """
        .formatted(name, cpu);
  }

  private static String workload(String name, String queue, int pods) {
    return """
    {'metadata':{'name':'%s','namespace':'n','uid':'%s','creationTimestamp':'%s'},'spec':{
    'queueName':'%s','podSets':[{'name':'main','count':%d,'template':{'spec':{'containers':[{
    'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]}}\
    """
        .formatted(name, name, NOW, queue, pods);
  }

  private QuotaEditTrials trials(Supplier<CompletableFuture<EngineFork>> forks, Duration bound) {
    return new QuotaEditTrials(forks, InstantSource.fixed(NOW), bound, new Supervisor());
  }

  private EngineFork fork() {
    return new EngineFork(engine.fork(), engine.snapshot(NOW));
  }

  private static JsonNode raised() {
    return tree(clusterQueue("owner", 2));
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }

  @Test
  void namesThoseThatLoseQuotaAndLeavesTheEngineAsItWas() {
    try (QuotaEditTrials trials = trials(() -> CompletableFuture.completedFuture(fork()), LONG)) {
      assertThat(trials.losses(raised()))
          .contains(List.of(new QuotaLoss(new ObjectKey("n", "borrows"), false)));
      assertThat(trials.losses(tree(clusterQueue("owner", 0)))).contains(List.of());
    }
    assertThat(engine.snapshot(NOW).holders("other")).hasSize(1);
  }

  @Test
  void answersNobodyElseWhileItTriesAnEdit() throws InterruptedException {
    CompletableFuture<EngineFork> late = new CompletableFuture<>();
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Optional<List<QuotaLoss>>> first = new CompletableFuture<>();
    try (QuotaEditTrials trials =
        trials(
            () -> {
              asked.countDown();
              return late;
            },
            LONG)) {
      Thread.ofVirtual().start(() -> first.complete(trials.losses(raised())));
      assertThat(asked.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(trials.losses(raised())).isEmpty();

      late.complete(fork());
      assertThat(first.join().orElseThrow()).hasSize(1);
    }
  }

  @Test
  void pausesAfterAnAttemptThatTookTooLong() {
    AtomicInteger asked = new AtomicInteger();
    try (QuotaEditTrials trials =
        trials(
            () -> {
              asked.incrementAndGet();
              return new CompletableFuture<>();
            },
            Duration.ofSeconds(1))) {
      assertThat(trials.losses(raised())).isEmpty();
      assertThat(trials.losses(raised())).isEmpty();
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void anEngineThatFailsIsNoAnswer() {
    try (QuotaEditTrials trials =
        trials(() -> CompletableFuture.failedFuture(new IllegalStateException("closed")), LONG)) {
      assertThat(trials.losses(raised())).isEmpty();
    }
  }

  @Test
  void anotherProcessAsksOverASocket(@TempDir Path folder) throws IOException {
    Path ledger = folder.resolve("ledger");
    QuotaEditClient client = QuotaEditClient.beside(ledger, LONG);
    assertThat(client.losses(raised())).as("nobody listens").isEmpty();

    try (QuotaEditTrials trials = trials(() -> CompletableFuture.completedFuture(fork()), LONG);
        QuotaEditSocket socket = QuotaEditSocket.beside(ledger, trials, new Supervisor())) {
      assertThat(client.losses(raised()))
          .contains(List.of(new QuotaLoss(new ObjectKey("n", "borrows"), false)));
      assertThat(client.losses(tree(clusterQueue("owner", 0)))).contains(List.of());
      assertThat(client.losses(tree("{'metadata':7}"))).as("malformed").isEmpty();
      assertThat(client.losses(raised())).as("after that").isPresent();
      assertThat(socket.failures()).isZero();
    }
    assertThat(client.losses(raised())).as("nobody listens any more").isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aSchedulerThatDoesNotAnswerIsWaitedForNoLongerThanTheBound(@TempDir Path folder)
      throws IOException {
    Path ledger = folder.resolve("ledger");
    QuotaEditClient client = QuotaEditClient.beside(ledger, Duration.ofMillis(200));
    CompletableFuture<EngineFork> never = new CompletableFuture<>();
    try (QuotaEditTrials trials = trials(() -> never, LONG);
        QuotaEditSocket _ = QuotaEditSocket.beside(ledger, trials, new Supervisor())) {
      assertThat(client.losses(raised())).isEmpty();
      never.completeExceptionally(new IllegalStateException("closed"));
    }
  }

  @Test
  @Timeout(60)
  void aSchedulerThatAcceptsNoConnectionHoldsNobody(@TempDir Path folder) throws IOException {
    Path ledger = folder.resolve("ledger");
    QuotaEditClient client = QuotaEditClient.beside(ledger, Duration.ofMillis(20));
    try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      stopped.bind(UnixDomainSocketAddress.of(QuotaEditSocket.path(ledger)), 1);
      for (int i = 0; i < 5; i++) { // more than may wait to be accepted
        assertThat(client.losses(raised())).isEmpty();
      }
    }
  }

  @Test
  @Timeout(60)
  void aThreadThatIsInterruptedListensAgain(@TempDir Path folder) throws IOException {
    Path ledger = folder.resolve("ledger");
    QuotaEditClient client = QuotaEditClient.beside(ledger, LONG);
    Supervisor supervisor = new Supervisor();
    try (QuotaEditTrials trials = trials(() -> CompletableFuture.completedFuture(fork()), LONG);
        QuotaEditSocket socket = QuotaEditSocket.beside(ledger, trials, supervisor)) {
      assertThat(client.losses(raised())).isPresent();

      acceptingThread().interrupt();

      await().until(() -> socket.failures() == 1);
      await().until(() -> client.losses(raised()).isPresent());
      assertThat(supervisor.health().isGood()).isTrue();
    }
    assertThat(folder).isEmptyDirectory();
  }

  private static Thread acceptingThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().contains("quota-edit-accept"))
        .findFirst()
        .orElseThrow();
  }
}
