package dev.sluice.webhook.rules.conditions;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionRulesTest {
  private static final String GOOD =
      "{'type':'T','status':'True','reason':'R','lastTransitionTime':'t','message':''}";

  @ParameterizedTest
  @ValueSource(strings = {"R", "Ab1,x:_", "r_"})
  void acceptsAReason(String reason) {
    assertThat(check("[" + GOOD.replace("'R'", "'" + reason + "'") + "]")).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'type':'T'               | 'type':'@'                                  | INVALID c[0].type
          'status':'True'          | 'status':'true'                             | NOT_SUPPORTED c[0].status
          'status':'True'          | 'x':1                                       | NOT_SUPPORTED c[0].status
          'reason':'R'             | 'x':1                                       | REQUIRED c[0].reason
          'reason':'R'             | 'reason':''                                 | REQUIRED c[0].reason
          'reason':'R'             | 'reason':'1R'                               | INVALID c[0].reason
          'reason':'R'             | 'reason':'R,'                               | INVALID c[0].reason
          'lastTransitionTime':'t' | 'lastTransitionTime':null                   | REQUIRED c[0].lastTransitionTime
          'lastTransitionTime':'t' | 'lastTransitionTime':'0001-01-01T00:00:00Z' | REQUIRED c[0].lastTransitionTime
          'message':''             | 'observedGeneration':-1                     | INVALID c[0].observedGeneration
          'message':''             | 'observedGeneration':-1e400                 | INVALID c[0].observedGeneration
          """)
  void refuses(String good, String bad, String fault) {
    assertThat(check("[" + GOOD.replace(good, bad) + "]")).containsExactly(fault);
  }

  /** The schema asks for an integer of 64 bits; the rule only has to survive others. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "1e400", "1e-400", "18446744073709551616"})
  void leavesOtherNumbersToTheSchema(String generation) {
    assertThat(
            check("[" + GOOD.replace("'message':''", "'observedGeneration':" + generation) + "]"))
        .isEmpty();
  }

  @Test
  void refusesATypeThatStandsTwiceAndTextThatIsTooLong() {
    assertThat(check("[" + GOOD + "," + GOOD + "]")).containsExactly("DUPLICATE c[1].type");
    assertThat(check("[" + GOOD.replace("'R'", "'" + "r".repeat(1025) + "'") + "]"))
        .containsExactly("TOO_LONG c[0].reason");
    assertThat(check("[" + GOOD.replace("''", "'" + "m".repeat(32_769) + "'") + "]"))
        .containsExactly("TOO_LONG c[0].message");
  }

  private static List<String> check(String conditions) {
    var findings = new ValidationResult();
    ConditionRules.check(new Field("c", json(conditions)), findings);
    return faults(findings);
  }
}
