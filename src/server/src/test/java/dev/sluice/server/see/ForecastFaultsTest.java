package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.history.HistoryTracker;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread of forecasts that fails, or hangs, while others ask. */
@Timeout(120)
class ForecastFaultsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final ObjectKey WAITS = new ObjectKey("a", "w");
  private static final Duration BOUND = Duration.ofMinutes(1);

  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final AtomicReference<Runnable> trap = new AtomicReference<>(() -> {});
  private final AtomicLong nanos = new AtomicLong();
  private final Supervisor supervisor =
      new Supervisor((_, why) -> ends.add(why), () -> NOW, nanos::get);
  private final Learned learned = new Learned();

  /** Queues with one Workload that waits, and a new state at each look. */
  private static final class Changing implements QueueSource {
    private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
    private final AtomicLong looks = new AtomicLong();

    Changing() {
      tell(ObjectKind.NAMESPACE, Namespace.class, "{'metadata':{'name':'a'}}");
      tell(ObjectKind.RESOURCE_FLAVOR, ResourceFlavor.class, "{'metadata':{'name':'f'}}");
      tell(
          ObjectKind.CLUSTER_QUEUE,
          ClusterQueue.class,
          """
          {'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':[
          {'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
          {'name':'cpu','nominalQuota':'1'}]}]}]}}\
          """);
      tell(
          ObjectKind.LOCAL_QUEUE,
          LocalQueue.class,
          "{'metadata':{'name':'q','namespace':'a'},'spec':{'clusterQueue':'cq'}}");
      tell(
          ObjectKind.WORKLOAD,
          Workload.class,
          """
          {'metadata':{'name':'w','namespace':'a','uid':'u'},'spec':{'queueName':'q','podSets':[
          {'name':'main','count':1,'template':{'spec':{'containers':[{'name':'c','resources':
          {'requests':{'cpu':'1'}}}]}}}]}}\
          """);
    }

    private <T> void tell(ObjectKind<T> kind, Class<T> type, String json) {
      engine.apply(
          Change.upserted(kind, HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8))),
          NOW);
    }

    private QueueState numbered() {
      return new QueueState(engine.snapshot(NOW), "\"" + looks.incrementAndGet() + "\"", NOW);
    }

    @Override
    public synchronized Optional<QueueState> state() {
      return Optional.of(numbered());
    }

    @Override
    public List<String> missing() {
      return List.of();
    }

    @Override
    public synchronized CompletableFuture<QueueFork> fork() {
      return CompletableFuture.completedFuture(new QueueFork(engine, numbered()));
    }
  }

  private Forecasts forecasts() {
    InstantSource clock =
        () -> {
          trap.get().run();
          return NOW;
        };
    return new Forecasts(
        new Changing(), learned, new HistoryTracker(), clock, Duration.ofMillis(1), supervisor);
  }

  private Forecast found() {
    return requireNonNull(learned.book().find(WAITS));
  }

  private double failures(SimpleMeterRegistry registry) {
    return registry.get("sluice.failures").tag("part", "forecast").functionCounter().count();
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsCountedAndTheNextForecastFollowsOrItEndsTheProcess(Fault fault) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    supervisor.bindTo(registry);
    try (Forecasts forecasts = forecasts()) {
      forecasts.start();
      await().atMost(BOUND).until(() -> forecasts.version() > 0);
      Fault.Trap once = fault.once();
      trap.set(once::pass);
      await().atMost(BOUND).until(once::hasStruck);
      long before = forecasts.version();

      await().atMost(BOUND).until(() -> forecasts.version() > before + 1 || !ends.isEmpty());

      assertThat(found().status()).isEqualTo(Forecast.Status.NOW);
      assertThat(failures(registry)).isEqualTo(1);
      assertThat(ends.isEmpty()).isEqualTo(fault != Fault.ERROR);
    }
  }

  @Test
  void forecastsThatFailAgainAndAgainLeaveTheLastOnesAndAHealthyProcess() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    supervisor.bindTo(registry);
    try (Forecasts forecasts = forecasts()) {
      forecasts.bindTo(registry);
      assertThat(registry.get("sluice_forecast_timestamp_seconds").gauge().value()).isZero();
      forecasts.start();
      await().atMost(BOUND).until(() -> forecasts.version() > 0);
      trap.set(
          () -> {
            throw new StackOverflowError("thrown by a test");
          });
      await().atMost(BOUND).until(() -> failures(registry) > 3);
      nanos.addAndGet(Duration.ofMinutes(3).toNanos());
      double failed = failures(registry);
      await().atMost(BOUND).until(() -> failures(registry) > failed + 3);

      assertThat(found().status()).isEqualTo(Forecast.Status.NOW);
      assertThat(registry.get("sluice_forecast_timestamp_seconds").gauge().value())
          .isEqualTo((double) NOW.getEpochSecond());
      assertThat(supervisor.health().problems()).isEmpty();
      assertThat(ends).isEmpty();
    }
  }

  @Test
  void withoutMemoryTheProcessEndsAndIsStartedAnew() {
    trap.set(
        () -> {
          throw new OutOfMemoryError("thrown by a test");
        });
    try (Forecasts forecasts = forecasts()) {
      forecasts.start();

      await().atMost(BOUND).until(() -> !ends.isEmpty());
    }
    assertThat(ends).hasSize(1).first().asString().contains("forecast", "OutOfMemoryError");
  }

  @Test
  void aForecastThatHangsLeavesTheLastOneToBeReadAndHealthSaysSo() {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (Forecasts forecasts = forecasts()) {
      forecasts.start();
      await().atMost(BOUND).until(() -> forecasts.version() > 0);
      trap.set(
          () -> {
            hangs.countDown();
            while (goesOn.getCount() > 0) {
              Thread.onSpinWait(); // it obeys no interrupt
            }
          });
      await().atMost(BOUND).until(() -> hangs.getCount() == 0);

      assertThat(found().status()).isEqualTo(Forecast.Status.NOW);
      assertThat(learned.book().scores()).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(119).toNanos());
      assertThat(supervisor.health().problems()).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThat(supervisor.health().problems()).singleElement().asString().contains("forecast");

      long before = forecasts.version();
      goesOn.countDown();
      await().atMost(BOUND).until(() -> forecasts.version() > before);
      await().atMost(BOUND).until(() -> supervisor.health().problems().isEmpty());
    } finally {
      goesOn.countDown();
    }
  }
}
