package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Conversions.converted;
import static dev.sluice.conversion.Conversions.object;
import static dev.sluice.conversion.Conversions.refusal;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.note;
import static dev.sluice.conversion.Texts.written;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Conversions;
import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.ConversionWarning.Reason;
import dev.sluice.conversion.step.Mode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a Cohort in all six directions. */
class CohortConversionTest {
  private static final String ADMISSION =
      "'admissionFairSharingStatus':{'consumedResources':{'cpu':'1'},"
          + "'lastUpdate':'2026-01-01T00:00:00Z'}";

  static List<Way> ways() {
    return Conversions.waysOf(COHORT);
  }

  static Stream<Arguments> parents() {
    return ways().stream()
        .flatMap(
            way ->
                Stream.of(
                        "'p'", "''", "null", "7", "[]", "{'x':[1.0]}", "'" + "p".repeat(253) + "'")
                    .map(parent -> arguments(way, parent)));
  }

  @ParameterizedTest
  @MethodSource("parents")
  void movesTheParentWhateverItIsToTheNameOfTheVersion(Way way, String parent) {
    String body = "'metadata':{'name':'a'},'spec':{'fairSharing':{'weight':'0'},'%s':%s,'x':{}}";
    String before = object(COHORT, way.from(), body.formatted(parentAt(way.from()), parent));

    for (Mode mode : Mode.values()) {
      var result = converted(mode, before, way.to());

      assertThat(written(result.object()))
          .isEqualTo(object(COHORT, way.to(), body.formatted(parentAt(way.to()), parent)));
      assertThat(result.warnings()).isEmpty();
      assertThat(carried(written(result.object()), way.from())).isEqualTo(before);
    }
  }

  static Stream<Arguments> alike() {
    return ways().stream()
        .flatMap(
            way ->
                Stream.of(
                        "",
                        ",'spec':null",
                        ",'spec':{}",
                        ",'spec':[{'parent':'p'}]",
                        ",'spec':{'inner':{'parent':'p','parentName':'q'}}",
                        ",'parent':'p','parentName':'q'",
                        ",'spec':{},'status':null",
                        ",'spec':{},'status':{}",
                        ",'spec':{},'status':{'fairSharing':{}}",
                        ",'spec':{},'status':{'fairSharing':{'weightedShare':9223372036854775807}}",
                        ",'spec':{},'status':{'conditions':[{'type':'Active'}]}",
                        ",'spec':{},'status':{'fairSharing':[{" + ADMISSION + "}]}",
                        ",'spec':{},'status':{" + ADMISSION + "}",
                        ",'spec':" + specWithQuantitiesAsWritten(),
                        ",'spec':" + specWithFlavors(17),
                        ",'zone':{'unknown':1e400}")
                    .map(rest -> arguments(way, rest)));
  }

  @ParameterizedTest
  @MethodSource("alike")
  void copiesEverythingElseAsItIsWritten(Way way, String rest) {
    String body = "'metadata':{'name':'a'}" + rest;

    for (Mode mode : Mode.values()) {
      assertThat(written(converted(mode, object(COHORT, way.from(), body), way.to()).object()))
          .isEqualTo(object(COHORT, way.to(), body));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"'p'|'q'", "'p'|'p'", "''|'q'", "null|'q'", "'p'|null", "{}|[]"})
  void letsTheParentOfTheVersionWinAndKeepsTheOther(String parent, String parentName) {
    String alpha =
        object(
            COHORT,
            V1ALPHA1,
            "'metadata':{},'spec':{'parent':%s,'parentName':%s}".formatted(parent, parentName));
    String entries = "{'parent':{'parent':%s,'parentName':%s}}".formatted(parent, parentName);

    for (ApiVersion beta : List.of(V1BETA1, V1BETA2)) {
      String up = carried(alpha, beta);
      String down = carried(alpha.replace("v1alpha1", beta.text()), V1ALPHA1);

      assertThat(up)
          .isEqualTo(noted(beta, V1ALPHA1, entries, "'spec':{'parentName':%s}".formatted(parent)));
      assertThat(down)
          .isEqualTo(
              noted(V1ALPHA1, V1BETA1, entries, "'spec':{'parent':%s}".formatted(parentName)));
      assertThat(carried(up, V1ALPHA1)).isEqualTo(alpha);
      assertThat(carried(down, V1BETA1)).isEqualTo(alpha.replace("v1alpha1", "v1beta1"));
    }
  }

  @Test
  void keepsAParentThatStandsAloneUnderTheTargetsName() {
    String alpha = object(COHORT, V1ALPHA1, "'metadata':{},'spec':{'parentName':'q'}");
    String beta = object(COHORT, V1BETA1, "'metadata':{},'spec':{'parent':'p'}");

    assertThat(carried(alpha, V1BETA1))
        .isEqualTo(
            noted(V1BETA1, V1ALPHA1, "{'parent':{'parentName':'q'}}", "'spec':{'parentName':'q'}"));
    assertThat(carried(beta, V1ALPHA1))
        .isEqualTo(noted(V1ALPHA1, V1BETA1, "{'parent':{'parent':'p'}}", "'spec':{'parent':'p'}"));
    assertThat(carried(carried(alpha, V1BETA2), V1ALPHA1)).isEqualTo(alpha);
    assertThat(carried(carried(beta, V1ALPHA1), V1BETA1)).isEqualTo(beta);
  }

  @ParameterizedTest
  @CsvSource({
    "V1ALPHA1, V1BETA1, spec.parent",
    "V1ALPHA1, V1BETA2, spec.parent",
    "V1BETA1, V1ALPHA1, spec.parentName",
    "V1BETA2, V1ALPHA1, spec.parentName",
  })
  void refusesTwoDifferentParentsAndNamesBoth(ApiVersion from, ApiVersion to, String field) {
    String object =
        object(COHORT, from, "'metadata':{'name':'a'},'spec':{'parent':'p','parentName':'q'}");

    assertThat(refusal(Mode.FAIL, object, to))
        .isEqualTo(
            "Cohort \"a\": %s: parent is \"p\" but parentName is \"q\" (expected: only one of them)"
                .formatted(field));
  }

  @Test
  void refusesTwoParentsOfWhichOneIsNullOrEndless() {
    String object = "'metadata':{'name':'a'},'spec':{'parent':%s,'parentName':'q'}";

    assertThat(refusal(Mode.FAIL, object(COHORT, V1ALPHA1, object.formatted("null")), V1BETA1))
        .contains("parent is null but parentName is \"q\"");
    assertThat(
            refusal(
                Mode.FAIL,
                object(COHORT, V1ALPHA1, object.formatted("'" + "p".repeat(9_999) + "'")),
                V1BETA1))
        .hasSizeLessThan(300);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void doesNotRefuseTheSameParentTwice(Way way) {
    String object = object(COHORT, way.from(), "'spec':{'parent':'p','parentName':'\\u0070'}");

    assertThat(converted(Mode.FAIL, object, way.to()).kind()).isEqualTo("Cohort");
  }

  @ParameterizedTest
  @CsvSource({"V1BETA1, V1BETA2", "V1BETA2, V1BETA1"})
  void leavesBothNamesAloneBetweenVersionsThatShareThem(ApiVersion from, ApiVersion to) {
    String body = "'metadata':{},'spec':{'parent':'p','parentName':'q'}";

    for (Mode mode : Mode.values()) {
      assertThat(written(converted(mode, object(COHORT, from, body), to).object()))
          .isEqualTo(object(COHORT, to, body));
    }
  }

  @Test
  void letsAParentThatWasEditedWin() {
    String alpha = object(COHORT, V1ALPHA1, "'metadata':{},'spec':{'parent':'p','parentName':'q'}");

    for (ApiVersion beta : List.of(V1BETA1, V1BETA2)) {
      String edited =
          carried(alpha, beta).replace(json("'parentName':'p'}}"), json("'parentName':'r'}}"));

      assertThat(carried(edited, V1ALPHA1))
          .isEqualTo(object(COHORT, V1ALPHA1, "'metadata':{},'spec':{'parent':'r'}"));
    }
  }

  @Test
  void convertsTheWorkedExamples() {
    String alpha =
        object(
            COHORT,
            V1ALPHA1,
            "'metadata':{},'spec':{'parent':'p'},'status':{'fairSharing':{%s,'weightedShare':1}}"
                .formatted(ADMISSION));

    String beta2 = carried(alpha, V1BETA2);

    assertThat(beta2)
        .isEqualTo(
            noted(
                V1BETA2,
                V1BETA1,
                "{'admissionFairSharingStatus':{%s},'statusDigest':'512280bd51461ba5'}"
                    .formatted(ADMISSION),
                "'spec':{'parentName':'p'},'status':{'fairSharing':{'weightedShare':1}}"));
    assertThat(carried(beta2, V1ALPHA1)).isEqualTo(alpha);
    assertThat(carried(carried(beta2, V1BETA1), V1ALPHA1)).isEqualTo(alpha);
    assertThat(
            carried(
                object(COHORT, V1ALPHA1, "'metadata':{},'spec':{'parent':'p','parentName':'q'}"),
                V1BETA1))
        .isEqualTo(
            noted(
                V1BETA1,
                V1ALPHA1,
                "{'parent':{'parent':'p','parentName':'q'}}",
                "'spec':{'parentName':'p'}"));
  }

  @Test
  void goesFromAlphaToBeta2InTwoStepsThatCanBeTakenOneByOne() {
    String alpha =
        object(
            COHORT,
            V1ALPHA1,
            "'metadata':{'annotations':{}},'spec':{'parent':'p','parentName':'q'},"
                + "'status':{'fairSharing':{%s}}".formatted(ADMISSION));

    String beta2 = carried(alpha, V1BETA2);

    assertThat(beta2).isEqualTo(carried(carried(alpha, V1BETA1), V1BETA2));
    assertThat(beta2).contains("from-v1alpha1", "from-v1beta1", "{\\\"annotations\\\":{},");
    assertThat(carried(beta2, V1ALPHA1)).isEqualTo(alpha);
    assertThat(carried(carried(beta2, V1BETA1), V1ALPHA1)).isEqualTo(alpha);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'weightedShare':2", "", "'more':1,'weightedShare':1"})
  void dropsTheKeptStatusOnceSomebodyWroteTheStatus(String written) {
    String beta1 =
        object(
            COHORT,
            V1BETA1,
            "'metadata':{},'status':{'fairSharing':{%s,'weightedShare':1}}".formatted(ADMISSION));

    String edited = carried(beta1, V1BETA2).replace(json("'weightedShare':1"), json(written));

    assertThat(carried(edited, V1BETA1))
        .isEqualTo(
            object(
                COHORT, V1BETA1, "'metadata':{},'status':{'fairSharing':{" + json(written) + "}}"));
  }

  @Test
  void keepsTheStatusWhenOnlyTheSpecWasWritten() {
    String beta1 =
        object(
            COHORT,
            V1BETA1,
            "'metadata':{},'spec':{'parentName':'p'},'status':{'fairSharing':{%s}}"
                .formatted(ADMISSION));

    String edited = carried(beta1, V1BETA2).replace(json("'p'"), json("'r'"));

    assertThat(carried(edited, V1BETA1)).isEqualTo(beta1.replace(json("'p'"), json("'r'")));
  }

  @Test
  void losesNoParentWhenAnnotationsAreFullAndSaysWhatItLost() {
    String full = "x".repeat(262_100);
    String alpha =
        object(
            COHORT,
            V1ALPHA1,
            "'metadata':{'annotations':{'p':'%s'},'name':'a'},'spec':{'parent':'p','parentName':'q'}"
                .formatted(full));

    var result = converted(Mode.CARRY, alpha, V1BETA2);

    assertThat(written(result.object())).contains(json("'spec':{'parentName':'p'}"));
    assertThat(result.warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(Reason.NOTE_DROPPED);
  }

  private static String parentAt(ApiVersion version) {
    return version == V1ALPHA1 ? "parent" : "parentName";
  }

  private static String noted(ApiVersion at, ApiVersion from, String entries, String rest) {
    return object(COHORT, at, "'metadata':{'annotations':{@}}," + rest)
        .replace("@", note(from, entries));
  }

  private static String specWithQuantitiesAsWritten() {
    return "{'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':["
        + "{'borrowingLimit':0,'lendingLimit':'1024Mi','name':'cpu','nominalQuota':'1000'},"
        + "{'nominalQuota':0.50},{'nominalQuota':1e3},{'nominalQuota':9223372036854775807}]}]}]}";
  }

  private static String specWithFlavors(int count) {
    return "{'resourceGroups':[{'flavors':[%s]}]}"
        .formatted(
            IntStream.range(0, count).mapToObj("{'name':'f%d'}"::formatted).collect(joining(",")));
  }
}
