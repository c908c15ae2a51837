package dev.sluice.conversion.step;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.note;
import static dev.sluice.conversion.Texts.quoted;
import static dev.sluice.conversion.Texts.sorted;
import static dev.sluice.conversion.step.Taken.down;
import static dev.sluice.conversion.step.Taken.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conversion.step.ConversionWarning.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a step does with metadata, and with the text of our annotations, which anybody may edit. */
class AnnotationsTest {
  private static final String FROM_BETA1 = "conversion.kueue.x-k8s.io/from-v1beta1";
  private static final VersionStep RENAMED =
      new VersionStep(
          V1BETA1,
          V1BETA2,
          List.of(
              FieldConversion.renamed("cat", List.of("spec"), "cat", "feline"),
              FieldConversion.derivedOnlyInOlder("naps", List.of("status"))));

  /** A spec that cannot be said at the newer version without a note. */
  private static final String TO_NOTE = "'spec':{'cat':1,'feline':2}";

  private static final String ENTRY = "'cat':{'cat':1,'feline':2}";

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null"})
  void notesAnUnfilledMapOfAnnotationsAndPutsItBack(String annotations) {
    String before = json("{'metadata':{'annotations':%s},%s}".formatted(annotations, TO_NOTE));

    String after = up(RENAMED, before).object();

    assertThat(after)
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(V1BETA1, "{'annotations':%s,%s}".formatted(annotations, ENTRY))
                + json("}},'spec':{'feline':1}}"));
    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null", "'x'", "[]", "7", "{'a':'b'}", "{'a':1}"})
  void leavesAnnotationsAloneIfNothingIsNoted(String annotations) {
    String before = json("{'metadata':{'annotations':%s},'spec':{'cat':1}}".formatted(annotations));

    String after = up(RENAMED, before).object();

    assertThat(after).isEqualTo(before.replace("cat", "feline"));
    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }

  @Test
  void createsAnnotationsAtTheirPlaceAndRemovesThemAgain() {
    String before = json("{'metadata':{'a':1,'name':'n'},%s}".formatted(TO_NOTE));

    String after = up(RENAMED, before).object();

    assertThat(after).startsWith(json("{'metadata':{'a':1,'annotations':{'conversion."));
    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }

  @Test
  void touchesNoOtherAnnotationAndNoLabel() {
    String applied = "'kubectl.kubernetes.io/last-applied-configuration':'{\\'cat\\':0}'";
    String before =
        json(
            ("{'metadata':{'annotations':{'a':'1','conversion.kueue.x-k8s.io/from-v9':'{',%s,'z':''},"
                 + "'finalizers':['f'],'labels':{},'managedFields':[{'x':{}}]},%s}")
                .formatted(applied, TO_NOTE));

    String after = up(RENAMED, before).object();

    assertThat(after.replace("," + note(V1BETA1, "{" + ENTRY + "}"), ""))
        .isEqualTo(before.replace(json(TO_NOTE), json("'spec':{'feline':1}")));
    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }

  @Test
  void leavesTheAnnotationOfAThirdVersionAlone() {
    String third = note(V1ALPHA1, "{" + ENTRY + "}");
    String before = json("{'metadata':{'annotations':{") + third + json("}}," + TO_NOTE + "}");

    String after = up(RENAMED, before).object();

    assertThat(after).contains(third).contains(note(V1BETA1, "{" + ENTRY + "}"));
    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }

  @Test
  void replacesAnOldNoteOfTheSourceWhateverItSays() {
    String before =
        "{'metadata':{'annotations':{" + note(V1BETA1, "{'cat':{'cat':7}}") + "}}," + TO_NOTE + "}";

    assertThat(up(RENAMED, before).object())
        .isEqualTo(
            json("{'metadata':{'annotations':{")
                + note(V1BETA1, "{" + ENTRY + "}")
                + json("}},'spec':{'feline':1}}"));
  }

  @Test
  void takesAnOldNoteOfTheSourceOffAlsoIfNothingIsNoted() {
    String before =
        "{'metadata':{'annotations':{'a':'b'," + note(V1BETA1, "{") + "}},'spec':{'cat':1}}";
    String alone = "{'metadata':{'annotations':{" + note(V1BETA1, "{") + "}},'spec':{'cat':1}}";

    assertThat(up(RENAMED, before).object())
        .isEqualTo(json("{'metadata':{'annotations':{'a':'b'}},'spec':{'feline':1}}"));
    assertThat(up(RENAMED, alone).object()).isEqualTo(json("{'metadata':{},'spec':{'feline':1}}"));
    assertThat(up(RENAMED, alone).warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'{'",
        "''",
        "' '",
        "'[]'",
        "'null'",
        "'7'",
        "'x'",
        "'{}{}'",
        "'{\\'cat\\':1,\\'cat\\':2}'",
        "'\\ud800'",
        "'{\\'\\ud800\\':1}'",
        "'\\u0000'",
        "7",
        "null",
        "true",
        "{'cat':{'cat':1,'feline':2}}",
        "['{}']",
      })
  void ignoresATextThatIsNoObjectAndSaysSo(String text) {
    String object =
        "{'metadata':{'annotations':{'%s':%s}},'spec':{'feline':1}}".formatted(FROM_BETA1, text);

    Taken back = down(RENAMED, object);

    assertThat(back.object()).isEqualTo(json("{'metadata':{},'spec':{'cat':1}}"));
    assertThat(back.warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(Reason.NOTE_IGNORED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'cat':null}",
        "{'cat':1}",
        "{'cat':'x'}",
        "{'cat':[]}",
        "{'cat':{'cat':1,'dog':2}}",
        "{'cat':{'metadata':{}}}",
        "{'dog':{'cat':1}}",
        "{'':0}",
        "{'annotations':7}",
        "{'annotations':{'a':'b'}}",
        "{'annotations':[]}",
      })
  void ignoresAnEntryThatIsNotOursAndSaysSo(String text) {
    String object =
        "{'metadata':{'annotations':{" + note(V1BETA1, text) + "}},'spec':{'feline':1}}";

    Taken back = down(RENAMED, object);

    assertThat(back.object()).isEqualTo(json("{'metadata':{},'spec':{'cat':1}}"));
    assertThat(back.warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(Reason.NOTE_IGNORED);
  }

  @Test
  void usesTheGoodEntriesBesideABadOne() {
    String object =
        "{'metadata':{'annotations':{"
            + note(V1BETA1, "{" + ENTRY + ",'dog':7}")
            + "}},'spec':{'feline':1}}";

    assertThat(down(RENAMED, object).object()).isEqualTo(json("{'metadata':{}," + TO_NOTE + "}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n\u0000\u001b[31m", "\u202e", "x"})
  void repeatsUserTextInRemarksOnlyShortAndPrintable(String unit) {
    String text = quoted("{" + quoted(unit.repeat(5_000)) + ":1}");
    String object = json("{'metadata':{'annotations':{'%s':".formatted(FROM_BETA1)) + text + "}}}";

    Taken back = Taken.over(RENAMED, Direction.DOWN, Mode.CARRY, object);

    assertThat(back.warnings())
        .hasSize(1)
        .allSatisfy(warning -> assertThat(warning.detail()).matches("[\\P{C}]{1,320}"));
  }

  @Test
  void warnsOfAFewOfManyStrangeEntries() {
    StringBuilder entries = new StringBuilder("{'x':1");
    for (int i = 0; i < 10_000; i++) {
      entries.append(",'e").append(i).append("':{}");
    }
    String object = "{'metadata':{'annotations':{" + note(V1BETA1, entries + "}") + "}}}";

    assertThat(down(RENAMED, object).warnings()).hasSizeBetween(1, 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'metadata':'x'",
        "'metadata':[]",
        "'metadata':{'annotations':'x'}",
        "'metadata':{'annotations':[]}",
        "'metadata':{'annotations':7}",
      })
  void losesWhatItCannotNoteAndSaysSo(String metadata) {
    Taken after = up(RENAMED, "{" + metadata + "," + TO_NOTE + "}");

    assertThat(after.object()).isEqualTo(json("{" + metadata + ",'spec':{'feline':1}}"));
    assertThat(after.warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(Reason.NOTE_DROPPED);
    assertThat(
            Taken.over(RENAMED, Direction.UP, Mode.FAIL, "{" + metadata + "," + TO_NOTE + "}")
                .refusals())
        .extracting(Refusal::field)
        .containsExactly(metadata.contains("annotations") ? "metadata.annotations" : "metadata");
  }

  @Test
  void refusesNothingIfOnlyDerivedStatusCannotBeNoted() {
    String object = "{'metadata':{'annotations':7},'status':{'naps':1}}";

    Taken after = Taken.over(RENAMED, Direction.UP, Mode.FAIL, object);

    assertThat(after.refusals()).isEmpty();
    assertThat(after.warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(Reason.NOTE_DROPPED);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void doesTheSameInBothModesWhereNothingIsLost(Mode mode) {
    Taken after = Taken.over(RENAMED, Direction.UP, mode, "{'metadata':{}," + TO_NOTE + "}");

    assertThat(after.refusals()).isEmpty();
    assertThat(after.object()).contains("from-v1beta1");
  }

  @Test
  void notesStringsOfEverySort() {
    String odd = quoted("\"\\ \n\u0001é\uffee\ud83d\ude00</script>&");
    String before =
        json("{'metadata':{},'spec':{'cat':{'k':%s,'lone':'\\ud800'},'feline':2}}")
            .replace("%s", odd);

    String after = Taken.over(RENAMED, Direction.UP, Mode.CARRY, before).object();

    assertThat(sorted(down(RENAMED, after).object())).isEqualTo(sorted(before));
  }

  @Test
  void notesValuesAsDeepAsTheDoorLetsThrough() {
    int depth = 254; // in an object, in spec
    String deep = "[".repeat(depth) + "]".repeat(depth);
    String before = json("{'metadata':{},'spec':{'cat':%s,'feline':2}}".formatted(deep));

    String after = up(RENAMED, before).object();

    assertThat(down(RENAMED, after).object()).isEqualTo(before);
  }
}
