package dev.sluice.server.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.controlplane.Ports;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Kubeconfigs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A scheduler that is started again, with each kind of fault thrown once where that is done. */
@FullTier
@Timeout(300)
class RejoiningSchedulerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final ExponentialBackoff SHORT =
      new ExponentialBackoff(Duration.ofMillis(50), Duration.ofSeconds(1));

  @TempDir Path folder;

  /** A scheduler of an API server that does not answer. */
  private Scheduling alone(Supervisor supervisor) {
    try {
      Chosen chosen =
          new Chosen(
              ConfigurationReader.excerpt(JsonNodeFactory.instance.objectNode()),
              Extensions.DEFAULT);
      return Scheduling.alone(Kubeconfigs.plain(folder, Ports.free()), chosen, supervisor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatASchedulerCountsWhileItStartsIsShown() {
    MeterRegistry pages = new SimpleMeterRegistry();
    Supervisor supervisor = new Supervisor();
    BiFunction<MeterRegistry, Runnable, Scheduling> starter =
        (meters, _) -> {
          meters.counter("lists").increment();
          return alone(supervisor);
        };

    try (RejoiningScheduler _ = RejoiningScheduler.start(starter, pages, supervisor)) {
      assertThat(pages.get("lists").counter().count()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFaultIsFollowedByAnotherAttemptOrTheEndOfTheProcess(Fault fault) {
    List<String> ends = new CopyOnWriteArrayList<>();
    Supervisor supervisor =
        new Supervisor(
            (code, why) -> ends.add(code + " " + why), InstantSource.system(), System::nanoTime);
    List<Runnable> deposed = new CopyOnWriteArrayList<>();
    BiFunction<MeterRegistry, Runnable, Scheduling> starter =
        (_, depose) -> {
          deposed.add(depose);
          if (deposed.size() == 2) {
            fault.strike();
          }
          return alone(supervisor);
        };

    try (RejoiningScheduler scheduler =
        RejoiningScheduler.start(starter, new SimpleMeterRegistry(), SHORT, supervisor)) {
      deposed.getFirst().run();
      if (fault == Fault.ERROR) {
        await().atMost(PATIENCE).until(() -> !ends.isEmpty());
        assertThat(ends).containsExactly("70 the part rejoin failed with " + Fault.ERROR_TEXT);
      } else {
        await().atMost(PATIENCE).until(() -> deposed.size() == 3);
        assertThat(ends).isEmpty();
        assertThat(supervisor.part("rejoin").failures()).isEqualTo(1);
        assertThat(scheduler.snapshot()).as("nothing was ever seen").isEmpty();
      }
    }
  }
}
