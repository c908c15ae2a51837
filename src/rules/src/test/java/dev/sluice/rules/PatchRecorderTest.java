package dev.sluice.rules;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchRecorderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                          | /metadata                   | {'labels':{'a.b/c':'x'}}
          {'metadata':null}           | /metadata                   | {'labels':{'a.b/c':'x'}}
          {'metadata':{}}             | /metadata/labels            | {'a.b/c':'x'}
          {'metadata':{'labels':{}}}  | /metadata/labels/a.b~1c     | 'x'
          """)
  void addsTheTopmostThingThatIsMissing(String object, String path, String value) {
    var draft = new PatchRecorder(json(object));

    draft.label("a.b/c", "x");

    assertThat(draft.edits()).containsExactly(new PatchRecorder.Edit("add", path, json(value)));
    assertThat(draft.object()).isEqualTo(json("{'metadata':{'labels':{'a.b/c':'x'}}}"));
  }

  @Test
  void leavesTheCallersTreeAlone() {
    JsonNode object = json("{'spec':{'gates':['a']}}");
    var draft = new PatchRecorder(object);

    draft.append(json("'b'"), "spec", "gates");

    assertThat(object).isEqualTo(json("{'spec':{'gates':['a']}}"));
    assertThat(draft.object()).isEqualTo(json("{'spec':{'gates':['a','b']}}"));
    assertThat(draft.edits())
        .containsExactly(new PatchRecorder.Edit("add", "/spec/gates/-", json("'b'")));
  }

  @Test
  void startsAListThatIsMissing() {
    var draft = new PatchRecorder(json("{}"));

    draft.append(json("'b'"), "spec", "gates");

    assertThat(draft.edits())
        .containsExactly(new PatchRecorder.Edit("add", "/spec", json("{'gates':['b']}")));
  }

  @Test
  void reachesIntoItemsAndReplacesThem() {
    assertThat(edits("{'l':[{},{'a':1}]}", draft -> draft.set(json("2"), "l", "1", "a")))
        .containsExactly(new PatchRecorder.Edit("add", "/l/1/a", json("2")));
    assertThat(edits("{'l':[1,2]}", draft -> draft.set(json("3"), "l", "1")))
        .containsExactly(new PatchRecorder.Edit("replace", "/l/1", json("3")));
  }

  @Test
  void removesOnlyWhatIsThere() {
    assertThat(edits("{'a':{'b':1}}", draft -> draft.remove("a", "b")))
        .extracting(PatchRecorder.Edit::op, PatchRecorder.Edit::path)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("remove", "/a/b"));
    assertThat(edits("{'a':{}}", draft -> draft.remove("a", "b"))).isEmpty();
  }

  @Test
  void recordsNothingForAValueThatStandsAlready() {
    assertThat(edits("{'a':{'b':1}}", draft -> draft.set(json("1"), "a", "b"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'{\"a\":7}'", "'{\"a\":[]}'", "'{\"a\":\"x\"}'", "'[]'", "'null'", "'7'"})
  void leavesOutWhatTheObjectHasNoRoomFor(String object) {
    assertThat(edits(object, draft -> draft.set(json("1"), "a", "b"))).isEmpty();
    assertThat(edits(object, draft -> draft.append(json("1"), "a", "b"))).isEmpty();
  }

  private static List<PatchRecorder.Edit> edits(String object, Consumer<PatchRecorder> change) {
    var draft = new PatchRecorder(json(object));
    change.accept(draft);
    return draft.edits();
  }
}
