package dev.sluice.server.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that keeps the CA bundles, with each kind of fault thrown once into its work. */
class PublisherFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFaultIsFollowedByAnotherRoundOrTheEndOfTheProcess(Fault fault) throws IOException {
    List<String> ends = new CopyOnWriteArrayList<>();
    Supervisor supervisor =
        new Supervisor(
            (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);
    AtomicInteger asked = new AtomicInteger();

    try (ClusterPublisher _ =
        ClusterPublisher.start(
            access(),
            () -> {
              if (asked.incrementAndGet() == 1) {
                fault.strike();
              }
              return ""; // nothing to put anywhere
            },
            Optional.empty(),
            supervisor)) {
      if (fault == Fault.ERROR) {
        await().atMost(PATIENCE).until(() -> !ends.isEmpty());
        assertThat(ends).containsExactly("70 the part ca-bundle failed with " + Fault.ERROR_TEXT);
      } else {
        await().atMost(PATIENCE).until(() -> asked.get() == 2);
        assertThat(ends).isEmpty();
        assertThat(supervisor.part("ca-bundle").failures()).isEqualTo(1);
        assertThat(supervisor.health().isGood()).isTrue();
      }
    }
  }

  /** To a server that is never asked, for there is nothing to put there. */
  private ClusterAccess access() throws IOException {
    return ClusterAccess.of(Kubeconfigs.plain(folder, 1));
  }
}
