package dev.sluice.conversion.kinds;

import static dev.sluice.conversion.Conversions.carried;
import static dev.sluice.conversion.Texts.sorted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tricky inputs of every kind, with what must become of them to the letter. */
class ExamplesTest {

  /**
   * One example.
   *
   * @param in the object's members besides apiVersion, kind and metadata
   * @param out the same of the result
   * @param noteFrom the version in our annotation's key; empty if there must be none
   * @param note our annotation's text
   * @param stays whether converting back leaves the result as it is
   */
  record Example(
      ApiKind kind,
      ApiVersion from,
      ApiVersion to,
      String in,
      String out,
      String noteFrom,
      String note,
      boolean stays) {
    static Example of(String block) {
      List<String> lines = block.lines().toList();
      List<String> head = List.of(lines.get(0).split(" "));
      boolean assignment = head.contains("assignment");
      ApiVersion from = version(head.get(1));
      ApiVersion to = version(head.get(2));
      String[] note = lines.get(3).split(" ", 2);
      return new Example(
          ApiKind.find(head.get(0)).orElseThrow(),
          from,
          to,
          assignment ? workload(lines.get(1), from) : lines.get(1),
          assignment ? workload(lines.get(2), to) : lines.get(2),
          note.length == 1 ? "" : note[0],
          note.length == 1 ? "" : note[1],
          head.contains("stays"));
    }

    private static ApiVersion version(String text) {
      return Stream.of(ApiVersion.values())
          .filter(version -> version.text().equals(text))
          .findFirst()
          .orElseThrow();
    }

    private static String workload(String assignment, ApiVersion version) {
      return """
      {"spec":{%s},"status":{"admission":{"podSetAssignments":[
      {"name":"a","topologyAssignment":%s}]}}}\
      """
          .formatted(
              version == ApiVersion.V1BETA1 ? "\"priorityClassSource\":\"\"" : "", assignment);
    }

    String input() {
      return whole(in, from, "");
    }

    String output() {
      return whole(out, to, noteFrom.isEmpty() ? "" : Texts.note(version(noteFrom), note));
    }

    String atSource() {
      return stays ? whole(out, from, "") : input();
    }

    private String whole(String members, ApiVersion version, String annotation) {
      String metadata =
          annotation.isEmpty()
              ? "\"metadata\":{},"
              : "\"metadata\":{\"annotations\":{%s}},".formatted(annotation);
      return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",%s%s"
          .formatted(
              version.groupVersion(),
              kind,
              members.startsWith("{\"metadata\"") ? "" : metadata,
              members.substring(1));
    }

    @Override
    public String toString() {
      return kind + " " + from + "->" + to + " " + in;
    }
  }

  static Stream<Example> examples() throws IOException {
    return Stream.concat(worked(), read("more-examples.txt"));
  }

  private static Stream<Example> worked() throws IOException {
    return read("worked-examples.txt");
  }

  private static Stream<Example> read(String name) throws IOException {
    try (InputStream file = ExamplesTest.class.getResourceAsStream(name)) {
      String text = new String(Objects.requireNonNull(file, name).readAllBytes(), UTF_8);
      return Arrays.stream(text.strip().split("\n\n+"))
          .filter(block -> !block.startsWith("#"))
          .map(Example::of);
    }
  }

  @Test
  void thereAreExamplesOfEveryKindThatDiffers() throws IOException {
    assertThat(worked().map(Example::kind).distinct())
        .containsExactlyInAnyOrder(
            ApiKind.ADMISSION_CHECK,
            ApiKind.CLUSTER_QUEUE,
            ApiKind.COHORT,
            ApiKind.LOCAL_QUEUE,
            ApiKind.MULTI_KUEUE_CLUSTER,
            ApiKind.MULTI_KUEUE_CONFIG,
            ApiKind.TOPOLOGY,
            ApiKind.WORKLOAD);
    assertThat(worked()).hasSize(39);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void comesOutAsItMustWithExactlyThisAnnotation(Example example) {
    assertThat(sorted(carried(example.input(), example.to()))).isEqualTo(sorted(example.output()));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void comesBackExactlyAndLeavesNoAnnotation(Example example) {
    assertThat(sorted(carried(carried(example.input(), example.to()), example.from())))
        .isEqualTo(sorted(example.atSource()));
  }
}
