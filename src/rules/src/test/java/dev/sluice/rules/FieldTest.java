package dev.sluice.rules;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BigIntegerNode;
import dev.sluice.api.Quantity;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldTest {
  private final ValidationResult findings = new ValidationResult();

  @Test
  void namesPlacesAsKubernetesDoes() {
    var root = Field.root(json("{'spec':{'levels':[{},{'nodeLabel':'x'}]},'labels':{'a/b':'c'}}"));

    var second = root.child("spec").child("levels").items(9).get(1).child("nodeLabel");
    var label = root.child("labels").key("a/b");

    assertThat(second.path()).isEqualTo("spec.levels[1].nodeLabel");
    assertThat(second.text()).contains("x");
    assertThat(label.path()).isEqualTo("labels[a/b]");
    assertThat(label.text()).contains("c");
  }

  @Test
  void boundsAKeyInThePath() {
    var field = Field.root(json("{}")).child("labels").key("k".repeat(1_000_000));

    assertThat(field.path()).hasSizeLessThan(300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'a':null}", "[]", "3", "null", "'text'"})
  void findsNothingWhereThereIsNothing(String object) {
    var field = Field.root(json(object)).child("a");

    assertThat(field.isPresent()).isFalse();
    assertThat(field.expectObject(findings)).isFalse();
    assertThat(field.expectText(findings)).isEmpty();
    assertThat(field.expectQuantity(findings)).isEmpty();
    assertThat(field.expectItems(9, findings)).isEmpty();
    assertThat(findings.violations()).isEmpty();
  }

  @Test
  void reportsWhatIsRequiredAndMissing() {
    var root = Field.root(json("{'b':null,'e':[]}"));

    root.child("a").requireText("a name", findings);
    root.child("b").requireObject(findings);
    root.child("c").requireQuantity(findings);
    root.child("d").requireItems(9, findings);
    root.child("e").requireItems(9, findings);

    assertThat(faults(findings))
        .containsExactly("REQUIRED a", "REQUIRED b", "REQUIRED c", "REQUIRED d", "INVALID e");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}   | a: Invalid value: {}: must be text, not an object
          [1]  | a: Invalid value: [1]: must be text, not a list
          7    | a: Invalid value: 7: must be text, not a number
          true | a: Invalid value: true: must be text, not a boolean
          """)
  void reportsAWrongTypeWithTheExpectedOne(String value, String text) {
    Field.root(json("{'a':" + value + "}")).child("a").expectText(findings);

    assertThat(findings.violations()).extracting(FieldError::text).containsExactly(text);
  }

  @Test
  void reportsWrongTypesOfListsObjectsAndQuantities() {
    var root = Field.root(json("{'a':{},'b':'x','c':'many','d':1.5,'e':true}"));

    root.child("a").expectItems(9, findings);
    root.child("b").expectObject(findings);
    root.child("c").expectQuantity(findings);
    root.child("d").expectQuantity(findings);
    root.child("e").requireQuantity(findings);

    assertThat(faults(findings))
        .containsExactly("INVALID a", "INVALID b", "INVALID c", "INVALID d", "INVALID e");
  }

  @Test
  void readsAQuantityFromTextAndFromAnInteger() {
    assertThat(Field.root(json("'1Ki'")).quantity()).contains(Quantity.of(1024));
    assertThat(Field.root(json("1024")).quantity()).contains(Quantity.of(1024));
    assertThat(Field.root(json("1" + "0".repeat(50))).quantity())
        .contains(Quantity.of(Long.MAX_VALUE));
    assertThat(Field.root(BigIntegerNode.valueOf(BigInteger.ONE.shiftLeft(9_999_999))).quantity())
        .isEmpty();
  }

  @Test
  void countsALongListAndReadsItsBeginning() {
    var list = Field.root(json("{'a':[1,2,3]}")).child("a");

    assertThat(list.expectItems(2, findings)).hasSize(2);
    assertThat(findings.violations())
        .extracting(FieldError::text)
        .containsExactly("a: Too many: 3: must have at most 2 items");
  }
}
