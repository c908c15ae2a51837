package dev.sluice.api.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.read.HubObjects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions decide; each fact holds for the record and for the JSON alike. */
class QuotaHoldTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode workload(boolean active, String conditions, boolean admission)
      throws JsonProcessingException {
    String list =
        Stream.of(conditions.split(" ", -1))
            .filter(it -> !it.isEmpty())
            .map(
                it ->
                    """
                    {"type":"%s","status":"%s","reason":"r","message":"",
                    "lastTransitionTime":"2026-01-01T12:00:00Z"}\
                    """
                        .formatted(it.substring(1), it.startsWith("+") ? "True" : "False"))
            .collect(Collectors.joining(","));
    String given =
        admission ? ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}" : "";
    return JSON.readTree(
        """
        {"metadata":{"name":"w","namespace":"ns"},"spec":{"active":%s,"podSets":[]},
        "status":{"conditions":[%s]%s}}\
        """
            .formatted(active, list, given));
  }

  @ParameterizedTest(name = "[{index}] active {0}, {1}: is reserved {2}")
  @CsvSource({
    "true,  '',                         false",
    "true,  '-QuotaReserved',           false",
    "true,  '+QuotaReserved',           true",
    "false, '+QuotaReserved +Evicted',  true",
    "true,  '+QuotaReserved +Finished', false",
  })
  void aReservationLastsUntilItIsGivenBackOrTheWorkloadIsFinished(
      boolean active, String conditions, boolean reserved) throws JsonProcessingException {
    Workload workload = HubObjects.read(Workload.class, workload(active, conditions, false));

    assertThat(QuotaHold.isReservedBy(workload)).isEqualTo(reserved);
  }

  @ParameterizedTest(name = "[{index}] active {0}, {1}, admission {2}: holds {3}, {4}")
  @CsvSource({
    "true,  '',                               false, false, ''",
    "true,  '+QuotaReserved',                 true,  true,  ''",
    "true,  '+QuotaReserved +Admitted',       true,  true,  ''",
    "true,  '+QuotaReserved +Evicted',        true,  true,  ''",
    "false, '+QuotaReserved +Admitted',       true,  false, ''",
    "true,  '+QuotaReserved +Finished',       true,  false, ''",
    "true,  '+QuotaReserved -Finished',       true,  true,  ''",
    "true,  '-QuotaReserved -Admitted',       false, false, ''",
    "true,  '-QuotaReserved',                 true,  false, ADMISSION_WITHOUT_RESERVATION",
    "true,  '',                               true,  false, ADMISSION_WITHOUT_RESERVATION",
    "true,  '+QuotaReserved',                 false, false, RESERVED_WITHOUT_ADMISSION",
    "true,  '+QuotaReserved +Admitted',       false, false, RESERVED_WITHOUT_ADMISSION",
    "true,  '-QuotaReserved +Admitted',       true,  false, ADMITTED_WITHOUT_RESERVATION",
    "true,  '+Admitted',                      false, false, ADMITTED_WITHOUT_RESERVATION",
    "true,  '+Finished +Admitted',            true,  false, ''",
  })
  void isOneDefinition(
      boolean active, String conditions, boolean admission, boolean holds, String contradiction)
      throws JsonProcessingException {
    JsonNode tree = workload(active, conditions, admission);
    Workload read = HubObjects.read(Workload.class, tree);

    assertThat(QuotaHold.isHeldBy(tree)).isEqualTo(holds);
    assertThat(QuotaHold.isHeldBy(read)).isEqualTo(holds);
    assertThat(QuotaHold.contradiction(tree).map(Enum::name).orElse("")).isEqualTo(contradiction);
    assertThat(QuotaHold.contradiction(read.status()).map(Enum::name).orElse(""))
        .isEqualTo(contradiction);
  }
}
