package dev.sluice.cli.migrate;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.controlplane.ApiClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Some who write to, and delete, what is being migrated, at whatever version they like. */
final class CohortClients implements AutoCloseable {
  private static final int WRITTEN = 8;

  private final KindClient cohorts;
  private final ApiClient client;
  private final int objects;
  private final Acknowledged acknowledged = new Acknowledged();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final Map<String, String> written = new ConcurrentHashMap<>();
  private final Map<String, String> deleted = new ConcurrentHashMap<>();
  private final List<Future<?>> work;

  CohortClients(KindClient cohorts, ApiClient client, int objects) {
    this.cohorts = cohorts;
    this.client = client;
    this.objects = objects;
    work = List.of(threads.submit(this::write), threads.submit(this::delete));
  }

  private void write() {
    List<ApiVersion> versions = cohorts.kind().versions();
    for (int i = 0; !stopped.get(); i++) {
      String name = OldObjects.name(1 + i % WRITTEN * (objects / WRITTEN - 1));
      ApiVersion version = versions.get(i % versions.size());
      String patch = "{\"metadata\":{\"labels\":{\"count\":\"n%d\"}}}".formatted(i);
      acknowledged.call(() -> client.mergePatch(cohorts.path(version, name), patch), Set.of(200));
      written.put(name, "n" + i);
      String made = "made-" + i;
      if (i % 10 == 0) {
        String body = OldObjects.cohort(made, 1);
        String collection = cohorts.collection(ApiVersion.V1ALPHA1);
        acknowledged.call(() -> client.create(collection, body), Set.of(201, 409));
        written.put(made, "");
      }
    }
  }

  private void delete() {
    for (int i = 2; i < objects && !stopped.get(); i += 11) {
      String name = OldObjects.name(i);
      if (i % WRITTEN != 0 && !isWritten(i)) {
        String path = cohorts.path(ApiVersion.V1BETA1, name);
        acknowledged.call(() -> client.delete(path), Set.of(200, 404));
        deleted.put(name, name);
      }
      await().pollDelay(Duration.ofMillis(100)).until(() -> true);
    }
  }

  private boolean isWritten(int number) {
    return (number - 1) % (objects / WRITTEN - 1) == 0;
  }

  void stop() throws Exception {
    stopped.set(true);
    for (Future<?> each : work) {
      each.get(10, MINUTES); // it may be at a call, which is tried for a while
    }
  }

  /** Nothing but what was deleted is missing, nothing but what was written differs. */
  void check(Map<String, JsonNode> before, Map<String, JsonNode> after) {
    assertThat(written.size()).isGreaterThan(WRITTEN);
    assertThat(deleted).isNotEmpty();
    Map<String, JsonNode> expected = new TreeMap<>(before);
    deleted.keySet().forEach(expected::remove);
    assertThat(after.keySet())
        .containsAll(expected.keySet())
        .doesNotContainAnyElementsOf(deleted.keySet());
    expected.forEach((name, was) -> check(name, was, requireNonNull(after.get(name))));
    written.keySet().forEach(name -> assertThat(after).containsKey(name));
  }

  private void check(String name, JsonNode was, JsonNode is) {
    String count = written.get(name);
    if (count == null) {
      assertThat(is).isEqualTo(was);
      return;
    }
    assertThat(is.at("/metadata/uid")).isEqualTo(was.at("/metadata/uid"));
    assertThat(is.path("spec")).isEqualTo(was.path("spec"));
    assertThat(is.at("/metadata/labels/count").asText()).isEqualTo(count);
  }

  @Override
  public void close() {
    stopped.set(true);
    threads.close();
  }
}
