package dev.sluice.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testkit.json.JsonStyle;
import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MutationsTest {
  private static final JsonNode BERTH = Schemas.berth();

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatComesOutIsJsonToOthersToo(long seed) {
    var random = new Random(seed);

    var mutant = Mutations.mutate(random, draw(random));

    assertThat(Schemas.parse(mutant.write()).isObject()).isTrue();
    String scrambled = mutant.write(JsonStyle.scrambled(random));
    assertThat(SpelledJson.parse(scrambled).differenceFrom(mutant)).isEmpty();
    assertThat(Schemas.parse(scrambled)).isEqualTo(Schemas.parse(mutant.write()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void keepsTheMembersItIsToldToKeep(long seed) {
    var original = draw(new Random(seed));

    var mutant =
        Mutations.mutateKeeping(
            new Random(seed), original, Set.of("apiVersion", "kind", "metadata"));

    assertThat(mutant.members())
        .containsEntry("apiVersion", original.members().get("apiVersion"))
        .containsEntry("kind", original.members().get("kind"))
        .containsEntry("metadata", original.members().get("metadata"));
  }

  @Test
  void theSameSeedMakesTheSameMutant() {
    var original = draw(new Random(7));

    String once = Mutations.mutate(new Random(8), original).write();

    assertThat(Mutations.mutate(new Random(8), original).write()).isEqualTo(once);
    assertThat(Mutations.mutate(new Random(9), original).write()).isNotEqualTo(once);
  }

  @Test
  void strangenessOfEveryKindComesUp() {
    var all = new StringBuilder();

    seeds()
        .forEach(
            seed -> all.append(Mutations.mutate(new Random(seed), draw(new Random(seed))).write()));

    assertThat(all.toString())
        .contains(":-0", ":1.0", "1e3", "1E+2", "0.10", "18446744073709551616")
        .contains("\"\":", "\"𝔘𝔫𝔦\":", ":null", ":{}", ":[]", ":\"\"");
  }

  @Test
  void mostMutantsDifferFromTheOriginal() {
    long changed =
        seeds()
            .filter(
                seed -> {
                  var original = draw(new Random(seed));
                  return !Mutations.mutate(new Random(seed), original).equals(original);
                })
            .count();

    assertThat(changed).isGreaterThan(270);
  }

  private static JsonObject draw(Random random) {
    return SchemaObjects.draw(random, BERTH, "harbor.example/v1", "Berth");
  }
}
