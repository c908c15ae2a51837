package dev.sluice.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TextCountsTest {
  private static final List<String> PIECES =
      List.of(
          "{\"a\":1}",
          "[]",
          "[1,2,3]",
          "\"a,b{[\"",
          "\"\u00e9\\n\\u00e9\ud83d\ude00\"",
          "-1.5",
          "[[],{}]",
          "null");

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @Test
  void countsBracketsAndCommas() {
    assertThat(TextCounts.of("{\"a\":[1,[],{}],\"b\":true}".getBytes(UTF_8)))
        .isEqualTo(new TextCounts(4, 8));
    assertThat(TextCounts.of(new byte[0])).isEqualTo(new TextCounts(0, 1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void countsNoFewerThanThereAre(long seed) throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    StringBuilder list = new StringBuilder("[");
    int items = random.nextInt(20);
    for (int i = 0; i < items; i++) {
      list.append(i == 0 ? "" : ",").append(PIECES.get(random.nextInt(PIECES.size())));
    }
    byte[] json = list.append(']').toString().getBytes(UTF_8);
    JsonSlice value = new JsonSyntax(JsonLimits.DEFAULT).check(json);

    TextCounts counts = TextCounts.of(json);

    assertThat(counts.values()).isGreaterThanOrEqualTo(values(value));
    assertThat(counts.structures()).isEqualTo(brackets(json));
    assertThat(value.valuesAtMost()).isEqualTo(counts.values());
    assertThat(value.countChildren()).isEqualTo(items);
    assertThat(JsonSlice.ofWhole(json).countChildren()).isEqualTo(items);
  }

  private static long brackets(byte[] json) {
    return new String(json, UTF_8).chars().filter(c -> c == '{' || c == '[').count();
  }

  /** Counts values one by one, and looks at those that are counted in another way, too. */
  private static long values(Json value) {
    return switch (value.opened()) {
      case JsonArray list -> 1 + valuesIn(list);
      case JsonObject object -> {
        assertThat(((JsonSlice) value).countChildren()).isEqualTo(object.size());
        yield 1 + valuesIn(object);
      }
      case JsonSlice scalar -> {
        String text = scalar.text();
        assertThat(text == null ? 0 : scalar.textLength())
            .isEqualTo(text == null ? 0 : text.length());
        yield 1;
      }
    };
  }

  private static long valuesIn(JsonArray list) {
    long all = 0;
    for (int i = 0; i < list.size(); i++) {
      all += values(list.get(i));
    }
    return all;
  }

  private static long valuesIn(JsonObject object) {
    long all = 0;
    for (int i = 0; i < object.size(); i++) {
      all += values(object.valueAt(i));
    }
    return all;
  }
}
