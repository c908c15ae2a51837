package dev.sluice.webhook.rules.topology;

import static dev.sluice.api.ApiKind.TOPOLOGY;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.object;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.Denial;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyRulesTest {
  private static final String HOST = "kubernetes.io/hostname";
  private static final JsonNode NO_SPEC = json("{'metadata':{'name':'a'}}");

  static Stream<Arguments> accepted() {
    return Stream.of(
        Arguments.of("TO-01 one level", levels("rack")),
        Arguments.of("TO-01 16 levels", levels(numbered(16))),
        Arguments.of(
            "TO-02 upper case in the name", levels("Not_A_Name", "example.com/rack", HOST)),
        Arguments.of("TO-04 host name last", levels("block", "rack", HOST)),
        Arguments.of("TO-04 host name alone", levels(HOST)),
        Arguments.of("OPP-21 63 characters", levels("example.com/" + "r".repeat(51))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("accepted")
  void accepts(String rule, JsonNode topology) {
    assertThat(onCreate(TOPOLOGY, topology).violations()).isEmpty();
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("OPP-01 no spec", NO_SPEC, "REQUIRED spec.levels"),
        Arguments.of("OPP-01 null spec", object("null"), "REQUIRED spec.levels"),
        Arguments.of("TO-01 levels absent", object("{}"), "REQUIRED spec.levels"),
        Arguments.of("TO-01 levels null", object("{'levels':null}"), "REQUIRED spec.levels"),
        Arguments.of("TO-01 levels empty", levels(), "INVALID spec.levels"),
        Arguments.of("TO-01 17 levels", levels(numbered(17)), "TOO_MANY spec.levels"),
        Arguments.of("wrong type", object("{'levels':{}}"), "INVALID spec.levels"),
        Arguments.of("wrong type", object("[]"), "INVALID spec"),
        Arguments.of("wrong type", object("{'levels':['rack']}"), "INVALID spec.levels[0]"),
        Arguments.of("null level", object("{'levels':[null]}"), "REQUIRED spec.levels[0]"),
        Arguments.of(
            "TO-02 no label", object("{'levels':[{}]}"), "REQUIRED spec.levels[0].nodeLabel"),
        Arguments.of(
            "wrong type",
            object("{'levels':[{'nodeLabel':3}]}"),
            "INVALID spec.levels[0].nodeLabel"),
        Arguments.of("TO-02 empty label", levels("x", ""), "INVALID spec.levels[1].nodeLabel"),
        Arguments.of("TO-02 no label key", levels("a b"), "INVALID spec.levels[0].nodeLabel"),
        Arguments.of(
            "OPP-20 name part of 64", levels("r".repeat(64)), "INVALID spec.levels[0].nodeLabel"),
        Arguments.of(
            "OPP-21 64 characters in all",
            levels("example.com/" + "r".repeat(52)),
            "INVALID spec.levels[0].nodeLabel"),
        Arguments.of("TO-03 twice", levels("x", "y", "x"), "DUPLICATE spec.levels[2].nodeLabel"),
        Arguments.of(
            "TO-04 host name not last", levels(HOST, "x"), "INVALID spec.levels[0].nodeLabel"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("refused")
  void refuses(String rule, JsonNode topology, String fault) {
    assertThat(faults(onCreate(TOPOLOGY, topology))).isNotEmpty().containsOnly(fault);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of("TO-05 unchanged", levels("x", "y"), levels("x", "y"), List.of()),
        Arguments.of(
            "TO-05 changed", levels("x", "y"), levels("x", "z"), List.of("INVALID spec.levels")),
        Arguments.of(
            "TO-05 reordered", levels("x", "y"), levels("y", "x"), List.of("INVALID spec.levels")),
        Arguments.of(
            "TO-05 host name added",
            levels("x"),
            levels("x", HOST),
            List.of("INVALID spec.levels")),
        Arguments.of(
            "TO-05 host name removed",
            levels("x", HOST),
            levels("x"),
            List.of("INVALID spec.levels")),
        Arguments.of(
            "TO-05 renamed above the host name", levels("x", HOST), levels("y", HOST), List.of()),
        Arguments.of("TO-05 added above the host name", levels(HOST), levels("x", HOST), List.of()),
        Arguments.of(
            "TO-05 removed above the host name", levels("x", HOST), levels(HOST), List.of()),
        Arguments.of(
            "TO-04 and TO-05",
            levels("x", HOST),
            levels(HOST, "x"),
            List.of("INVALID spec.levels[0].nodeLabel", "INVALID spec.levels")),
        Arguments.of("TO-01 emptied", levels("x", HOST), levels(), List.of("INVALID spec.levels")),
        Arguments.of("TO-01 removed", levels("x"), object("{}"), List.of("REQUIRED spec.levels")),
        Arguments.of("OPP-02 spec removed", levels("x"), NO_SPEC, List.of("FORBIDDEN spec")),
        Arguments.of("OPP-02 spec nulled", levels("x"), object("null"), List.of("FORBIDDEN spec")),
        Arguments.of("a spec at last", NO_SPEC, levels("x"), List.of()),
        Arguments.of("levels at last", levels(), levels("x"), List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void judgesAnUpdateByBothObjects(String rule, JsonNode old, JsonNode now, List<String> faults) {
    assertThat(faults(onUpdate(TOPOLOGY, old, now))).isEqualTo(faults);
  }

  static Stream<Arguments> grandfathered() {
    String tooLong = "r".repeat(64);
    return Stream.of(
        Arguments.of("OPP-01", NO_SPEC, NO_SPEC),
        Arguments.of("TO-01", levels(), levels()),
        Arguments.of("TO-01", levels(numbered(17)), levels(numbered(17))),
        Arguments.of("TO-02", levels("a b"), levels("a b")),
        Arguments.of("TO-03", levels("x", "x"), levels("x", "x")),
        Arguments.of("TO-04", levels(HOST, "x"), levels(HOST, "x")),
        Arguments.of("OPP-20", levels(tooLong, "x", HOST), levels(tooLong, "y", HOST)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("grandfathered")
  void warnsOfAFaultThatWasThereBefore(String rule, JsonNode old, JsonNode now) {
    ValidationResult findings = onUpdate(TOPOLOGY, old, now);

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.warnings()).anyMatch(it -> it.startsWith("spec.levels"));
  }

  @Test
  void refusesAFaultThatMovesOrChanges() {
    String tooLong = "r".repeat(300);
    var old = levels(tooLong + "1", HOST);

    assertThat(onUpdate(TOPOLOGY, old, levels("x", tooLong + "1", HOST)).refuse()).isTrue();
    assertThat(onUpdate(TOPOLOGY, old, levels(tooLong + "2", HOST)).refuse()).isTrue();
  }

  @Test
  @DisplayName("OPP-22 a permitted change of levels warns")
  void warnsWhenLevelsChange() {
    ValidationResult findings = onUpdate(TOPOLOGY, levels("x", HOST), levels("y", HOST));

    assertThat(findings.warnings())
        .containsExactly(
            "spec.levels changed: what is placed already stays placed by the levels before");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                       | spec.levels: Required value: must be a list of 1 to 16 items
          null                                     | spec.levels: Required value: there is no spec (expected: a list of 1 to 16 levels, top first)
          {'levels':[]}                            | spec.levels: Invalid value: []: must have at least one item
          {'levels':[{}]}                          | spec.levels[0].nodeLabel: Required value: must be the key of a Node label
          {'levels':[{'nodeLabel':'a b'}]}         | spec.levels[0].nodeLabel: Invalid value: "a b": must be the key of a Node label: the name part must start and end with a letter or digit and may have only letters, digits, '-', '_' and '.' between
          {'levels':[{'nodeLabel':'kubernetes.io/hostname'},{'nodeLabel':'x'}]} | spec.levels[0].nodeLabel: Invalid value: "kubernetes.io/hostname": may only be the last, lowest level
          """)
  void saysWhatIsWrongWhereAndWhatWasExpected(String spec, String text) {
    var input = new RuleInput(Operation.CREATE, object(spec), null, ReviewContext.UNKNOWN);

    var denial =
        Denial.of(TOPOLOGY.groupKind(), input, onCreate(TOPOLOGY, object(spec))).orElseThrow();

    assertThat(denial.message()).isEqualTo("Topology \"a\" is invalid: " + text);
  }

  @Test
  void showsTheLevelsBeforeAndAfter() {
    assertThat(onUpdate(TOPOLOGY, levels("x"), levels("y")).violations())
        .extracting(FieldError::text)
        .containsExactly(
            "spec.levels: Invalid value: [{\"nodeLabel\":\"y\"}]: may only change while"
                + " kubernetes.io/hostname is the last level before and after;"
                + " before: [{\"nodeLabel\":\"x\"}]");
  }

  private static JsonNode levels(String... labels) {
    return object(
        Stream.of(labels)
            .map(label -> "{'nodeLabel':'" + label + "'}")
            .collect(Collectors.joining(",", "{'levels':[", "]}")));
  }

  private static String[] numbered(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toArray(String[]::new);
  }
}
