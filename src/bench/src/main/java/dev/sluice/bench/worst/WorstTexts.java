package dev.sluice.bench.worst;

import java.util.Collections;
import java.util.List;

/** The worst texts known: those of {@code HostileBodiesIT}, in sizes that are answered. */
public final class WorstTexts {
  private static final String REVIEW =
      "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"ConversionReview\",\"request\":";
  private static final String TO_V1BETA1 =
      REVIEW + "{\"uid\":\"u\",\"desiredAPIVersion\":\"kueue.x-k8s.io/v1beta1\",\"objects\":[";
  private static final String WORKLOAD =
      TO_V1BETA1
          + "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"Workload\",\"metadata\":"
          + "{\"name\":\"w\"},";
  private static final String PLACED =
      WORKLOAD + "\"spec\":{},\"status\":{\"admission\":{\"podSetAssignments\":[";
  private static final String END = "]}}";
  private static final String END_OF_SPEC = "]}}" + END;
  private static final String END_OF_STATUS = "]}}}" + END;

  private WorstTexts() {}

  /** All of them. */
  public static List<WorstText> all() {
    return List.of(
        new WorstText(
            "60,000 Cohorts",
            TO_V1BETA1,
            "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"Cohort\",\"metadata\":{\"name\":"
                + "\"#\",\"namespace\":\"default\",\"labels\":{\"team\":\"#\"}},\"spec\":{"
                + "\"parentName\":\"root\",\"resourceGroups\":[]}}",
            60_000,
            END),
        new WorstText(
            "one Workload, 8 slices of 100,000 domains, all alike",
            PLACED,
            assignment("[\"l\"]", slice("100000", List.of("{\"universal\":\"a\"}"))),
            8,
            END_OF_STATUS),
        new WorstText(
            "one Workload, 100,000 slices of one domain",
            PLACED + "{\"name\":\"p\",\"topologyAssignment\":{\"levels\":[\"l\"],\"slices\":[",
            slice("1", List.of("{\"universal\":\"a\"}")),
            100_000,
            "]}}" + END_OF_STATUS),
        new WorstText(
            "one Workload, 200,000 pod sets `{\"name\":\"a1\"}`",
            WORKLOAD + "\"spec\":{\"podSets\":[",
            "{\"name\":\"#\"}",
            200_000,
            END_OF_SPEC),
        new WorstText(
            "one Workload, 400,000 pod sets `{}`",
            WORKLOAD + "\"spec\":{\"podSets\":[",
            "{}",
            400_000,
            END_OF_SPEC),
        new WorstText(
            "one Workload, 600,000 gates `{\"a\":{}}`",
            WORKLOAD + "\"spec\":{\"preemptionGates\":[",
            "{\"a\":{}}",
            600_000,
            END_OF_SPEC),
        new WorstText("two million objects `0`", TO_V1BETA1, "0", 2_000_000, END),
        new WorstText("1.9 million objects `[]`", TO_V1BETA1, "[]", 1_900_000, END),
        new WorstText(
            "an object of 200,000 members", TO_V1BETA1 + "{", "\"#\":0", 200_000, "}" + END),
        new WorstText("20 million numbers in place of the review", "[", "0", 20_000_000, "]"),
        new WorstText(
            "20 million numbers in place of the request", REVIEW + "[", "0", 20_000_000, "]}"));
  }

  private static String assignment(String levels, String slices) {
    return "{\"name\":\"p\",\"topologyAssignment\":{\"levels\":%s,\"slices\":[%s]}}"
        .formatted(levels, slices);
  }

  private static String slice(String domains, List<String> values) {
    return "{\"domainCount\":%s,\"podCounts\":{\"universal\":1},\"valuesPerLevel\":%s}"
        .formatted(domains, Collections.unmodifiableList(values));
  }
}
