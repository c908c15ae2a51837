package dev.sluice.cli.migrate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiVersion;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two who write Workloads all the time, at v1beta1 and v1beta2 in turn: mostly how long one ran,
 * now and then a new one, now and then one is deleted. They know no API server that is away: a
 * write is tried until it is acknowledged. Each has objects of its own.
 */
final class WorkloadClients implements AutoCloseable {
  private static final List<ApiVersion> VERSIONS = List.of(ApiVersion.V1BETA1, ApiVersion.V1BETA2);
  private static final int CLIENTS = 2;
  private static final long PERIOD_MILLIS = 250;
  private static final int TURNS = 10; // one of which deletes, and a later one makes
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final KindClient workloads;
  private final ApiClient client;
  private final WorkloadLedger ledger;
  private final List<String> keys;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CLIENTS);
  private final AtomicInteger writes = new AtomicInteger();
  private final Acknowledged acknowledged = new Acknowledged();
  private final List<ScheduledFuture<?>> work = new ArrayList<>();

  /**
   * They begin at once.
   *
   * @param keys the objects that are there
   */
  WorkloadClients(
      KindClient workloads, ApiClient client, WorkloadLedger ledger, List<String> keys) {
    this.workloads = workloads;
    this.client = client;
    this.ledger = ledger;
    this.keys = keys;
    for (int i = 0; i < CLIENTS; i++) {
      AtomicInteger turn = new AtomicInteger();
      int number = i;
      work.add(
          threads.scheduleWithFixedDelay(
              () -> write(number, turn.getAndIncrement()), 0, PERIOD_MILLIS, MILLISECONDS));
    }
  }

  /** What they did, all of it acknowledged. */
  int writes() {
    return writes.get();
  }

  /** How often they were refused or heard nothing, and tried again. */
  int refusals() {
    return acknowledged.refusals();
  }

  private void write(int who, int turn) {
    ApiVersion version = VERSIONS.get(turn % 2);
    if (turn % TURNS == TURNS - 1) {
      make(version, "made-%d-%d".formatted(who, turn), turn);
    } else if (turn % TURNS == TURNS / 2) {
      delete(version, key(who, turn / TURNS, 1));
    } else {
      run(version, key(who, turn, 0), turn + 1);
    }
    writes.incrementAndGet();
  }

  /** Of four objects that follow each other, one is written, one deleted, for each client. */
  private String key(int who, int turn, int use) {
    int fours = keys.size() / 4;
    return keys.get((int) (turn * 7919L % fours) * 4 + 2 * who + use);
  }

  private void run(ApiVersion version, String key, int seconds) {
    String patch = "{\"status\":{\"%s\":%d}}".formatted(WorkloadLedger.timeField(version), seconds);
    String path = workloads.path(version, key) + "/status";
    acknowledged.call(() -> client.mergePatch(path, patch), Set.of(200));
    ledger.ran(key, seconds);
  }

  private void make(ApiVersion version, String name, int number) {
    String collection = workloads.collection(version, "default");
    String body = WorkloadBodies.created(version, name, number);
    acknowledged.call(() -> client.create(collection, body), Set.of(201, 409));
    String key = "default/" + name;
    Response made = acknowledged.call(() -> client.get(workloads.path(version, key)), Set.of(200));
    ledger.has(key, made.body().getBytes(UTF_8));
  }

  private void delete(ApiVersion version, String key) {
    acknowledged.call(() -> client.delete(workloads.path(version, key)), Set.of(200, 404));
    ledger.lost(key);
  }

  /** Lets them finish what they are at; fails if one of them has failed. */
  void stop() throws Exception {
    threads.shutdown();
    assertThat(threads.awaitTermination(PATIENCE.toSeconds(), SECONDS)).isTrue();
    for (ScheduledFuture<?> each : work) {
      if (each.state() == Future.State.FAILED) {
        throw new ExecutionException(each.exceptionNow());
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
