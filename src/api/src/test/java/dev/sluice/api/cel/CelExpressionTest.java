package dev.sluice.api.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kubernetes adds to the language, and what is refused; the rest is in CelLanguageTest. */
class CelExpressionTest {
  private static final Map<String, Object> VARIABLES =
      Map.of(
          "device",
          Map.of(
              "driver",
              "gpu.example.com",
              "capacity",
              Map.of("memory", Quantity.parse("40Gi").orElseThrow()),
              "attributes",
              Map.of(
                  "productName",
                  "NVIDIA A100-SXM4-40GB",
                  "index",
                  3L,
                  "mig",
                  true,
                  "version",
                  Semver.parse("12.4.1-rc.2").orElseThrow())));

  private static Object evaluated(String text) {
    return CelExpression.parse(text, VARIABLES.keySet()).evaluate(VARIABLES, new CelBudget(10_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "device.driver == 'gpu.example.com'",
        "device.attributes.productName.lowerAscii().matches('^.*a100.*$')",
        "device.attributes['productName'].startsWith('NVIDIA')",
        "device.attributes.index < 4 && device.attributes.mig",
        "device.capacity.memory.compareTo(quantity('40Gi')) == 0",
        "device.capacity.memory.isGreaterThan(quantity('39Gi'))",
        "device.capacity.memory.isLessThan(quantity('50G'))",
        "device.capacity.memory == quantity('42949672960')",
        "device.capacity.memory.add(quantity('8Gi')) == quantity('48Gi')",
        "device.capacity.memory.sub(1).asInteger() == 42949672959",
        "quantity('100m').isInteger() == false && quantity('-1').sign() == -1",
        "isQuantity('20Mi') && !isQuantity('20Mo')",
        "quantity('500m').asApproximateFloat() == 0.5",
        "device.attributes.version.isLessThan(semver('12.4.1'))",
        "device.attributes.version.compareTo(semver('12.4.1-rc.1')) == 1",
        "device.attributes.version.major() == 12 && device.attributes.version.minor() == 4",
        "device.attributes.version.patch() == 1",
        "semver('1.0.0+a') == semver('1.0.0+b')",
        "isSemver('1.0.0') && !isSemver('v1.0') && !isSemver('01.0.0')",
        "device.attributes.?model.orValue('none') == 'none'",
        "device.attributes[?'index'].orValue(0) == 3",
        "device.attributes.?a.b.hasValue() == false",
        "optional.of(1).value() == 1 && !optional.none().hasValue()",
        "device.attributes.?a.or(optional.of(2)).value() == 2",
        "has(device.attributes.mig) && !has(device.attributes.model)",
        "cel.bind(d, device.attributes, d.index + d.index) == 6",
        "sets.contains([1, 2, 3], [3, 1]) && sets.intersects([1], [2, 1])",
        "sets.equivalent([1, 1, 2], [2, 1]) && !sets.contains([1], [2])",
        "[3, 1, 2].max() == 3 && [3, 1, 2].min() == 1 && [3, 1].sum() == 4 && [1, 2].isSorted()",
        "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']",
        "['a', 'b'].join('-') == 'a-b' && ['a', 'b'].join() == 'ab'",
        "'tacocat'.indexOf('a') == 1 && 'tacocat'.indexOf('a', 2) == 5",
        "'tacocat'.lastIndexOf('t') == 6 && 'tacocat'.charAt(3) == 'o'",
        "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco'",
        "'hello'.replace('l', 'L') == 'heLLo' && 'hello'.replace('l', 'L', 1) == 'heLlo'",
        "' A b '.trim().upperAscii() == 'A B'",
        "'abc 123 def 456'.find('[0-9]+') == '123'",
        "'abc 123 def 456'.findAll('[0-9]+') == ['123', '456']",
        "[1, 2, 2].existsOne(x, x == 1)",
        "'\\U0001F600' > '\\uFFFD'",
      })
  void knowsWhatKubernetesAddsToTheLanguage(String text) {
    assertThat(evaluated(text)).isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.attributes.model == 'A100'             | there is no member model
          device.attributes.index.startsWith('3')       | an int is no string
          device.attributes.index < 'a'                 | an int and a string cannot be compared
          device.attributes.index + 'a'                 | there is no an int + a string
          device.attributes.productName.matches('(')    | '(' is no pattern
          device.capacity.memory.compareTo('40Gi')      | a quantity and a string cannot be compared
          device.capacity.memory < quantity('1')        | a quantity and a quantity cannot be compared
          quantity('many')                              | 'many' is no quantity
          semver('1.0')                                 | '1.0' is no version
          device.attributes.mig ? 1 / 0 : 1             | by zero
          device.attributes.index && true && [1].size() | an int is no bool
          optional.none().value()                       | an optional value is absent
          9223372036854775807 + 1                       | overflow
          """)
  void tellsWhyAnExpressionHasNoValue(String text, String why) {
    assertThatThrownBy(() -> evaluated(text))
        .isInstanceOf(CelException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.driver ==          | at 17: the end (expected: a value)
          device.driver = 'a'       | at 15: '=' is no word of CEL
          pod.name == 'a'           | at 1: 'pod' (expected: a variable: device)
          device.driver.shout()     | at 15: 'shout' (expected: a function of CEL
          device.driver == 'a       | at 18: a text without an end
          '\\q' == 'a'              | at 2: \\q is no escape
          device.driver 'a'         | at 15: 'a' (expected: an operator or the end)
          [1, 2                     | at 6: the end (expected: , or ])
          1u == 1                   | at 1: 1u is no number here
          99999999999999999999 > 1  | (expected: a whole number of 64 bits)
          has(device)               | at 5: 'device' (expected: a member such as a.b)
          for == 1                  | reserved
          timestamp('a') == 1       | at 1: 'timestamp' (expected: a function of CEL
          """)
  void tellsWhereATextIsNoExpression(String text, String why) {
    assertThatThrownBy(() -> CelExpression.parse(text, VARIABLES.keySet()))
        .isInstanceOf(CelException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aTextThatIsTooLongOrTooDeepIsRefused() {
    assertThatThrownBy(() -> CelExpression.parse(" ".repeat(10_241), Set.of()))
        .hasMessageContaining("10241 characters (expected: at most 10240)");
    for (String deep : List.of("(", "[", "{", "true ? 1 : ", "-(!(")) {
      assertThatThrownBy(() -> CelExpression.parse(deep.repeat(500), Set.of()))
          .as(deep)
          .hasMessageContaining("deeper than 64");
    }
    for (String chain : List.of("+1", "*1", "<1")) {
      assertThatThrownBy(() -> CelExpression.parse("1" + chain.repeat(500), Set.of()))
          .as(chain)
          .hasMessageContaining("deeper than 64");
    }
    assertThatThrownBy(() -> CelExpression.parse("[]" + "[0]".repeat(500), Set.of()))
        .hasMessageContaining("64 members in a row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c,"
            + " [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, a))))).size() > 0",
        "cel.bind(a, device.driver.replace('e', device.driver.replace('', device.driver)),"
            + " cel.bind(b, a.replace('', a), cel.bind(c, b.replace('', b), c.replace('', c))))"
            + ".size() > 0",
        "cel.bind(a, [1,2,3,4]+[1,2,3,4], cel.bind(b, a+a+a+a+a+a, cel.bind(c, b+b+b+b+b+b,"
            + " cel.bind(d, c+c+c+c+c+c, d+d+d+d+d+d)))).size() > 0",
        "[1,2,3,4,5,6,7,8,9].exists(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c,"
            + " [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, e > 0))) && b / 0 == 1))"
      })
  void anExpressionThatTakesTooManyStepsEndsWithAnError(String text) {
    assertThatThrownBy(() -> evaluated(text)).hasMessageContaining("too many steps");
  }
}
