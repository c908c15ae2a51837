package dev.sluice.conversion.laws;

import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Conversions.outcome;
import static dev.sluice.conversion.Texts.value;
import static dev.sluice.conversion.Texts.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.ApiKind;
import dev.sluice.conversion.Conversions;
import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.law.Mode;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every kind, every ordered pair of its versions, and whatever stands in objects.
 */
class ConversionLawsTest {
  private static final int OBJECTS = 150;
  private static final long SEED = 20261121;
  private static final List<ObjectSource> SOURCES =
      List.of(new HandMadeObjects(true), new HandMadeObjects(false));

  static Stream<Arguments> cases() {
    return SOURCES.stream()
        .flatMap(
            source ->
                Stream.of(ApiKind.values())
                    .flatMap(kind -> Conversions.waysOf(kind).stream())
                    .map(way -> arguments(source, way, SEED)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void thereAndBackIsTheInputExactly(ObjectSource source, Way way, long seed) {
    forEach(
        source,
        way,
        seed,
        (before, random) -> {
          String back = carried(carried(before, way.to()), way.from());

          Map<String, Object> root = Trees.object(before);
          if (Trees.losesRootLevels(root)) {
            assertThat(carried(carried(back, way.to()), way.from())).isEqualTo(back);
          } else if (Trees.hasOurs(root) || !Trees.hasMetadata(root)) {
            assertThat(Trees.withoutOurs(back)).isEqualTo(Trees.withoutOurs(before));
          } else if (source.isCanonical()) {
            assertThat(back).isEqualTo(before);
          } else {
            assertThat(Trees.object(back)).isEqualTo(root);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void thereAndBackAndThereIsThere(ObjectSource source, Way way, long seed) {
    forEach(
        source,
        way,
        seed,
        (before, random) -> {
          String there = carried(before, way.to());
          String again = carried(carried(there, way.from()), way.to());

          assertThat(Trees.object(again)).isEqualTo(Trees.object(there));
        });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void metadataDiffersByNothingButOurAnnotation(ObjectSource source, Way way, long seed) {
    forEach(
        source,
        way,
        seed,
        (before, random) -> {
          String there = carried(before, way.to());

          assertThat(Trees.withoutOurs(there).get("metadata"))
              .isEqualTo(Trees.withoutOurs(before).get("metadata"));
          assertThat(there).doesNotContain("from-" + way.to().text() + "\":");
        });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theInputIsNotTouchedAndTheSameInputGivesTheSameBytes(
      ObjectSource source, Way way, long seed) {
    forEach(
        source,
        way,
        seed,
        (before, random) -> {
          var input = value(before);

          String first = written(converted(new Converter(Mode.CARRY).convert(input, way.to())));
          String second = written(converted(new Converter(Mode.CARRY).convert(input, way.to())));

          assertThat(second).isEqualTo(first);
          assertThat(input.spelling()).isEqualTo(before);
          assertThat(value(first).spelling()).isEqualTo(first);
        });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatSomebodyEditedSurvivesTheWayBack(ObjectSource source, Way way, long seed) {
    forEach(
        source,
        way,
        seed,
        (before, random) -> {
          String edited = Edits.edited(carried(before, way.to()), random);
          String alsoGarbled = Edits.garbled(edited, random);

          for (String touched : List.of(edited, alsoGarbled)) {
            String again = carried(carried(touched, way.from()), way.to());

            if (!Trees.losesRootLevels(Trees.object(touched))) {
              assertThat(Trees.withoutOurs(again)).isEqualTo(Trees.withoutOurs(touched));
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void noContentIsEverAReasonToFailOrCrash(ObjectSource source, Way way, long seed) {
    forEach(
        source,
        way,
        seed,
        (before, random) -> {
          String mangled = Edits.edited(Edits.withOddMetadata(before, random), random);

          String there = carried(mangled, way.to());

          assertThat(Trees.object(there)).containsKey("metadata");
          assertThat(Trees.object(there).get("kind")).isEqualTo(Trees.object(mangled).get("kind"));
          switch (outcome(Mode.FAIL, mangled, way.to())) {
            case Outcome.Converted c -> assertThat(written(c.object())).isEqualTo(there);
            case Outcome.Refused r -> assertThat(r.message()).startsWith(way.kind().kind());
          }
        });
  }

  private static void forEach(
      ObjectSource source, Way way, long seed, BiConsumer<String, RandomGenerator> law) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < OBJECTS; i++) {
      String object = source.draw(way.kind(), way.from(), random);
      try {
        law.accept(object, random);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("object %d: %s".formatted(i, object), e);
      }
    }
  }

  private static Json converted(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Converted converted -> converted.object();
      case Outcome.Refused refused -> throw new AssertionError(refused.message());
    };
  }
}
