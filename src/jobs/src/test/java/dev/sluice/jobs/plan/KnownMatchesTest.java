package dev.sluice.jobs.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownMatchesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JobKey KEY = JobKey.of(new GroupKind("batch", "Job"), "ns", "j");
  private static final List<Boolean> STATES = List.of(true, false);

  private final KnownMatches matches = new KnownMatches();
  private final ObjectNode job = object("j");
  private final ObjectNode workload = object("w");

  private static ObjectNode object(String uid) {
    return json(
        """
        {"apiVersion":"v1","metadata":{"uid":"%s","resourceVersion":"1","labels":{"a":"b"},
        "annotations":{"c":"d"}},"spec":{"count":1},"template":{"e":"f"},"status":{"ready":0}}
        """
            .formatted(uid));
  }

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static ObjectNode changed(ObjectNode object, String pointer, String value) {
    ObjectNode changed = object.deepCopy();
    int last = pointer.lastIndexOf('/');
    ((ObjectNode) changed.at(pointer.substring(0, last))).put(pointer.substring(last + 1), value);
    return changed;
  }

  private boolean has(JsonNode job, JsonNode workload) {
    return matches.has(KEY, job, workload, STATES);
  }

  @BeforeEach
  void add() {
    matches.add(KEY, job, workload, STATES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/status/ready", "/metadata/resourceVersion", "/metadata/name"})
  void staysIfNothingThatCountsChanges(String pointer) {
    assertThat(has(changed(job, pointer, "x"), changed(workload, pointer, "x"))).isTrue();
    assertThat(has(job, workload)).as("and back").isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/metadata/uid",
    "/metadata/labels/a",
    "/metadata/labels/new",
    "/metadata/annotations/c",
    "/metadata/annotations/new",
    "/spec/count",
    "/spec/new",
    "/template/e",
    "/new",
  })
  void endsWithAChangeOfTheJobOrTheWorkload(String pointer) {
    assertThat(has(changed(job, pointer, "x"), workload)).isFalse();
    assertThat(has(job, changed(workload, pointer, "x"))).isFalse();
  }

  @Test
  void endsWhenAMemberIsGone() {
    ObjectNode without = job.deepCopy();
    without.remove("template");

    assertThat(has(without, workload)).isFalse();
  }

  @Test
  void isOfOneJobInOneState() {
    JobKey other = JobKey.of(KEY.kind(), KEY.namespace(), "other");

    assertThat(matches.has(other, job, workload, STATES)).isFalse();
    assertThat(matches.has(KEY, job, workload, List.of(true, true))).isFalse();
  }

  @Test
  void isDroppedWithTheJob() {
    matches.remove(KEY);

    assertThat(has(job, workload)).isFalse();
  }
}
