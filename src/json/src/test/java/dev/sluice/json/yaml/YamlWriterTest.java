package dev.sluice.json.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlWriterTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          v1beta2                  | key: v1beta2
          self == oldSelf          | key: self == oldSelf
          .spec.levels[*].name     | key: .spec.levels[*].name
          None                     | key: None
          True                     | key: 'True'
          no                       | key: 'no'
          1                        | key: '1'
          -1                       | key: '-1'
          a: b                     | key: 'a: b'
          x #y                     | key: 'x #y'
          x ? 'a' : 'b'            | key: 'x ? ''a'' : ''b'''
          ^(\\+)?[a-z]$            | key: ^(\\+)?[a-z]$
          0o17                     | key: '0o17'
          2026-01-31               | key: '2026-01-31'
          """)
  void quotesATextOnlyWhereItWouldReadAsSomethingElse(String text, String line) {
    assertThat(YamlWriter.write(JSON.objectNode().put("key", text))).isEqualTo(line + "\n");
  }

  @Test
  void foldsLongProseAndIndentsLists() {
    ObjectNode node = JSON.objectNode();
    node.put("description", "word ".repeat(20) + "last".repeat(5));
    node.putArray("items").add(JSON.objectNode().put("name", "a").put("size", 1)).add("b");
    node.putArray("none");

    assertThat(YamlWriter.write(node))
        .isEqualTo(
            """
            description: >-
              word word word word word word word word word word word word word word word word word word word word
              lastlastlastlastlast
            items:
              - name: a
                size: 1
              - b
            none: []
            """);
  }

  @Test
  void putsAMarkerBeforeEachDocumentOfAStream() {
    var documents = List.of(JSON.objectNode().put("a", 1), JSON.objectNode().put("b", 2));

    assertThat(YamlWriter.writeAll(documents)).isEqualTo("---\na: 1\n---\nb: 2\n");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsWrittenReadsAsTheSameTree(long seed) throws Exception {
    RandomGenerator random = new Random(seed);
    YAMLMapper reader = new YAMLMapper();

    for (int i = 0; i < 150; i++) {
      ObjectNode tree = randomObject(random, 4);

      assertThat(reader.readTree(YamlWriter.write(tree))).isEqualTo(tree);
    }
  }

  private static ObjectNode randomObject(RandomGenerator random, int depth) {
    ObjectNode object = JSON.objectNode();
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      object.set(randomText(random), randomNode(random, depth - 1));
    }
    return object;
  }

  private static JsonNode randomNode(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0 -> JSON.numberNode(random.nextInt(-9, 9));
      case 1 -> JSON.booleanNode(random.nextBoolean());
      case 2 -> JSON.nullNode();
      case 3 -> random.nextBoolean() ? JSON.objectNode() : JSON.arrayNode();
      case 4, 5 -> JSON.textNode(randomText(random));
      case 6 -> randomArray(random, depth);
      default -> randomObject(random, depth);
    };
  }

  private static ArrayNode randomArray(RandomGenerator random, int depth) {
    ArrayNode array = JSON.arrayNode();
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      array.add(randomNode(random, depth - 1));
    }
    return array;
  }

  /** Texts of pieces that mean something to YAML readers, and long ones that are folded. */
  private static String randomText(RandomGenerator random) {
    List<String> pieces =
        List.of(
            "a",
            "word",
            " ",
            "  ",
            "\n",
            ":",
            ": ",
            "#",
            " #",
            "-",
            "- ",
            "'",
            "\"",
            "\\",
            "{",
            "[",
            "0",
            "1.5",
            "1e3",
            "0x1f",
            "1_000",
            "12:30",
            "true",
            "no",
            "null",
            "~",
            "!",
            "&",
            "*",
            "|",
            ">",
            "%",
            "@",
            "`",
            ",",
            "?",
            "? ",
            "=",
            "---",
            "...",
            "\t",
            "é",
            "\u2028",
            "😀",
            "word word word word word word word word word word word word word word word word word"
                + " ");
    StringBuilder text = new StringBuilder();
    int size = random.nextInt(5);
    for (int i = 0; i < size; i++) {
      text.append(pieces.get(random.nextInt(pieces.size())));
    }
    return text.toString();
  }
}
