package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Conversions.converted;
import static dev.sluice.conversion.Conversions.object;
import static dev.sluice.conversion.Conversions.refusal;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.quoted;
import static dev.sluice.conversion.Texts.sorted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.step.ConversionWarning;
import dev.sluice.conversion.step.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Assignments of many domains, and of more than can be. */
class TopologyAssignmentTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration BOUND = Duration.ofMinutes(1);

  static LongStream seeds() {
    return LongStream.range(0, 400);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void slicesStandForExactlyTheDomainsThatWereThere(long seed) throws Exception {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    int levels = random.nextInt(4);
    List<String> pieces =
        List.of("", "a", "b", "-", "ab", "aba", "\ud83d\ude00", "\ud83e\ude00", "é");
    String domains =
        list(
            random.nextInt(7),
            i ->
                domain(
                    random.nextInt(3) == 0 ? i : 1,
                    IntStream.range(0, levels)
                        .mapToObj(_ -> pick(pieces, random) + "a" + pick(pieces, random))
                        .toList()));
    String before = workload(V1BETA1, list(levels, i -> quoted("l" + i)), domains);

    String there = carried(before, V1BETA2);

    assertThat(expanded(assignment(there))).isEqualTo(assignment(before).get("domains"));
    assertThat(there).doesNotContain("conversion.kueue.x-k8s.io").doesNotContain("\\ud");
    assertThat(sorted(carried(there, V1BETA1))).isEqualTo(sorted(before));
  }

  @Test
  void fortyThousandHostnamesOfSeveralPoolsGoThereAndBack() throws Exception {
    String before =
        workload(
            V1BETA1,
            "[\"block\",\"kubernetes.io/hostname\"]",
            list(
                40_000,
                i -> domain(1 + i % 2, List.of("b" + i / 10_000, "pool-" + i % 7 + "-node-" + i))));

    String there = carried(before, V1BETA2);

    assertThat(assignment(there).get("slices")).hasSize(1);
    assertThat(expanded(assignment(there))).isEqualTo(assignment(before).get("domains"));
    assertThat(there.length()).isLessThan(before.length() / 2);
    assertThat(carried(there, V1BETA1)).isEqualTo(sorted(before));
  }

  @Test
  void moreDomainsThanASliceMayHaveAreSplitOnTheWayUp() throws Exception {
    String before = workload(V1BETA1, "[\"l\"]", list(100_001, i -> domain(1, List.of("n" + i))));

    String there = carried(before, V1BETA2);

    JsonNode slices = assignment(there).get("slices");
    assertThat(slices).hasSize(2);
    assertThat(slices.get(0).get("domainCount").asInt()).isEqualTo(100_000);
    assertThat(slices.get(1).get("domainCount").asInt()).isEqualTo(1);
    assertThat(expanded(assignment(there))).isEqualTo(assignment(before).get("domains"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2147483647", // the most the schema allows
    "1, 100001",
    "2, 50001", // more than a hundred thousand in all
    "1000, 100000",
  })
  void moreDomainsThanCanBeAreNotMade(int slices, int domainCount) throws Exception {
    String slice =
        json("{'domainCount':%d,'podCounts':{'universal':1},'valuesPerLevel':[{'universal':'a'}]}")
            .formatted(domainCount);
    String before = workload(V1BETA2, "[\"l\"]", list(slices, _ -> slice));

    String there = assertTimeoutPreemptively(BOUND, () -> carried(before, V1BETA1));

    assertThat(assignment(there).get("domains")).isEmpty();
    assertThat(sorted(carried(there, V1BETA2))).isEqualTo(sorted(before));
  }

  @Test
  void aHundredThousandDomainsAreMade() {
    String slice =
        json(
            "{'domainCount':10000,'podCounts':{'universal':1},"
                + "'valuesPerLevel':[{'universal':'a'}]}");
    String before = workload(V1BETA2, "[\"l\"]", list(10, _ -> slice));

    String there = assertTimeoutPreemptively(BOUND, () -> carried(before, V1BETA1));

    String domain = domain(1, List.of("a"));
    assertThat(there).contains(list(100_000, _ -> domain));
    assertThat(sorted(carried(there, V1BETA2))).isEqualTo(sorted(before));
  }

  @Test
  void manyLevelsOfManyDomainsTakeNoRoomBeforeTheyAreRead() {
    String levels = list(100_000, _ -> "\"\"");
    String domains = list(100_000, _ -> "{}");
    String universal = list(1, _ -> "{\"universal\":\"\"}");
    String slices =
        list(
            10,
            _ ->
                "{\"domainCount\":100000,\"podCounts\":{\"universal\":1},\"valuesPerLevel\":%s}"
                    .formatted(universal));

    assertTimeoutPreemptively(BOUND, () -> carried(workload(V1BETA1, levels, domains), V1BETA2));
    assertTimeoutPreemptively(BOUND, () -> carried(workload(V1BETA2, levels, slices), V1BETA1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'individual':{'prefix':'LONG','roots':ROOTS}}",
        "{'individual':{'suffix':'LONG','roots':ROOTS}}",
        "{'universal':'LONG'}"
      })
  void textThatIsRepeatedTooOftenIsNotMade(String values) throws Exception {
    String long63 = "x".repeat(63);
    String level = json(values).replace("LONG", long63).replace("ROOTS", list(10_000, _ -> "\"\""));
    String slice =
        "{\"domainCount\":10000,\"podCounts\":{\"universal\":1},\"valuesPerLevel\":%s}"
            .formatted(list(16, _ -> level));
    String before = workload(V1BETA2, list(16, i -> "\"l" + i + "\""), list(4, _ -> slice));

    String there = assertTimeoutPreemptively(BOUND, () -> carried(before, V1BETA1));

    assertThat(assignment(there).get("domains")).isEmpty();
  }

  /** Little text here may stand for much there that is no value: counts, quotes and commas. */
  @ParameterizedTest
  @CsvSource({"1, 200", "16, 1"})
  void whatWouldTakeTooMuchRoomWrittenOutIsNotMade(int levels, int digits) throws Exception {
    String level = "{\"universal\":\"a\"}";
    String slice =
        "{\"domainCount\":100000,\"podCounts\":{\"universal\":%s},\"valuesPerLevel\":%s}"
            .formatted("1".repeat(digits), list(levels, _ -> level));
    String before = workload(V1BETA2, list(levels, i -> "\"l" + i + "\""), list(1, _ -> slice));

    String there = assertTimeoutPreemptively(BOUND, () -> carried(before, V1BETA1));

    assertThat(assignment(there).get("domains")).isEmpty();
    assertThat(sorted(carried(there, V1BETA2))).isEqualTo(sorted(before));
  }

  @Test
  void manyAssignmentsWithoutNamesAreNotedInBoundedTime() {
    String items =
        list(60_000, _ -> "{\"topologyRequest\":{\"podsetSliceRequiredTopologyConstraints\":[1]}}");
    String before =
        object(ApiKind.WORKLOAD, V1BETA2, "'metadata':{},'spec':{'podSets':" + items + "}");

    assertTimeoutPreemptively(BOUND, () -> carried(carried(before, V1BETA1), V1BETA2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "v1beta1 | 'levels':5,'domains':[{}] | levels: is a number (expected: a list)",
        "v1beta1 | 'levels':['l',null],'domains':[{}] | levels[1]: is null (expected: a string)",
        "v1beta1 | 'levels':['l'],'domains':{} | domains: is an object (expected: a list)",
        "v1beta1 | 'levels':['l'],'domains':[7] | domains[0]: is a number (expected: an object)",
        "v1beta1 | 'levels':['l'],'domains':[{'count':1}] |"
            + " domains[0].values: is missing (expected: a list)",
        "v1beta1 | 'levels':['l'],'domains':[{'count':1,'values':[]}] |"
            + " domains[0].values: has 0 items (expected: one for each of 1 levels)",
        "v1beta1 | 'levels':['l'],'domains':[{'count':1,'values':[1]}] |"
            + " domains[0].values[0]: is a number (expected: a string)",
        "v1beta1 | 'levels':['l'],'domains':[{'values':['a']}] |"
            + " domains[0].count: is missing (expected: an integer)",
        "v1beta1 | 'levels':['l'],'domains':[{'count':1,'values':['a','b']}] |"
            + " domains[0].values: says more than the domains it stands for",
        "v1beta2 | 'levels':{},'slices':[{'domainCount':1}] |"
            + " levels: is an object (expected: a list)",
        "v1beta2 | 'levels':['l'],'slices':null | slices: is null (expected: a list)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':-1}] |"
            + " slices[0].domainCount: is -1 (expected: 0 to 100000)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':1.5}] |"
            + " slices[0].domainCount: is a number (expected: an integer)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':2147483647}] |"
            + " slices[0].domainCount: is 2147483647 (expected: 0 to 100000)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':1,'valuesPerLevel':[]}] |"
            + " slices[0].valuesPerLevel: has 0 items (expected: one for each of 1 levels)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':1,'valuesPerLevel':[{}]}] |"
            + " slices[0].valuesPerLevel[0].individual: is missing (expected: an object)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':2,'valuesPerLevel':"
            + "[{'individual':{'roots':['a']}}]}] | slices[0].valuesPerLevel[0].individual.roots:"
            + " has 1 items (expected: one for each of 2 domains)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':1,'valuesPerLevel':[{'universal':'a'}],"
            + "'podCounts':{'individual':['1']}}] |"
            + " slices[0].podCounts.individual[0]: is a string (expected: an integer)",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':0,'valuesPerLevel':[{'universal':'a'}],"
            + "'podCounts':{'universal':1}}] |"
            + " slices[0]: says more than the domains it stands for",
        "v1beta2 | 'levels':[],'slices':[{'domainCount':1,'valuesPerLevel':[{'universal':'a'}],"
            + "'podCounts':{'universal':1}}] |"
            + " slices[0]: says more than the domains it stands for",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':1,'valuesPerLevel':[{'universal':'a'}],"
            + "'podCounts':{'individual':[1,2]}}] |"
            + " slices[0].podCounts.individual: says more than the domains it stands for",
        "v1beta2 | 'levels':['l'],'slices':[{'domainCount':1,'valuesPerLevel':[{'universal':'a',"
            + "'individual':{}}],'podCounts':{'universal':1}}] |"
            + " slices[0].valuesPerLevel[0]: says more than the domains it stands for",
      })
  void whatCannotBeReadIsRemarkedOnAndRefusedWhereRefusingIsAskedFor(
      String version, String assignment, String expected) {
    ApiVersion from = version.equals("v1beta1") ? V1BETA1 : V1BETA2;
    ApiVersion to = from == V1BETA1 ? V1BETA2 : V1BETA1;
    String before =
        object(
            ApiKind.WORKLOAD,
            from,
            "'metadata':{'name':'w','namespace':'ns'},'spec':{'priorityClassSource':''},"
                + "'status':{'admission':{'podSetAssignments':[{},"
                + "{'name':'a','topologyAssignment':{"
                + assignment
                + "}}]}}");

    assertThat(refusal(Mode.FAIL, before, to))
        .isEqualTo(
            "Workload \"ns/w\": status.admission.podSetAssignments[1].topologyAssignment."
                + expected);
    assertThat(converted(Mode.CARRY, before, to).warnings())
        .extracting(ConversionWarning::reason)
        .containsExactly(ConversionWarning.Reason.ASSIGNMENT_MALFORMED);
    assertThat(sorted(carried(carried(before, to), from))).isEqualTo(sorted(before));
  }

  @Test
  void ofVeryManyBadAssignmentsTheFirstAreNamed() {
    String bad = json("{'topologyAssignment':{'domains':7}}");
    String before =
        object(
            ApiKind.WORKLOAD,
            V1BETA1,
            "'metadata':{},'status':{'admission':{'podSetAssignments':%s}}"
                .formatted(list(1000, _ -> bad)));

    assertThat(refusal(Mode.FAIL, before, V1BETA2).split("; ", -1)).hasSize(5);
    assertThat(converted(Mode.CARRY, before, V1BETA2).warnings()).hasSize(16);
  }

  /** The domains that slices stand for, read apart from the code under test. */
  private static JsonNode expanded(JsonNode assignment) {
    var domains = MAPPER.createArrayNode();
    for (JsonNode slice : assignment.get("slices")) {
      for (int i = 0; i < slice.get("domainCount").asInt(); i++) {
        JsonNode counts = slice.get("podCounts");
        var domain = domains.addObject();
        domain.set(
            "count",
            counts.has("universal") ? counts.get("universal") : counts.at("/individual/" + i));
        var values = domain.putArray("values");
        for (JsonNode level : slice.get("valuesPerLevel")) {
          JsonNode individual = level.path("individual");
          values.add(
              level.has("universal")
                  ? level.get("universal").asText()
                  : individual.path("prefix").asText()
                      + individual.at("/roots/" + i).asText()
                      + individual.path("suffix").asText());
        }
      }
    }
    return domains;
  }

  private static JsonNode assignment(String workload) throws JsonProcessingException {
    return MAPPER.readTree(workload).at("/status/admission/podSetAssignments/0/topologyAssignment");
  }

  private static String workload(ApiVersion version, String levels, String domainsOrSlices) {
    return object(
        ApiKind.WORKLOAD,
        version,
        "'metadata':{},'spec':{%s},'status':{'admission':{'podSetAssignments':[{'name':'a',"
                .formatted(version == V1BETA1 ? "'priorityClassSource':''" : "")
            + "'topologyAssignment':{'%s':%s,'levels':%s}}]}}"
                .formatted(version == V1BETA1 ? "domains" : "slices", domainsOrSlices, levels));
  }

  private static String domain(int count, List<String> values) {
    return "{\"count\":%d,\"values\":%s}"
        .formatted(count, list(values.size(), i -> quoted(values.get(i))));
  }

  private static String list(int size, IntFunction<String> item) {
    List<String> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(item.apply(i));
    }
    return "[" + String.join(",", items) + "]";
  }

  private static String pick(List<String> choices, RandomGenerator random) {
    return choices.get(random.nextInt(choices.size()));
  }
}
