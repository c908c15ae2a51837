package dev.sluice.api.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every expression means what it means to cel-java, by the authors of the language. */
class CelLanguageTest {
  private static final CelParser PARSER =
      CelParserFactory.standardCelParserBuilder()
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .build();
  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(CelOptions.current().enableHeterogeneousNumericComparisons(true).build())
          .build();

  private static final Map<String, Object> VARIABLES =
      Map.of(
          "n",
          7L,
          "d",
          2.5,
          "s",
          "text",
          "yes",
          true,
          "list",
          List.of(1L, 2L, 3L),
          "map",
          Map.of("a", 1L, "b", "two", "c", Map.of("x", false)));

  /** Its value in words; "error" for none. */
  private static String theirs(String text) {
    try {
      return RUNTIME.createProgram(PARSER.parse(text).getAst()).eval(VARIABLES).toString();
    } catch (CelValidationException | CelEvaluationException _) {
      return "error";
    }
  }

  private static String ours(String text) {
    try {
      return CelExpression.parse(text, VARIABLES.keySet())
          .evaluate(VARIABLES, new CelBudget(1_000_000))
          .toString();
    } catch (CelException _) {
      return "error";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 + 2 * 3 - 4 / 2 % 3",
        "-7 / 2",
        "-7 % 2",
        "7 % 0",
        "-9223372036854775808",
        "9223372036854775808",
        "-(-9223372036854775807 - 1)",
        "0x1F + 1",
        "1.5e3 + .5",
        "1 / 0.0 == 2.0",
        "1.0 / 0.0 > 1e300",
        "0.0 / 0.0 == 0.0 / 0.0",
        "0.0 / 0.0 < 1",
        "1 == 1.0",
        "9007199254740993 == 9007199254740992.0",
        "1 < 1.5",
        "1 + 1.0",
        "'a' < 'b' && 'B' < 'a'",
        "'\\x41\\101\\n\\'' == \"A\\x41\\n'\"",
        "r'\\d' == '\\\\d'",
        "'''it's\ntwo''' == 'it\\'s\\ntwo'",
        "true || 1 / 0 == 1",
        "1 / 0 == 1 || true",
        "false && 1 / 0 == 1",
        "1 / 0 == 1 && false",
        "1 / 0 == 1 || false",
        "true || false && false",
        "1 && false",
        "yes ? 1 : 1 / 0",
        "n > 3 ? 'big' : 'small'",
        "!yes || !!yes",
        "- - n",
        "!n",
        "!!n",
        "!!!n",
        "--n",
        "- -5",
        "---5",
        "-!n",
        "!-n == 1",
        "-s",
        "2 in list",
        "2.0 in list",
        "'a' in map && !('z' in map)",
        "1 in s",
        "list[0] + list[2]",
        "list[3]",
        "list[-1]",
        "list[1.0]",
        "map['b'] == 'two'",
        "map.c.x",
        "map.z",
        "map.c.x.y",
        "has(map.a) && !has(map.z)",
        "has(map.c.y)",
        "has(s.a)",
        "[1, 2] + [3] == [1, 2, 3]",
        "[[1], [2.0]] == [[1.0], [2]]",
        "{'a': 1, 'b': 2} == {'b': 2.0, 'a': 1}",
        "{'a': 1, 'a': 2}",
        "{1: 'x', true: 'y'}[1]",
        "{'a': 1} == {'a': 2}",
        "[1, 'a', null] == [1, 'a', null]",
        "null == null",
        "null == 1",
        "list.all(x, x > 0)",
        "list.all(x, x / (x - 2) > 5)",
        "list.exists(x, x == 3)",
        "list.exists(x, 1 / (x - 1) == 1)",
        "list.exists(x, 1 / (x - 1) == 9)",
        "list.exists_one(x, x > 2)",
        "list.exists_one(x, x > 1)",
        "list.filter(x, x != 2)",
        "list.map(x, x * x)",
        "list.map(x, x > 1, x * x)",
        "list.map(x, list.map(y, x * y))",
        "map.all(k, k < 'd')",
        "map.exists(k, k == 'c')",
        "s.all(x, true)",
        "size(list) + size(s) + size(map)",
        "s.size()",
        "'\\U0001F600'.size()",
        "n.size()",
        "s.contains('ex') && s.startsWith('te') && s.endsWith('xt')",
        "s.matches('^t.x') && !s.matches('^x')",
        "matches(s, 't$')",
        "int('12') + int(2.9)",
        "int('x')",
        "int(1e30)",
        "double('1.5') + double(2)",
        "string(12) + string(true)",
        "string(1.5)",
        "dyn(1) == 1",
        "bool('true')",
        "bool('maybe')",
        "unknown",
        "s.unknown()",
        "1 +",
        "(1",
        "[1,]",
        "[,]",
        "{,}",
        "[1,,]",
        "size([],)",
        "{'a': 1,}",
        "n // a comment\n + 1",
        "yes ? no : yes",
        "1 < 2 == true",
        "1 < 2 < 3",
      })
  void expressionsMeanWhatTheyMeanToTheAuthorsOfTheLanguage(String text) {
    assertThat(ours(text)).isEqualTo(theirs(text));
  }

  @Test
  void randomExpressionsDoToo() {
    List<String> wrong = new ArrayList<>();
    int errors = 0;
    int count = 5_000;
    for (int seed = 0; seed < count; seed++) {
      String text = new Writer(new Random(seed)).any(4);
      String theirs = theirs(text);
      errors += theirs.equals("error") ? 1 : 0;
      if (!ours(text).equals(theirs)) {
        wrong.add("%d: %s is %s, not %s".formatted(seed, text, theirs, ours(text)));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(errors).as("expressions without a value").isBetween(count / 10, count * 9 / 10);
  }

  /** Writes expressions, mostly of types that fit. */
  private record Writer(Random random) {
    private String one(String... texts) {
      return texts[random.nextInt(texts.length)];
    }

    String any(int depth) {
      return switch (random.nextInt(4)) {
        case 0 -> number(depth);
        case 1 -> text(depth);
        case 2 -> list(depth);
        default -> truth(depth);
      };
    }

    /**
     * In cel-java 0.13.1 an error that a logical operator leaves is a value that a list may have.
     */
    private static String strict(String truth) {
      return "(%s ? true : false)".formatted(truth);
    }

    String number(int depth) {
      if (depth == 0) {
        return one("0", "1", "2", "-3", "n", "d", "1.5", "2.0", "map.a");
      }
      int less = depth - 1;
      return switch (random.nextInt(6)) {
        case 0, 1 ->
            "(%s %s %s)".formatted(number(less), one("+", "-", "*", "/", "%"), number(less));
        case 2 -> "size(%s)".formatted(list(less));
        case 3 -> "(%s ? %s : %s)".formatted(truth(less), number(less), number(less));
        case 4 -> "%s[%s]".formatted(list(less), number(less));
        default -> "int(%s)".formatted(one(number(less), text(less)));
      };
    }

    String text(int depth) {
      if (depth == 0) {
        return one("'a'", "'text'", "s", "''", "map.b", "'7'");
      }
      int less = depth - 1;
      return switch (random.nextInt(3)) {
        case 0 -> "(%s + %s)".formatted(text(less), text(less));
        case 1 -> "(%s ? %s : %s)".formatted(truth(less), text(less), text(less));
        default -> "string(%s)".formatted(one(truth(less), text(less)));
      };
    }

    String list(int depth) {
      if (depth == 0) {
        return one("list", "[]", "[1, 2]", "['a', s]", "[n, d]");
      }
      int less = depth - 1;
      return switch (random.nextInt(4)) {
        case 0 -> "(%s + %s)".formatted(list(less), list(less));
        case 1 -> "%s.filter(n, %s)".formatted(list(less), truth(less));
        case 2 -> "%s.map(n, %s)".formatted(list(less), any(less));
        default ->
            IntStream.range(0, random.nextInt(3))
                .mapToObj(_ -> any(less))
                .collect(Collectors.joining(", ", "[", "]"));
      };
    }

    String truth(int depth) {
      if (depth == 0) {
        return one("true", "false", "yes", "map.c.x", "has(map.z)", "n");
      }
      int less = depth - 1;
      return switch (random.nextInt(8)) {
        case 0, 1 -> strict("(%s %s %s)".formatted(truth(less), one("&&", "||"), truth(less)));
        case 2 -> "!%s".formatted(truth(less));
        case 3 ->
            "(%s %s %s)"
                .formatted(number(less), one("<", "<=", ">", ">=", "==", "!="), number(less));
        case 4 -> "(%s %s %s)".formatted(any(less), one("==", "!=", "in"), any(less));
        case 5 ->
            strict(
                "%s.%s(n, %s)"
                    .formatted(list(less), one("all", "exists", "exists_one"), truth(less)));
        case 6 ->
            "%s.%s(%s)"
                .formatted(text(less), one("contains", "startsWith", "endsWith"), text(less));
        default -> "(%s ? %s : %s)".formatted(truth(less), truth(less), truth(less));
      };
    }
  }

  @Test
  void aVariableOfAMacroHidesAnotherOne() {
    assertThat(Optional.of(ours("[1].map(n, n) + [n]"))).contains("[1, 7]");
  }
}
