package dev.sluice.api.meta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionsTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");
  private static final Condition READY =
      new Condition("Ready", ConditionStatus.TRUE, null, THEN, "Started", "All run");
  private static final Condition DONE =
      new Condition("Done", ConditionStatus.FALSE, null, THEN, "Running", "Some run");

  private static JsonNode object(String conditions) throws Exception {
    return new ObjectMapper().readTree("{\"status\":{\"conditions\":" + conditions + "}}");
  }

  @Test
  void findsTheConditionOfAType() {
    assertThat(Conditions.find(List.of(READY, DONE), "Done")).contains(DONE);
    assertThat(Conditions.find(List.of(READY, DONE), "Other")).isEmpty();
  }

  @Test
  void onlyTheStatusTrueIsTrue() {
    Condition unknown =
        new Condition("Known", ConditionStatus.UNKNOWN, null, THEN, "Lost", "Not seen");
    List<Condition> all = List.of(READY, DONE, unknown);
    assertThat(Conditions.isTrue(all, "Ready")).isTrue();
    assertThat(Conditions.isTrue(all, "Done")).isFalse();
    assertThat(Conditions.isTrue(all, "Known")).isFalse();
    assertThat(Conditions.isTrue(all, "Other")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[{\"type\":\"Ready\",\"status\":\"True\"}]; true",
        "[{\"type\":\"Other\",\"status\":\"True\"},{\"type\":\"Ready\",\"status\":\"True\"}]; true",
        "[{\"type\":\"Ready\",\"status\":\"False\"}]; false",
        "[{\"type\":\"Ready\",\"status\":\"true\"}]; false",
        "[{\"type\":\"Ready\",\"status\":true}]; false",
        "[{\"type\":\"Ready\"}]; false",
        "[]; false",
        "{}; false",
        "[\"Ready\"]; false",
      })
  void readsTheSameFromJson(String conditions, boolean expected) throws Exception {
    assertThat(Conditions.isTrue(object(conditions), "Ready")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[{\"type\":\"Ready\",\"status\":\"False\"}]; true",
        "[{\"type\":\"Ready\",\"status\":\"True\"}]; false",
        "[{\"type\":\"Ready\",\"status\":\"Unknown\"}]; false",
        "[{\"type\":\"Other\",\"status\":\"False\"}]; false",
        "{}; false",
      })
  void aConditionThatIsNotThereIsNotFalse(String conditions, boolean expected) throws Exception {
    assertThat(Conditions.isFalse(object(conditions), "Ready")).isEqualTo(expected);
  }

  @Test
  void anObjectWithoutStatusHasNoCondition() throws Exception {
    assertThat(Conditions.find(new ObjectMapper().readTree("{}"), "Ready")).isEmpty();
  }

  @Test
  void replacesTheConditionOfTheSameTypeInItsPlace() {
    Condition lost = new Condition("Ready", ConditionStatus.FALSE, null, NOW, "Lost", "One ended");
    assertThat(Conditions.with(List.of(READY, DONE), lost)).containsExactly(lost, DONE);
  }

  @Test
  void theTimeOfTheTransitionStaysWhileTheStatusDoes() {
    Condition again = new Condition("Ready", ConditionStatus.TRUE, 2L, NOW, "Recovered", "All run");
    assertThat(Conditions.with(List.of(READY), again))
        .containsExactly(
            new Condition("Ready", ConditionStatus.TRUE, 2L, THEN, "Recovered", "All run"));
  }

  @Test
  void aConditionOfANewTypeComesLast() {
    assertThat(Conditions.with(List.of(READY), DONE)).containsExactly(READY, DONE);
  }
}
