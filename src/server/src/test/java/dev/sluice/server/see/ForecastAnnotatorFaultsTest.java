package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that writes forecasts, with each kind of fault thrown once into its work. */
class ForecastAnnotatorFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** A Lease that nobody holds, whatever is written. */
  private static final String LEASE =
      """
      {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l",
      "namespace":"n","uid":"u","resourceVersion":"1"},"spec":{}}
      """;

  @TempDir private Path folder;

  /** No forecasts, and a fault at the first look. */
  private static final class Faulty implements ForecastWrites.Source {
    private final Fault.Trap trap;
    private final AtomicInteger looks = new AtomicInteger();

    Faulty(Fault fault) {
      trap = fault.once();
    }

    @Override
    public long version() {
      looks.incrementAndGet();
      trap.pass();
      return 1;
    }

    @Override
    public Map<ObjectKey, Forecast> forecasts() {
      return Map.of();
    }

    @Override
    public Optional<JsonNode> workload(ObjectKey key) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFollowedByAnotherTurnOrTheEndOfTheProcess(Fault fault) throws IOException {
    List<String> ends = new CopyOnWriteArrayList<>();
    Supervisor supervisor =
        new Supervisor(
            (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);
    Faulty source = new Faulty(fault);
    try (PlainServer server = PlainServer.start(_ -> LEASE);
        Connection connection = Connection.to(ClusterAccess.of(server.kubeconfig(folder)));
        ForecastAnnotator annotator = new ForecastAnnotator(connection, "n", source, supervisor)) {
      annotator.start();

      if (fault == Fault.ERROR) {
        await().atMost(PATIENCE).until(() -> !ends.isEmpty());
        assertThat(ends)
            .containsExactly("70 the part forecast-annotations failed with " + Fault.ERROR_TEXT);
      } else {
        await().atMost(PATIENCE).until(() -> source.looks.get() > 1);
        assertThat(ends).isEmpty();
        assertThat(supervisor.part("forecast-annotations").failures()).isEqualTo(1);
        assertThat(supervisor.health().isGood()).isTrue();
      }
    }
  }
}
