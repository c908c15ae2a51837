package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.ScriptedApiServer.Step;
import dev.sluice.json.tree.Keep;
import dev.sluice.supervision.Readiness;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server waits for its view of the cluster, though not for ever, and says what it has. */
class ViewReadinessIT {
  private static final WatchedKind PODS =
      new WatchedKind(new GroupVersionKind("", "v1", "Pod"), Optional.of("pods"), Keep.ALL, false);

  /** Asks again soon. */
  private static final WatchTimes TIMES =
      new WatchTimes(
          Duration.ofSeconds(1),
          100,
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofMillis(20),
          Duration.ofMillis(100),
          Duration.ofMillis(50));

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void isReadyWithoutTheViewWhenPatienceIsOverAndWithItOnceItIsThere() throws IOException {
    AtomicLong now = new AtomicLong();
    try (var server = new ScriptedApiServer(); // says nothing
        var connection = Connection.to(server.kubeconfig(folder));
        var view = new WatchedView(connection, List.of(PODS), TIMES, new Random(1))) {
      view.start();
      var dependency = new ViewReadiness(view, PATIENCE, now::get);

      Readiness waiting = dependency.readiness();
      now.addAndGet(PATIENCE.toNanos() + 1);
      Readiness overdue = dependency.readiness();
      server.then(Step.answer("{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}"));

      assertThat(waiting.ready()).isFalse();
      assertThat(waiting.sentence()).startsWith("the view is not complete: ").contains("Pod");
      assertThat(overdue.ready()).isTrue();
      assertThat(overdue.sentence()).startsWith("ready without a complete view; ");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(dependency.readiness().sentence()).startsWith("ready; "));
    }
  }
}
