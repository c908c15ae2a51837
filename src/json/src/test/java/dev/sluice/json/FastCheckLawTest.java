package dev.sluice.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.testkit.Tier;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link FastCheck} accepts, two parsers accept, too, and find the same values at the same
 * places: the one behind the door with its bounds, and Jackson's tree reader, which shares no code
 * with ours.
 */
class FastCheckLawTest {
  private static final int TRIES = Tier.number("sluice.door.texts", 5_000, 20_000);
  private static final JsonLimits LIMITS = new JsonLimits(7, 256, 20);
  private static final JsonSyntax PARSER = new JsonSyntax(LIMITS);
  private static final JsonMapper JACKSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** Bytes that mean something in JSON, and some that do not belong there. */
  private static final byte[] BYTES =
      "{}[],:\"\\ \n\t0123456789.-+eEtrufalsnb/\0\1\177".getBytes(UTF_8);

  /** Pieces from which one JSON text is made of another. */
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "\\",
          "\"a\"",
          "\"b\":",
          "\"a\":1,",
          "0",
          "-",
          "1",
          "12.5",
          "1e3",
          ".",
          "01",
          "true",
          "false",
          "null",
          "nul",
          " ",
          "\n",
          "\t",
          "\u0001",
          "\\u0041",
          "\\n",
          "\\x",
          "\\ud83d",
          "é",
          "\ufeff",
          "/",
          "{}",
          "[]",
          "[1,{}]",
          "999999999999999999999");

  private static final List<String> TEXTS =
      List.of(
          "{\"a\":{\"b\":[1,-2.5,\"x\",true,false,null,{\"c\":[[],{}]}]},\"\":\"\\u00e9\\n"
              + "\",\"d\":0}",
          "[ { \"k\" : \"v\" , \"l\" : [ 1 , 2 ] } ,\n\t{ } ]",
          "{\"a\":1,\"b\":{\"a\":2,\"b\":3},\"c\":[{\"a\":4},{\"a\":5}]}",
          """
          {"kind": "Job", "metadata": {"name": "a-1", "annotations": {}, "labels":
          {"kueue.x-k8s.io/queue-name": "main"}}, "spec": {"parallelism": 3, "suspend": true,
          "template": {"spec": {"containers": [{"name": "c", "args": ["-c", "é \\"y\\""],
          "cpu": "500m", "memory": 1073741824}]}}}, "status": null}
          """);

  static LongStream seeds() {
    return Tier.seeds(3, 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void acceptsOfTextsMadeFromPiecesWhatParsersAccept(long seed) throws IOException {
    holds(seed, random -> edited(text(random), random).getBytes(UTF_8));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void acceptsOfTextsWithChangedBytesWhatParsersAccept(long seed) throws IOException {
    holds(seed, random -> damaged(text(random).getBytes(UTF_8), random));
  }

  private static void holds(long seed, Function<Random, byte[]> texts) throws IOException {
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < TRIES; i++) {
      byte[] json = texts.apply(random);
      JsonSlice certain = isUtf8(json) ? FastCheck.certain(json, LIMITS) : null;
      if (certain != null) {
        accepted++;
        assertThat(structure(certain))
            .as(() -> new String(json, UTF_8))
            .isEqualTo(structure(parsed(json)));
        assertThat(tree(certain))
            .as(() -> new String(json, UTF_8))
            .isEqualTo(JACKSON.readTree(json));
      }
    }
    assertThat(accepted).as("texts that were accepted at all").isGreaterThan(TRIES / 20);
  }

  private static JsonSlice parsed(byte[] json) {
    try {
      return PARSER.parse(json);
    } catch (MalformedJsonException e) {
      throw new AssertionError("only FastCheck accepts " + new String(json, UTF_8), e);
    }
  }

  /** As the door has checked before it. */
  private static boolean isUtf8(byte[] json) {
    return Arrays.equals(new String(json, UTF_8).getBytes(UTF_8), json);
  }

  private static String text(Random random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private static String edited(String text, Random random) {
    StringBuilder edited = new StringBuilder(text);
    for (int edits = random.nextInt(4); edits > 0; edits--) {
      int from = random.nextInt(edited.length() + 1);
      int to = Math.min(edited.length(), from + random.nextInt(3));
      boolean removes = random.nextInt(4) == 0;
      edited.replace(from, to, removes ? "" : PIECES.get(random.nextInt(PIECES.size())));
    }
    return edited.toString();
  }

  /** One to three bytes replaced, ranges removed or repeated, or the end cut off. */
  private static byte[] damaged(byte[] text, Random random) {
    byte[] json = text.clone();
    for (int edits = 1 + random.nextInt(3); edits > 0 && json.length > 0; edits--) {
      int from = random.nextInt(json.length);
      int to = Math.min(json.length, from + random.nextInt(8));
      switch (random.nextInt(12)) {
        case 0 -> json = joined(json, from, to); // removed
        case 1 -> json = joined(json, to, from); // repeated
        case 2 -> json = Arrays.copyOf(json, to); // cut off
        case 3 -> json[from] = (byte) random.nextInt(256);
        default -> json[from] = BYTES[random.nextInt(BYTES.length)];
      }
    }
    return json;
  }

  /** The bytes before the one place, and then those from the other on. */
  private static byte[] joined(byte[] json, int end, int start) {
    byte[] joined = Arrays.copyOf(json, end + json.length - start);
    System.arraycopy(json, start, joined, end, json.length - start);
    return joined;
  }

  private static JsonNode tree(JsonSlice slice) throws IOException {
    return switch (slice.opened()) {
      case JsonObject object -> {
        ObjectNode node = JACKSON.createObjectNode();
        for (int i = 0; i < object.size(); i++) {
          node.set(object.keyAt(i), tree((JsonSlice) object.valueAt(i)));
        }
        yield node;
      }
      case JsonArray array -> {
        ArrayNode node = JACKSON.createArrayNode();
        for (int i = 0; i < array.size(); i++) {
          node.add(tree((JsonSlice) array.get(i)));
        }
        yield node;
      }
      case JsonSlice scalar -> JACKSON.readTree(scalar.toByteArray());
    };
  }

  /** Every value with the place where it begins and ends. */
  private static String structure(JsonSlice slice) {
    StringBuilder all = new StringBuilder();
    all.append(slice.start()).append('-').append(slice.end());
    switch (slice.opened()) {
      case JsonObject object -> {
        for (int i = 0; i < object.size(); i++) {
          all.append(object.keyAt(i)).append('=').append(structure((JsonSlice) object.valueAt(i)));
        }
      }
      case JsonArray array -> {
        for (int i = 0; i < array.size(); i++) {
          all.append(';').append(structure((JsonSlice) array.get(i)));
        }
      }
      case JsonSlice _ -> {}
    }
    return all.append(' ').toString();
  }
}
