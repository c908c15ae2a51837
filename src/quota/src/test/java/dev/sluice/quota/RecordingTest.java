package dev.sluice.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.cel.CelExpression;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling.DeviceClassMapping;
import dev.sluice.api.configuration.Scheduling.DeviceSource;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.configuration.Scheduling.Resources;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.recording.ConfigurationDocument;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.MalformedRecordingException;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.testkit.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is recorded of random worlds says the same when it is read, and decides the same again. */
class RecordingTest {
  private static final int QUEUES = 10;
  private static final int STEPS = Tier.number(250, 500);

  private static final int KILLS = Tier.number(20, 60);
  private static final int FLIPS = Tier.number(50, 200);

  static Stream<Arguments> worlds() {
    return IntStream.range(0, Tier.number(4, 8)).mapToObj(seed -> Arguments.of(seed, seed % 2 > 0));
  }

  private static EngineConfiguration configuration(boolean fair) {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    return fair ? configuration.withFairSharing(FairSharing.BOTH) : configuration;
  }

  private static RecordedWorld recorded(long seed, boolean fair, int steps, int eventsOfAFrame) {
    EngineConfiguration configuration = configuration(fair);
    var world = new RandomWorld(seed, configuration, QUEUES);
    var recorded = new RecordedWorld(configuration, eventsOfAFrame);
    world.record(recorded::take);
    for (int step = 1; step <= steps; step++) {
      world.step();
      if (step % 100 == 0) {
        List<Change> state = world.everything();
        recorded.rotate(world.now(), state);
      }
    }
    return recorded;
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void aReplayOfTheRecordingDecidesTheSame(long seed, boolean fair) {
    RecordedWorld recorded = recorded(seed, fair, STEPS, 7);

    List<byte[]> segments = recorded.segments();

    assertThat(RecordedWorld.replay(segments)).isEmpty();
    assertThat(segments.stream().mapToInt(it -> RecordedWorld.read(it).size()).sum())
        .isEqualTo(recorded.events().size());
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void aRecordingCutAtAnyByteHasAllEventsOfItsWholeFrames(long seed, boolean fair) {
    RecordedWorld recorded = recorded(seed, fair, 60, 3);
    byte[] segment = recorded.segments().getFirst();
    List<RecordedEvent> all = RecordedWorld.read(segment);
    int opening = openingOf(segment);
    Random random = new Random(seed);

    for (int kill = 0; kill < KILLS; kill++) {
      byte[] rest = Arrays.copyOf(segment, opening + random.nextInt(segment.length - opening));

      List<RecordedEvent> read = RecordedWorld.read(rest);

      assertThat(all.subList(0, read.size())).isEqualTo(read);
      assertThat(RecordedWorld.replay(List.of(rest))).isEmpty();
    }
  }

  /** The shortest beginning that is a segment. */
  private static int openingOf(byte[] segment) {
    for (int length = 1; ; length++) {
      try {
        RecordedWorld.read(Arrays.copyOf(segment, length));
        return length;
      } catch (MalformedRecordingException _) {
        assertThat(length).isLessThan(segment.length);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void everyFlippedBitIsNoticed(long seed, boolean fair) {
    byte[] segment = recorded(seed, fair, 60, 3).segments().getFirst();
    Random random = new Random(seed);

    for (int flip = 0; flip < FLIPS; flip++) {
      byte[] damaged = segment.clone();
      int bit = random.nextInt(8 * damaged.length);
      damaged[bit / 8] ^= (byte) (1 << bit % 8);

      assertThatThrownBy(() -> RecordedWorld.read(damaged))
          .as("bit %d", bit)
          .isInstanceOf(MalformedRecordingException.class)
          .hasMessageStartingWith("segment");
    }
  }

  @ParameterizedTest(name = "seed {0}, fair sharing {1}")
  @MethodSource("worlds")
  void aReplayThatBeginsAtACheckpointSaysThatItsDifferencesAreUncertain(long seed, boolean fair) {
    List<byte[]> segments = recorded(seed, fair, STEPS, 7).segments();

    var mismatches = RecordedWorld.replay(segments.subList(1, segments.size()));

    assertThat(mismatches).noneMatch(it -> it.certain());
  }

  @Test
  void anotherDecisionIsFoundAndNamed() {
    RecordedWorld recorded = recorded(3, false, STEPS, 7);
    List<RecordedEvent> events = recorded.events();
    var altered = new RecordedWorld(configuration(true), 7);
    for (RecordedEvent event : events.subList(1, events.size())) {
      if (!(event.event() instanceof Event.Checkpoint)) {
        altered.take(event.at(), event.event());
      }
    }

    var mismatches = RecordedWorld.replay(altered.segments());

    assertThat(mismatches).hasSize(1).allMatch(it -> it.certain());
  }

  @Test
  void theConfigurationOfAnEngineIsReadAsItWasWritten() {
    EngineConfiguration some = configuration(true);
    EngineConfiguration other =
        some.withGates(some.gates().with(FeatureGate.TAS_PROFILE_MIXED, true));

    assertThat(ConfigurationDocument.read(ConfigurationDocument.write(some))).isEqualTo(some);
    assertThat(ConfigurationDocument.read(ConfigurationDocument.write(other))).isEqualTo(other);
  }

  @Test
  void sourcesOfDevicesAreReadAsTheyWereWritten() {
    var selector = CelExpression.parse("device.driver != ''", Set.of("device"));
    List<DeviceClassMapping> mappings =
        List.of(
            new DeviceClassMapping(
                "memory",
                List.of("a"),
                List.of(
                    new DeviceSource(
                        DeviceSource.Type.COUNTER, "m", "gpu.example", Optional.of(selector)),
                    new DeviceSource(
                        DeviceSource.Type.COUNTER, "n", "gpu.example", Optional.empty()))),
            new DeviceClassMapping(
                "shares",
                List.of("b"),
                List.of(
                    new DeviceSource(
                        DeviceSource.Type.CAPACITY, "s", "gpu.example", Optional.empty()))));
    EngineConfiguration some =
        EngineConfiguration.defaults()
            .withResources(new Resources(List.of(), false, List.of(), mappings))
            .withGates(
                FeatureGates.DEFAULT.with(
                    FeatureGate.KUEUE_DRA_INTEGRATION_CONSUMABLE_CAPACITY, true));

    assertThat(ConfigurationDocument.read(ConfigurationDocument.write(some))).isEqualTo(some);
  }
}
