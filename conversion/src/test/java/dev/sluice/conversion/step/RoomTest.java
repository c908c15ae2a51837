package dev.sluice.conversion.step;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.step.Taken.down;
import static dev.sluice.conversion.step.Taken.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conversion.step.ConversionWarning.Reason;
import dev.sluice.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The 262144 bytes that all annotations of an object may have together. */
class RoomTest {
  private static final int ROOM = 262_144;
  private static final int KEY = "conversion.kueue.x-k8s.io/from-v1beta1".length();
  private static final VersionStep STEP =
      new VersionStep(
          V1BETA1,
          V1BETA2,
          List.of(
              onlyInOlder("ant"),
              onlyInOlder("bee"),
              onlyInOlder("cow"),
              FieldConversion.derivedOnlyInOlder("naps", List.of("status"))));

  @Test
  void fillsTheRoomToTheLastByte() {
    int entry = json("{'ant':{'ant':1}}").length();
    String full = "x".repeat(ROOM - KEY - entry - "pad".length());
    String object = "{'metadata':{'annotations':{'pad':'%s'}},'spec':{'ant':1}}";

    Taken fits = up(STEP, object.formatted(full));
    Taken oneTooMany = up(STEP, object.formatted(full + "x"));

    assertThat(fits.warnings()).isEmpty();
    assertThat(down(STEP, fits.object()).object()).isEqualTo(json(object.formatted(full)));
    assertThat(oneTooMany.object())
        .isEqualTo(json(object.formatted(full + "x")).replace(json("'ant':1"), ""));
    assertThat(oneTooMany.warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(Reason.NOTE_DROPPED);
  }

  @Test
  void countsBytesAndNotCharactersOrEscapes() {
    int entry = json("{'ant':{'ant':'é\"'}}").length() + 1 + 1; // é has two bytes, \" an escape
    String pad = "€".repeat(50_000);
    String rest = "x".repeat(ROOM - KEY - entry - "päd".length() - 1 - 3 * 50_000);
    String object = "{'metadata':{'annotations':{'päd':'%s'}},'spec':{'ant':'é\\u0022'}}";

    assertThat(up(STEP, object.formatted(pad + rest)).object()).contains("from-v1beta1");
    assertThat(up(STEP, object.formatted(pad + rest + "x")).object()).doesNotContain("from-");
  }

  @Test
  void countsDecodedAnnotations() {
    String newlines = "\\n".repeat(200_000); // 400 000 bytes of text, 200 000 of annotation

    assertThat(
            up(STEP, "{'metadata':{'annotations':{'p':'" + newlines + "'}},'spec':{'ant':1}}")
                .object())
        .contains("from-v1beta1");
  }

  @Test
  void leavesDerivedEntriesOutFirstHoweverSmallTheyAre() {
    Taken after =
        up(STEP, object(used("{'bee':{'bee':2}}"), "'ant':%s,'bee':2".formatted(big(9)), 1));
    Taken small = up(STEP, object(used("{'bee':{'bee':2}}"), "'bee':2", 1));

    assertThat(small.object())
        .contains("bee")
        .doesNotContain("naps")
        .doesNotContain("statusDigest");
    assertThat(small.warnings())
        .extracting(ConversionWarning::detail)
        .allMatch(d -> d.contains("naps"));
    assertThat(after.warnings()).hasSize(2);
    assertThat(after.object())
        .doesNotContain("naps")
        .doesNotContain("statusDigest")
        .contains("bee");
  }

  @Test
  void leavesTheLargestOutThenAndAmongEqualsTheFirstName() {
    Taken oneLarger = up(STEP, object(ROOM - 240, threeValues(60, 61, 60), 0));
    Taken equal = up(STEP, object(ROOM - 240, threeValues(60, 60, 60), 0));

    assertThat(notedIn(oneLarger)).containsExactly("ant", "cow");
    assertThat(notedIn(equal)).containsExactly("bee", "cow");
  }

  @Test
  void measuresTheLargestInBytes() {
    String wide = "'" + "€".repeat(30) + "'"; // fewer characters than its neighbours, more bytes
    String spec = "'ant':" + big(60) + ",'bee':" + wide + ",'cow':" + big(60);

    assertThat(notedIn(up(STEP, object(ROOM - 240, spec, 0)))).containsExactly("ant", "cow");
  }

  @Test
  void leavesAsManyOutAsItTakes() {
    Taken after =
        up(STEP, object(ROOM - 150, "'ant':%s,'bee':%s,'cow':1".formatted(big(99), big(98)), 1));

    assertThat(notedIn(after)).containsExactly("cow");
    assertThat(after.warnings())
        .extracting(ConversionWarning::detail)
        .satisfiesExactly(
            d -> assertThat(d).contains("naps"),
            d -> assertThat(d).contains("ant"),
            d -> assertThat(d).contains("bee"));
  }

  @Test
  void notesNothingWhereAnnotationsAreOverfullAlready() {
    Taken after = up(STEP, object(ROOM + 5_000, "'ant':1", 1));

    assertThat(after.object()).doesNotContain("from-");
    assertThat(after.warnings()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"{}", "null"})
  void leavesUnfilledAnnotationsAsTheyWereIfNothingCouldBeNoted(String annotations) {
    String spec = "'ant':" + big(ROOM);
    String object = "{'metadata':{'annotations':" + annotations + "},'spec':{" + spec + "}}";

    assertThat(up(STEP, object).object()).isEqualTo(json(object.replace(spec, "")));
  }

  @Test
  void refusesWhatWouldBeLostForGoodWhereRefusingIsAskedFor() {
    String lost = object(ROOM - 10, "'ant':1", 1);
    String derivedOnly = object(ROOM - 10, "", 1);

    assertThat(Taken.over(STEP, Direction.UP, Mode.FAIL, lost).refusals())
        .singleElement()
        .satisfies(r -> assertThat(r.toString()).contains("metadata.annotations", "ant", "262144"));
    assertThat(Taken.over(STEP, Direction.UP, Mode.FAIL, derivedOnly).refusals()).isEmpty();
  }

  private static String object(int usedBytes, String spec, int naps) {
    return "{'metadata':{'annotations':{'p':'%s'}},'spec':{%s},'status':{%s}}"
        .formatted("x".repeat(usedBytes - 1), spec, naps == 0 ? "" : "'naps':" + naps);
  }

  private static String threeValues(int ant, int bee, int cow) {
    return "'ant':%s,'bee':%s,'cow':%s".formatted(big(ant), big(bee), big(cow));
  }

  /** The bytes that leave room for exactly this text. */
  private static int used(String text) {
    return ROOM - KEY - text.length();
  }

  /** A string whose JSON has this many bytes. */
  private static String big(int bytes) {
    return "'" + "b".repeat(bytes - 2) + "'";
  }

  private static List<String> notedIn(Taken taken) {
    return List.of("ant", "bee", "cow", "naps").stream()
        .filter(name -> taken.object().contains("\\\"" + name + "\\\":{"))
        .toList();
  }

  private static FieldConversion onlyInOlder(String key) {
    return new FieldConversion(
        key, List.of("spec"), List.of(key), _ -> new JsonObject(), v -> v, false);
  }
}
