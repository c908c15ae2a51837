package dev.sluice.rules.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.names.LabelKey;
import dev.sluice.api.names.LabelValue;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.List;
import java.util.Map;

/** What label keys, label values and maps of labels must be. Values of a wrong type are passed. */
public final class LabelRules {
  private LabelRules() {}

  /** Reports each rule that the text here breaks as the key of a label. */
  public static void checkKey(Field field, ValidationResult findings) {
    field.text().ifPresent(key -> report(field, LabelKey.problems(key), "", findings));
  }

  /** Reports each rule that the text here breaks as the value of a label. */
  public static void checkValue(Field field, ValidationResult findings) {
    field.text().ifPresent(value -> report(field, LabelValue.problems(value), "", findings));
  }

  private static void report(
      Field field, List<String> problems, String prefix, ValidationResult findings) {
    for (String problem : problems) {
      findings.add(FieldError.invalid(field, prefix + problem));
    }
  }

  /** Reports the keys and values of a map of labels, all at the path of the map. */
  public static void checkLabels(Field map, ValidationResult findings) {
    for (Map.Entry<String, JsonNode> label : map.node().properties()) {
      var key = new Field(map.path(), TextNode.valueOf(label.getKey()));
      report(key, LabelKey.problems(label.getKey()), "as a label key: ", findings);
      var value = new Field(map.path(), label.getValue());
      value
          .text()
          .ifPresent(
              text ->
                  report(
                      value,
                      LabelValue.problems(text),
                      "as the value of label " + ValueText.quoted(label.getKey()) + ": ",
                      findings));
    }
  }
}
