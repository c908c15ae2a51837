package dev.sluice.json.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrunedReaderTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final PrunedReader reader = new PrunedReader();

  private JsonNode read(String json, Keep keep) throws IOException {
    try (var parser = new JsonFactory().createParser(json)) {
      parser.nextToken();
      return reader.read(parser, keep);
    }
  }

  @Test
  void keepsOnlyWhatIsNamedAndTheSameOfEachItem() throws IOException {
    Keep keep =
        Keep.only("phase")
            .with("conditions", Keep.only("type"))
            .with("annotations", Keep.named(name -> name.startsWith("a/")));

    JsonNode read =
        read(
            """
            {"phase":{"deep":[1]},"noise":{"x":[{}]},"conditions":[{"type":"A","message":"m"},
            {"type":"B"}],"annotations":{"a/x":"1","b/x":"2"}}\
            """,
            keep);

    assertThat(read)
        .isEqualTo(
            MAPPER.readTree(
                """
                {"phase":{"deep":[1]},"conditions":[{"type":"A"},{"type":"B"}],
                "annotations":{"a/x":"1"}}\
                """));
  }

  @Test
  void dropsWhatIsNamed() throws IOException {
    assertThat(read("{\"a\":1,\"b\":2}", Keep.allBut("a"))).isEqualTo(MAPPER.readTree("{\"b\":2}"));
  }

  @Test
  void sharesTextsAndKeysOfObjectsThatAreAlike() throws IOException {
    JsonNode both = read("[{\"a\":\"x\"},{\"a\":\"x\"}]", Keep.ALL);

    assertThat(both.get(0).get("a")).isSameAs(both.get(1).get("a"));
  }

  @Test
  void givesAnObjectATypeInFront() throws IOException {
    JsonNode typed =
        PrunedReader.typed(
            read("{\"metadata\":{}}", Keep.ALL), TextNode.valueOf("v1"), TextNode.valueOf("Pod"));

    assertThat(typed).hasToString("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{}}");
  }

  private JsonNode stored(String json) throws IOException {
    byte[] bytes = json.getBytes(UTF_8);
    return reader.read(bytes, bytes.length, Keep.allBut("skipped"));
  }

  @Test
  void refusesWhatEndsTooSoon() {
    for (String text : List.of("", "{", "[".repeat(300), "{\"a\":1,\"skipped\":[")) {
      assertThatThrownBy(() -> stored(text)).as(text).isInstanceOf(IOException.class);
    }
  }

  /** The API server stores maps with keys of any length, and fields that it does not know. */
  @ParameterizedTest
  @ValueSource(strings = {"kept", "skipped"})
  void readsTheRestOfAnObjectWithALongKeyOrADeepPart(String part) throws IOException {
    String longKey = "k".repeat(100_000);
    String deep = "[".repeat(5_000) + "]".repeat(5_000);

    JsonNode read =
        stored("{\"%s\":{\"%s\":\"v\",\"deep\":%s},\"b\":2}".formatted(part, longKey, deep));

    assertThat(read.path("b").asInt()).isEqualTo(2);
    assertThat(read.has("skipped")).isFalse();
    assertThat(read.path("kept").path(longKey).asText()).isEqualTo(part.equals("kept") ? "v" : "");
  }

  @Test
  void whatIsNestedTooDeeplyIsNull() throws IOException {
    JsonNode read = stored("{\"a\":" + "[".repeat(300) + "1" + "]".repeat(300) + ",\"b\":2}");

    JsonNode innermost = read.path("a");
    while (innermost.isArray()) {
      innermost = innermost.get(0);
    }
    assertThat(innermost.isNull()).isTrue();
    assertThat(read.path("b").asInt()).isEqualTo(2);
  }

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  /** A law: with everything kept, the tree equals that of the usual reader, and prints alike. */
  @ParameterizedTest
  @MethodSource("seeds")
  void readsAnyTreeAsItIs(long seed) throws IOException {
    JsonNode tree = tree(new Random(seed), 5);

    JsonNode read = read(tree.toString(), Keep.ALL);

    assertThat(read).isEqualTo(tree).hasToString(tree.toString());
    assertThat(read.<JsonNode>deepCopy()).isEqualTo(tree);
  }

  private static JsonNode tree(Random random, int depth) {
    var nodes = MAPPER.getNodeFactory();
    return switch (random.nextInt(depth == 0 ? 5 : 8)) {
      case 0 -> nodes.textNode("t" + random.nextInt(9_000));
      case 1 -> nodes.numberNode(random.nextInt());
      case 2 -> nodes.booleanNode(random.nextBoolean());
      case 3 -> nodes.nullNode();
      case 4 -> nodes.textNode("\u00e9\n\"".repeat(random.nextInt(40)));
      case 5 -> {
        var list = nodes.arrayNode();
        for (int i = random.nextInt(5); i > 0; i--) {
          list.add(tree(random, depth - 1));
        }
        yield list;
      }
      default -> {
        var object = nodes.objectNode();
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 40 : 6); i > 0; i--) {
          object.set("k" + i, tree(random, depth - 1));
        }
        yield object;
      }
    };
  }
}
