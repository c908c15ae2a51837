package dev.sluice.conversion.laws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.ApiKind;
import dev.sluice.conversion.Conversions;
import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.laws.Laws.Drawn;
import dev.sluice.conversion.laws.Laws.Law;
import dev.sluice.testkit.Tier;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries every law on drawn objects of every kind in every direction. {@code
 * -Dsluice.laws.objects=200000} tries as many, and {@code -Dsluice.laws.seed=7} others.
 */
class ConversionLawsTest {
  private static final int OBJECTS = Tier.number("sluice.laws.objects", 3_000, 8_000);
  private static final long SEED = Long.getLong("sluice.laws.seed", 20261121);
  private static final int REPORTED_EVERY = 10_000;

  private static final List<ObjectSource> SOURCES = Drawings.SOURCES;
  private static final List<Way> WAYS =
      Stream.of(ApiKind.values()).flatMap(kind -> Conversions.waysOf(kind).stream()).toList();
  private static final int OF_EACH = Math.ceilDiv(OBJECTS, SOURCES.size() * WAYS.size());
  private static final AtomicInteger TRIED = new AtomicInteger();

  static Stream<Arguments> cases() {
    return WAYS.stream()
        .flatMap(way -> SOURCES.stream().map(source -> arguments(way, source, SEED)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyLawHoldsOfEveryObject(Way way, ObjectSource source, long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < OF_EACH; i++) {
      String text = source.draw(way.kind(), way.from(), random);
      Laws.ALL.forEach(law -> hold(law, new Drawn(text, way, source.isCanonical()), random));
      report(TRIED.incrementAndGet());
    }
  }

  private static void hold(Law law, Drawn drawn, RandomGenerator random) {
    try {
      law.check().hold(drawn, random);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("%s: %s".formatted(law.sentence(), drawn.text()), e);
    }
  }

  private static void report(int tried) {
    if (tried % REPORTED_EVERY == 0) {
      System.out.printf("laws: %d of %d objects%n", tried, OF_EACH * SOURCES.size() * WAYS.size());
    }
  }

  @AfterAll
  static void triedAtLeastAsManyAsAskedFor() {
    System.out.printf("laws: %d objects, every kind and direction%n", TRIED.get());
    assertThat(TRIED.get()).isGreaterThanOrEqualTo(OBJECTS);
  }
}
