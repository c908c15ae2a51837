package dev.sluice.conversion.laws;

import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Conversions.outcome;
import static dev.sluice.conversion.Texts.value;
import static dev.sluice.conversion.Texts.written;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.Json;
import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.random.Mutations;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What holds for every kind, every ordered pair of its versions, and whatever stands in objects.
 */
final class Laws {
  private static final Set<String> KEPT = Set.of("apiVersion", "kind", "metadata");

  private Laws() {}

  /**
   * An object to try a law on.
   *
   * @param text the object
   * @param way where it comes from and goes to
   * @param canonical whether what comes back must be the same bytes
   */
  record Drawn(String text, Way way, boolean canonical) {
    String there() {
      return carried(text, way.to());
    }

    String back(String there) {
      return carried(there, way.from());
    }
  }

  /** A law in words, and what finds out whether it holds. */
  record Law(String sentence, Check check) {}

  /** Fails with an AssertionError if the law does not hold. */
  @FunctionalInterface
  interface Check {
    void hold(Drawn drawn, RandomGenerator random);
  }

  static final List<Law> ALL =
      List.of(
          new Law("there and back is the input exactly", (drawn, _) -> thereAndBack(drawn)),
          new Law("there, back and there is there", (drawn, _) -> thereBackAndThere(drawn)),
          new Law("metadata differ by nothing but our annotation", (drawn, _) -> metadata(drawn)),
          new Law("the input is not touched and gives the same bytes", (drawn, _) -> twice(drawn)),
          new Law("what somebody edited there survives the way back", Laws::edits),
          new Law("no content is ever a reason to fail or crash", Laws::anything));

  private static void thereAndBack(Drawn drawn) {
    String back = drawn.back(drawn.there());

    Map<String, Object> root = Trees.object(drawn.text());
    if (Trees.losesRootLevels(root)) {
      assertThat(drawn.back(carried(back, drawn.way().to()))).isEqualTo(back);
    } else if (Trees.hasOurs(root) || !Trees.hasMetadata(root)) {
      assertThat(Trees.withoutOurs(back)).isEqualTo(Trees.withoutOurs(drawn.text()));
    } else if (drawn.canonical()) {
      assertThat(back).isEqualTo(drawn.text());
    } else {
      assertThat(Trees.object(back)).isEqualTo(root);
    }
  }

  private static void thereBackAndThere(Drawn drawn) {
    String there = drawn.there();
    String again = carried(drawn.back(there), drawn.way().to());

    assertThat(Trees.object(again)).isEqualTo(Trees.object(there));
  }

  private static void metadata(Drawn drawn) {
    String there = drawn.there();

    assertThat(Trees.withoutOurs(there).get("metadata"))
        .isEqualTo(Trees.withoutOurs(drawn.text()).get("metadata"));
    assertThat(there).doesNotContain("from-" + drawn.way().to().text() + "\":");
  }

  private static void twice(Drawn drawn) {
    var input = value(drawn.text());
    var converter = new Converter(Mode.CARRY);

    String first = written(converted(converter.convert(input, drawn.way().to())));
    String second = written(converted(converter.convert(input, drawn.way().to())));

    assertThat(second).isEqualTo(first);
    assertThat(input.spelling()).isEqualTo(drawn.text());
    assertThat(value(first).spelling()).isEqualTo(first);
  }

  private static void edits(Drawn drawn, RandomGenerator random) {
    String there = drawn.there();
    String edited =
        random.nextBoolean()
            ? Edits.edited(there, random)
            : Mutations.mutateKeeping(
                    random, (SpelledJson.JsonObject) SpelledJson.parse(there), KEPT)
                .write();

    for (String touched : List.of(edited, Edits.garbled(edited, random))) {
      String again = carried(drawn.back(touched), drawn.way().to());

      if (!Trees.losesRootLevels(Trees.object(touched))) {
        assertThat(Trees.withoutOurs(again)).isEqualTo(Trees.withoutOurs(touched));
      }
    }
  }

  private static void anything(Drawn drawn, RandomGenerator random) {
    String mangled = Edits.edited(Edits.withOddMetadata(drawn.text(), random), random);
    Way way = drawn.way();

    String there = carried(mangled, way.to());

    assertThat(Trees.object(there)).containsKey("metadata");
    assertThat(Trees.object(there).get("kind")).isEqualTo(Trees.object(mangled).get("kind"));
    switch (outcome(Mode.FAIL, mangled, way.to())) {
      case Outcome.Converted c -> assertThat(written(c.object())).isEqualTo(there);
      case Outcome.Refused r -> assertThat(r.message()).startsWith(way.kind().kind());
    }
  }

  private static Json converted(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Converted converted -> converted.object();
      case Outcome.Refused refused -> throw new AssertionError(refused.message());
    };
  }
}
