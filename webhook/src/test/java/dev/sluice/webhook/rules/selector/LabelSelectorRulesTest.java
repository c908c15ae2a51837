package dev.sluice.webhook.rules.selector;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rules.Field;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "7",
        "{'matchLabels':{'a':'b'},'matchExpressions':[]}",
        "{'matchExpressions':[{'key':'a','operator':'In','values':['b']}]}",
        "{'matchExpressions':[{'key':'x.y/a','operator':'NotIn','values':['b','']}]}",
        "{'matchExpressions':[{'key':'a','operator':'Exists'}]}",
        "{'matchExpressions':[{'key':'a','operator':'DoesNotExist','values':[]}]}",
      })
  void accepts(String selector) {
    assertThat(check(selector)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'matchLabels':{'@':'b'}}                                              | INVALID s.matchLabels
          {'matchExpressions':[{'key':'a','operator':'In'}]}                     | REQUIRED s.matchExpressions[0].values
          {'matchExpressions':[{'key':'a','operator':'NotIn','values':[]}]}      | REQUIRED s.matchExpressions[0].values
          {'matchExpressions':[{'key':'a','operator':'Exists','values':['b']}]}  | FORBIDDEN s.matchExpressions[0].values
          {'matchExpressions':[{'key':'a','operator':'Like','values':['b']}]}    | INVALID s.matchExpressions[0].operator
          {'matchExpressions':[{'key':'a'}]}                                     | INVALID s.matchExpressions[0].operator
          {'matchExpressions':[{'key':'@','operator':'Exists'}]}                 | INVALID s.matchExpressions[0].key
          {'matchExpressions':[{'key':'a','operator':'In','values':['b','@']}]}  | INVALID s.matchExpressions[0].values[1]
          """)
  void refuses(String selector, String fault) {
    assertThat(check(selector)).containsExactly(fault);
  }

  private static List<String> check(String selector) {
    var findings = new ValidationResult();
    LabelSelectorRules.check(new Field("s", json(selector)), findings);
    return faults(findings);
  }
}
