package dev.sluice.conversion.step;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.note;
import static dev.sluice.conversion.step.Taken.down;
import static dev.sluice.conversion.step.Taken.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The law, on conversions small enough to see what it does. */
class FieldConversionTest {
  private static final Mapping NOTHING = _ -> new JsonObject();
  private static final VersionStep RENAMED =
      step(FieldConversion.renamed("cat", List.of("spec"), "cat", "feline"));
  private static final VersionStep ONLY_OLDER =
      step(new FieldConversion("tail", List.of("spec"), List.of("tail"), NOTHING, v -> v, false));
  private static final VersionStep WORD =
      step(
          new FieldConversion(
              "mood",
              List.of("spec"),
              List.of("mood"),
              FieldConversionTest::newWord,
              v -> v,
              false));
  private static final VersionStep DERIVED =
      step(FieldConversion.derivedOnlyInOlder("naps", List.of("status", "sleep")));

  @ParameterizedTest
  @ValueSource(strings = {"'a'", "null", "''", "[]", "{}", "{'x':[1.0]}", "0", "false"})
  void renamesAKeyAndKeepsItsValueWhateverItIs(String value) {
    String older = json("{'metadata':{},'spec':{'ant':1,'cat':%s,'yak':2}}".formatted(value));
    String newer = json("{'metadata':{},'spec':{'ant':1,'feline':%s,'yak':2}}".formatted(value));

    assertThat(up(RENAMED, older).object()).isEqualTo(newer);
    assertThat(down(RENAMED, newer).object()).isEqualTo(older);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata':{}}",
        "{'metadata':{},'spec':null}",
        "{'metadata':{},'spec':'cat'}",
        "{'metadata':{},'spec':[{'cat':1}]}",
        "{'metadata':{},'cat':1,'spec':{}}",
        "{'metadata':{},'spec':{'inner':{'cat':1,'feline':2}}}",
      })
  void doesNotAriseWithoutItsParent(String object) {
    assertThat(up(RENAMED, object).object()).isEqualTo(json(object));
    assertThat(down(RENAMED, object).object()).isEqualTo(json(object));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'cat':1,'feline':2}|{'feline':1}|{'cat':{'cat':1,'feline':2}}",
        "{'cat':1,'feline':1}|{'feline':1}|{'cat':{'cat':1,'feline':1}}",
        "{'cat':null,'feline':2}|{'feline':null}|{'cat':{'cat':null,'feline':2}}",
        "{'feline':2}|{'feline':2}|{'cat':{'feline':2}}",
      })
  void letsTheVersionsOwnKeyWinOverAStrayAndBringsTheStrayBack(
      String older, String newer, String entries) {
    String before = json("{'metadata':{},'spec':%s}".formatted(older));

    String after = up(RENAMED, before).object();

    assertThat(after)
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(V1BETA1, entries)
                + json("}},'spec':%s}".formatted(newer)));
    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }

  @Test
  void treatsStraysAlikeOnTheWayDown() {
    String before = json("{'metadata':{},'spec':{'cat':1,'feline':2}}");

    String after = down(RENAMED, before).object();

    assertThat(after)
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(V1BETA2, "{'cat':{'cat':1,'feline':2}}")
                + json("}},'spec':{'cat':2}}"));
    assertThat(up(RENAMED, after).object()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "null", "''", "{'b':[1,{'c':null}]}", "12345678901234567890.10"})
  void notesWhatOnlyOneVersionHasAndRestoresIt(String value) {
    String before = json("{'metadata':{},'spec':{'tail':%s,'x':1}}".formatted(value));

    String after = up(ONLY_OLDER, before).object();

    assertThat(after)
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(V1BETA1, "{'tail':{'tail':%s}}".formatted(value))
                + json("}},'spec':{'x':1}}"));
    assertThat(down(ONLY_OLDER, after).object()).isEqualTo(before);
  }

  @Test
  void notesNothingWhereTheOtherVersionSaysItAll() {
    assertThat(up(ONLY_OLDER, "{'metadata':{},'spec':{'x':1}}").object())
        .isEqualTo(json("{'metadata':{},'spec':{'x':1}}"));
    assertThat(up(WORD, "{'metadata':{},'spec':{'mood':'calm'}}").object())
        .isEqualTo(json("{'metadata':{},'spec':{'mood':'calm'}}"));
  }

  @Test
  void restoresAnOldWordAsLongAsItsNewWordStands() {
    String before = json("{'metadata':{},'spec':{'mood':'glad'}}");
    String after = up(WORD, before).object();

    assertThat(after).contains("happy");
    assertThat(down(WORD, after).object()).isEqualTo(before);
  }

  @Test
  void letsAnEditAtTheOtherVersionWin() {
    String after = up(WORD, "{'metadata':{},'spec':{'mood':'glad'}}").object();

    String edited = after.replace("happy", "sad");

    assertThat(down(WORD, edited).object())
        .isEqualTo(json("{'metadata':{},'spec':{'mood':'sad'}}"));
  }

  @Test
  void explainsAgainWhatWasEditedAndEditedBack() {
    String after = up(WORD, "{'metadata':{},'spec':{'mood':'glad'}}").object();

    String editedTwice = after.replace("happy", "sad").replace("\"sad\"", "\"happy\"");

    assertThat(down(WORD, editedTwice).object()).contains("glad");
  }

  @Test
  void forgetsAnEntryOnceTheEditedObjectWentBack() {
    String after = up(WORD, "{'metadata':{},'spec':{'mood':'glad'}}").object();
    String wentBack = up(WORD, down(WORD, after.replace("happy", "sad")).object()).object();

    String editedBack = wentBack.replace("sad", "happy");

    assertThat(down(WORD, editedBack).object())
        .isEqualTo(json("{'metadata':{},'spec':{'mood':'happy'}}"));
  }

  @Test
  void saysNothingAboutAnEntryThatAnEditHasOutdated() {
    Taken back =
        down(
            RENAMED,
            "{'metadata':{'annotations':{"
                + note(V1BETA1, "{'cat':{'cat':1,'feline':2}}")
                + "}},'spec':{'feline':9}}");

    assertThat(back.object()).isEqualTo(json("{'metadata':{},'spec':{'cat':9}}"));
    assertThat(back.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'metadata':{%s}}", "{'metadata':{%s},'spec':null}"})
  void createsNoParentFromAnEntryAndCallsItNotUnreadable(String object) {
    String annotations =
        json("'annotations':{") + note(V1BETA1, "{'cat':{'cat':1,'feline':2}}") + "}";

    Taken back = down(RENAMED, object.formatted(annotations));

    assertThat(back.object()).isEqualTo(json(object.formatted("")));
    assertThat(back.warnings()).isEmpty();
  }

  @Test
  void comparesRegardlessOfTheOrderOfMembersAndOfEscapes() {
    String back =
        down(
                WORD_OBJECT,
                "{'metadata':{'annotations':{"
                    + note(V1BETA1, "{'mood':{'mood':{'b':1,'a':'x','old':true}}}")
                    + "}},'spec':{'mood':{'a':'\\u0078','b':1}}}")
            .object();

    assertThat(back).contains("old");
  }

  @Test
  void doesNotTakeOneSpellingOfANumberForAnother() {
    String back =
        down(
                WORD_OBJECT,
                "{'metadata':{'annotations':{"
                    + note(V1BETA1, "{'mood':{'mood':{'b':1,'old':true}}}")
                    + "}},'spec':{'mood':{'b':1.0}}}")
            .object();

    assertThat(back).isEqualTo(json("{'metadata':{},'spec':{'mood':{'b':1.0}}}"));
  }

  @Test
  void keepsADerivedValueBesideTheDigestOfItsStatus() {
    String before = json("{'metadata':{},'status':{'sleep':{'deep':1,'naps':[2]}}}");

    String after = up(DERIVED, before).object();

    // printf '{"sleep":{"deep":1}}' | sha256sum | cut -c1-16
    assertThat(after)
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(V1BETA1, "{'naps':{'naps':[2]},'statusDigest':'c179289feb6f30e2'}")
                + json("}},'status':{'sleep':{'deep':1}}}"));
    assertThat(down(DERIVED, after).object()).isEqualTo(before);
  }

  @Test
  void findsTheSameStatusInAnotherOrderOfMembersAndWithOtherEscapes() {
    String after =
        up(DERIVED, "{'metadata':{},'status':{'a':'x','sleep':{'deep':1,'naps':[2]}}}").object();

    String rewritten =
        after.replace(
            json("'status':{'a':'x','sleep':{'deep':1}}"),
            json("'status':{ 'sleep': {'deep' :1}, 'a':'\\u0078' }"));

    assertThat(rewritten).isNotEqualTo(after);
    assertThat(down(DERIVED, rewritten).object()).contains("naps");
  }

  @ParameterizedTest
  @ValueSource(strings = {"'deep':2", "'deep':1,'new':0", "'deep':1.0", "'deep':'1'", ""})
  void letsADerivedValueNotOutliveItsStatus(String sleep) {
    String after = up(DERIVED, "{'metadata':{},'status':{'sleep':{'deep':1,'naps':[2]}}}").object();

    Taken back = down(DERIVED, after.replace(json("'deep':1"), json(sleep)));

    assertThat(back.object())
        .isEqualTo(json("{'metadata':{},'status':{'sleep':{%s}}}".formatted(sleep)));
    assertThat(back.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'naps':{'naps':[2]}}",
        "{'naps':{'naps':[2]},'statusDigest':null}",
        "{'naps':{'naps':[2]},'statusDigest':7}",
        "{'naps':{'naps':[2]},'statusDigest':{}}",
        "{'naps':{'naps':[2]},'statusDigest':''}",
        "{'naps':{'naps':[2]},'statusDigest':'0000000000000000'}",
      })
  void givesNoDerivedValueOutWithoutItsDigest(String entries) {
    String object =
        "{'metadata':{'annotations':{" + note(V1BETA1, entries) + "}},'status':{'sleep':{}}}";

    assertThat(down(DERIVED, object).object())
        .isEqualTo(json("{'metadata':{},'status':{'sleep':{}}}"));
  }

  @Test
  void bringsAStrayDerivedValueBackToTheVersionThatDoesNotKnowIt() {
    String before = json("{'metadata':{},'status':{'sleep':{'naps':[2]}}}");

    String after = down(DERIVED, before).object();

    assertThat(after)
        .endsWith(json(",'status':{'sleep':{'naps':[2]}}}").substring(1))
        .contains("from-v1beta2");
    assertThat(up(DERIVED, after).object()).isEqualTo(before);
  }

  @Test
  void settlesSeveralMattersInOneAnnotationSortedByName() {
    VersionStep both =
        step(
            FieldConversion.renamed("zebra", List.of("spec"), "zebra", "horse"),
            new FieldConversion("ant", List.of("spec"), List.of("ant"), NOTHING, v -> v, false),
            FieldConversion.derivedOnlyInOlder("naps", List.of("status")));
    String before =
        json("{'metadata':{},'spec':{'ant':[],'horse':2,'zebra':1},'status':{'naps':0}}");

    String after = up(both, before).object();

    // printf '{}' | sha256sum | cut -c1-16
    assertThat(after)
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(
                    V1BETA1,
                    "{'ant':{'ant':[]},'naps':{'naps':0},'statusDigest':'44136fa355b3678a',"
                        + "'zebra':{'horse':2,'zebra':1}}")
                + json("}},'spec':{'horse':1},'status':{}}"));
    assertThat(down(both, after).object()).isEqualTo(before);
  }

  @Test
  void letsEachMatterBeEditedForItself() {
    VersionStep both =
        step(
            FieldConversion.renamed("zebra", List.of("spec"), "zebra", "horse"),
            new FieldConversion("ant", List.of("spec"), List.of("ant"), NOTHING, v -> v, false));
    String after = up(both, "{'metadata':{},'spec':{'ant':3,'horse':2,'zebra':1}}").object();

    String back = down(both, after.replace(json("'horse':1"), json("'horse':9"))).object();

    assertThat(back).isEqualTo(json("{'metadata':{},'spec':{'ant':3,'zebra':9}}"));
  }

  private static final VersionStep WORD_OBJECT =
      step(
          new FieldConversion(
              "mood",
              List.of("spec"),
              List.of("mood"),
              FieldConversionTest::withoutOld,
              v -> v,
              false));

  private static VersionStep step(Difference... differences) {
    return new VersionStep(V1BETA1, V1BETA2, List.of(differences));
  }

  private static JsonObject newWord(JsonObject value) {
    if (!"glad".equals(value.text("mood"))) {
      return value;
    }
    JsonObject renamed = new JsonObject();
    renamed.put("mood", JsonSlice.text("happy"));
    return renamed;
  }

  private static JsonObject withoutOld(JsonObject value) {
    if (value.get("mood") == null || !(value.get("mood").opened() instanceof JsonObject mood)) {
      return value;
    }
    JsonObject copy = new JsonObject();
    for (int i = 0; i < mood.size(); i++) {
      if (!mood.keyAt(i).equals("old")) {
        copy.put(mood.keyAt(i), mood.valueAt(i));
      }
    }
    JsonObject result = new JsonObject();
    result.put("mood", copy);
    return result;
  }
}
