package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiKind.TOPOLOGY;
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

import dev.sluice.conversion.Conversions;
import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.ConversionWarning.Reason;
import dev.sluice.conversion.step.Mode;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of what becomes of a Topology, in all six directions and both modes. */
class TopologyConversionTest {
  private static final String METADATA = "'metadata':{'name':'a'}";

  static List<Way> ways() {
    return Conversions.waysOf(TOPOLOGY);
  }

  private static Stream<Arguments> onEveryWay(String... bodies) {
    return ways().stream().flatMap(way -> Stream.of(bodies).map(body -> arguments(way, body)));
  }

  static Stream<Arguments> sound() {
    return Stream.concat(
        onEveryWay(
            "'spec':{'levels':[{'nodeLabel':'kubernetes.io/hostname'}]}",
            "'spec':{'levels':[{'nodeLabel':'z'},{'nodeLabel':'y'},{'nodeLabel':'a'}]}",
            "'spec':{'levels':[{'nodeLabel':'kubernetes.io/hostname'},{'nodeLabel':'rack'}]}",
            "'spec':{'levels':[{'nodeLabel':'a'},{'nodeLabel':'a'}]}",
            "'spec':{'levels':[{'nodeLabel':''}]}",
            "'spec':{'levels':[{'extra':1.0,'nodeLabel':'a'}],'more':[null]}",
            "'spec':{'levels':[{'nodeLabel':'a'}]},'status':{'levels':[]},'zone':null",
            "'levels':[],'spec':{'levels':[{'nodeLabel':'a'}]}",
            "'levels':['a',1],'name':'n','spec':{'levels':[{'nodeLabel':'a'}]}",
            "'levels':[{'nodeLabel':'a'}],'spec':{'levels':[{'nodeLabel':'a'}]}",
            "'levels':'a','spec':{'levels':[{'nodeLabel':'a'}]}",
            "'levels':null,'spec':{'levels':[{'nodeLabel':'a'}]}",
            "'name':'n','spec':{'levels':[{'nodeLabel':'a'}]}"),
        Stream.of(1, 8, 9, 16, 17)
            .flatMap(
                count ->
                    onEveryWay(
                        "'spec':{'levels':[%s]}"
                            .formatted(
                                IntStream.range(0, count)
                                    .mapToObj("{'nodeLabel':'l%d'}"::formatted)
                                    .collect(joining(","))))));
  }

  @ParameterizedTest
  @MethodSource("sound")
  void copiesWhatHasLevelsAndChangesOnlyTheVersion(Way way, String body) {
    for (Mode mode : Mode.values()) {
      var result = converted(mode, before(way, body), way.to());

      assertThat(written(result.object())).isEqualTo(after(way, body));
      assertThat(result.warnings()).isEmpty();
      assertThat(result.from()).isEqualTo(way.from().text());
      assertThat(result.name()).isEqualTo("a");
    }
  }

  static Stream<Arguments> missing() {
    return onEveryWay(
        "",
        "'spec':null",
        "'spec':{}",
        "'spec':{'levels':null}",
        "'spec':{'levels':[]}",
        "'spec':{'other':1}",
        "'levels':[],'spec':{}",
        "'levels':[1]",
        "'levels':{'a':'b'},'spec':null");
  }

  @ParameterizedTest
  @MethodSource("missing")
  void carriesATopologyWithoutLevelsAsItIsAndRemarksOnce(Way way, String body) {
    var result = converted(Mode.CARRY, before(way, body), way.to());

    assertThat(written(result.object())).isEqualTo(after(way, body));
    assertThat(reasons(result.warnings())).containsExactly(Reason.LEVELS_MISSING);
    assertThat(carried(written(result.object()), way.from())).isEqualTo(before(way, body));
  }

  @ParameterizedTest
  @MethodSource("missing")
  void refusesATopologyWithoutLevelsAndSaysWhatToDo(Way way, String body) {
    assertThat(refusal(Mode.FAIL, before(way, body), way.to()))
        .isEqualTo(
            "Topology \"a\": spec.levels: at least one level is required (an object like this may"
                + " stem from Kueue 0.11.0-0.11.2); give it levels or delete it");
  }

  static Stream<Arguments> malformed() {
    return ways().stream()
        .flatMap(
            way ->
                Stream.of(
                    arguments(way, "'spec':'x'", "spec: is not an object"),
                    arguments(way, "'spec':[]", "spec: is not an object"),
                    arguments(way, "'spec':7", "spec: is not an object"),
                    arguments(way, "'spec':{'levels':'x'}", "spec.levels: is not a list"),
                    arguments(way, "'spec':{'levels':{}}", "spec.levels: is not a list"),
                    arguments(way, "'spec':{'levels':0}", "spec.levels: is not a list"),
                    arguments(way, "'spec':{'levels':['a']}", "spec.levels[0]: is a string"),
                    arguments(way, "'spec':{'levels':[null]}", "spec.levels[0]: is null"),
                    arguments(way, "'spec':{'levels':[{}]}", "spec.levels[0].nodeLabel: is absent"),
                    arguments(
                        way,
                        "'spec':{'levels':[{'nodeLabel':'a'},{'nodeLabel':null}]}",
                        "spec.levels[1].nodeLabel: is null"),
                    arguments(
                        way,
                        "'spec':{'levels':[{'nodeLabel':'a'},{'nodeLabel':'b'},{'nodeLabel':7},[]]}",
                        "spec.levels[2].nodeLabel: is a number")));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void carriesMalformedLevelsAsTheyAreAndRemarksOnce(Way way, String body, String problem) {
    var result = converted(Mode.CARRY, before(way, body), way.to());

    assertThat(written(result.object())).isEqualTo(after(way, body));
    assertThat(result.warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.reason()).isEqualTo(Reason.LEVELS_MALFORMED);
              assertThat(warning.field() + ": " + warning.detail()).startsWith(problem);
            });
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void refusesMalformedLevelsWithTheirIndex(Way way, String body, String problem) {
    assertThat(refusal(Mode.FAIL, before(way, body), way.to()))
        .startsWith("Topology \"a\": " + problem);
  }

  static Stream<Arguments> repairable() {
    return ways().stream()
        .flatMap(
            way ->
                Stream.of(
                    arguments(way, "'levels':['a'],'name':'t'", "{%s}"),
                    arguments(way, "'levels':['a'],'name':null,'spec':null", "{%s}"),
                    arguments(way, "'levels':['a'],'spec':{}", "{%s}"),
                    arguments(way, "'levels':['a'],'spec':{'levels':null}", "{%s}"),
                    arguments(way, "'levels':['a'],'spec':{'levels':[]}", "{%s}"),
                    arguments(way, "'levels':['a'],'spec':{'x':1}", "{%s,'x':1}"),
                    arguments(way, "'levels':['a'],'spec':{'a':1}", "{'a':1,%s}")));
  }

  @ParameterizedTest
  @MethodSource("repairable")
  void movesLevelsFromTheRootToTheSpecForGood(Way way, String body, String spec) {
    String repaired = "'spec':" + spec.formatted("'levels':[{'nodeLabel':'a'}]");

    for (Mode mode : Mode.values()) {
      var result = converted(mode, before(way, body), way.to());

      assertThat(written(result.object())).isEqualTo(after(way, repaired));
      assertThat(reasons(result.warnings())).containsExactly(Reason.LEVELS_REPAIRED);
      assertThat(carried(written(result.object()), way.from())).isEqualTo(before(way, repaired));
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void repairsLevelsInTheirOrderWithTheirDuplicates(Way way) {
    assertThat(carried(before(way, "'levels':['z','a','\\u00e9','a']"), way.to()))
        .isEqualTo(
            after(
                way,
                "'spec':{'levels':[{'nodeLabel':'z'},{'nodeLabel':'a'},{'nodeLabel':'é'},"
                    + "{'nodeLabel':'a'}]}"));
  }

  static Stream<Arguments> saidTwice() {
    return onEveryWay(
        "'levels':['a','b'],'spec':{'levels':[{'nodeLabel':'a'},{'nodeLabel':'b'}]}",
        "'levels':['a','b'],'name':'t','spec':{'levels':[{'nodeLabel':'a'},{'nodeLabel':'b'}]}");
  }

  @ParameterizedTest
  @MethodSource("saidTwice")
  void dropsLevelsAtTheRootThatSayTheSame(Way way, String body) {
    String clean = "'spec':{'levels':[{'nodeLabel':'a'},{'nodeLabel':'b'}]}";

    for (Mode mode : Mode.values()) {
      var result = converted(mode, before(way, body), way.to());

      assertThat(written(result.object())).isEqualTo(after(way, clean));
      assertThat(result.warnings()).isEmpty();
      assertThat(carried(written(result.object()), way.from())).isEqualTo(before(way, clean));
    }
  }

  static Stream<Arguments> contradicting() {
    return ways().stream()
        .flatMap(
            way ->
                Stream.of(
                        "{'levels':[{'nodeLabel':'b'}]}",
                        "{'levels':[{'nodeLabel':'a'},{'nodeLabel':'b'}]}",
                        "{'levels':[{'nodeLabel':1}]}",
                        "{'levels':['a']}",
                        "{'levels':'a'}",
                        "'a'",
                        "[]",
                        "['a']",
                        "false")
                    .map(spec -> arguments(way, spec)));
  }

  @ParameterizedTest
  @MethodSource("contradicting")
  void notesContradictingLevelsAndBringsThemBack(Way way, String spec) {
    String body = "'levels':['a'],%s,'name':{'x':1},'spec':" + spec;
    String before = object(TOPOLOGY, way.from(), body.formatted(METADATA));

    var result = converted(Mode.CARRY, before, way.to());

    assertThat(written(result.object()))
        .isEqualTo(
            object(TOPOLOGY, way.to(), "'metadata':{'annotations':{@},'name':'a'},'spec':" + spec)
                .replace("@", note(way.from(), "{'rootLevels':{'levels':['a'],'name':{'x':1}}}")));
    assertThat(reasons(result.warnings())).contains(Reason.LEVELS_CONTRADICT);
    assertThat(carried(written(result.object()), way.from())).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("contradicting")
  void refusesContradictingLevelsAndNamesBothPlaces(Way way, String spec) {
    String before =
        object(TOPOLOGY, way.from(), "'levels':['a'],%s,'spec':".formatted(METADATA) + spec);

    assertThat(refusal(Mode.FAIL, before, way.to()))
        .startsWith("Topology \"a\": spec.levels: differs from levels at the root");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void doesNotBringLevelsBackThatNoLongerContradict(Way way) {
    String contradicting = "'levels':['a'],'spec':{'levels':[{'nodeLabel':'b'}]}";
    String there = carried(before(way, contradicting), way.to());

    String agreed = there.replace(json("'nodeLabel':'b'"), json("'nodeLabel':'a'"));
    String emptied = there.replace(json("{'nodeLabel':'b'}"), "");
    String named = there.replace(json(",'spec'"), json(",'name':'n','spec'"));

    assertThat(carried(agreed, way.from()))
        .isEqualTo(before(way, "'spec':{'levels':[{'nodeLabel':'a'}]}"));
    assertThat(carried(emptied, way.from())).isEqualTo(before(way, "'spec':{'levels':[]}"));
    assertThat(carried(named, way.from()))
        .isEqualTo(before(way, "'name':'n','spec':{'levels':[{'nodeLabel':'b'}]}"));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void ignoresAnEntryThatIsNoSetOfRootLevels(Way way) {
    for (String entry :
        List.of("7", "{}", "{'levels':[]}", "{'levels':[1]}", "{'levels':['a'],'spec':{}}")) {
      String body =
          "'metadata':{'annotations':{@},'name':'a'},'spec':{'levels':[{'nodeLabel':'b'}]}";
      String before =
          object(TOPOLOGY, way.from(), body)
              .replace("@", note(V1BETA1, "{'rootLevels':" + entry + "}"));

      var result = converted(Mode.CARRY, before, V1BETA1 == way.from() ? way.to() : V1BETA1);

      assertThat(written(result.object())).doesNotContain("rootLevels");
      assertThat(reasons(result.warnings()))
          .isEqualTo(way.from() == V1BETA1 ? List.of() : List.of(Reason.NOTE_IGNORED));
    }
  }

  @Test
  void keepsARootNameAsDeepAsTheDoorLetsThrough() {
    int depth = 255;
    String deep = "[".repeat(depth) + "]".repeat(depth);
    String before =
        object(
            TOPOLOGY,
            V1BETA1,
            "'levels':['a'],%s,'name':%s,'spec':{'levels':[{'nodeLabel':'b'}]}"
                .formatted(METADATA, deep));

    assertThat(carried(carried(before, V1BETA2), V1BETA1)).isEqualTo(before);
  }

  @Test
  void convertsTheWorkedExamples() {
    assertThat(
            carried(object(TOPOLOGY, V1BETA1, "'levels':['a'],'metadata':{},'name':'t'"), V1BETA2))
        .isEqualTo(
            object(TOPOLOGY, V1BETA2, "'metadata':{},'spec':{'levels':[{'nodeLabel':'a'}]}"));
    assertThat(
            carried(
                object(
                    TOPOLOGY,
                    V1BETA1,
                    "'levels':['a'],'metadata':{},'spec':{'levels':[{'nodeLabel':'b'}]}"),
                V1BETA2))
        .isEqualTo(
            object(
                    TOPOLOGY,
                    V1BETA2,
                    "'metadata':{'annotations':{@}},'spec':{'levels':[{'nodeLabel':'b'}]}")
                .replace("@", note(V1BETA1, "{'rootLevels':{'levels':['a']}}")));
  }

  @Test
  void passesAProbeThrough() {
    for (Mode mode : Mode.values()) {
      assertThat(written(converted(mode, object(TOPOLOGY, V1ALPHA1, ""), V1BETA2).object()))
          .isEqualTo(object(TOPOLOGY, V1BETA2, ""));
    }
  }

  @Test
  void treatsMetadataAloneAsALeftOverAndNotAsAProbe() {
    String leftOver = object(TOPOLOGY, V1ALPHA1, METADATA);

    assertThat(carried(leftOver, V1BETA2)).isEqualTo(object(TOPOLOGY, V1BETA2, METADATA));
    assertThat(refusal(Mode.FAIL, leftOver, V1BETA2)).contains("0.11.0-0.11.2");
  }

  private static String before(Way way, String body) {
    return ordered(way, true, body);
  }

  private static String after(Way way, String body) {
    return ordered(way, false, body);
  }

  /** The object with metadata at its place among sorted members. */
  private static String ordered(Way way, boolean before, String body) {
    int after = body.startsWith("'levels'") ? endOfFirst(body) : 0;
    String head = body.substring(0, after);
    String tail = body.substring(after);
    String members =
        Stream.of(head, METADATA, tail.startsWith(",") ? tail.substring(1) : tail)
            .filter(part -> !part.isEmpty())
            .collect(joining(","));
    return object(TOPOLOGY, before ? way.from() : way.to(), members);
  }

  private static int endOfFirst(String body) {
    int depth = 0;
    for (int i = 0; i < body.length(); i++) {
      char c = body.charAt(i);
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
      if (c == ',' && depth == 0) {
        return i;
      }
    }
    return body.length();
  }

  private static List<Reason> reasons(Set<ConversionWarning> warnings) {
    return warnings.stream().map(ConversionWarning::reason).toList();
  }
}
