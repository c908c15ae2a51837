package dev.sluice.multicluster.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WaitingMessageTest {
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

  @Test
  void workersStandInTheOrderOfTheConfiguration() {
    Map<String, WaitingReason> reasons = new LinkedHashMap<>();
    reasons.put("w1", new WaitingReason.NoQuota("insufficient unused quota for cpu"));
    reasons.put("w2", new WaitingReason.NoQueue("team-a", "lq"));
    reasons.put(
        "w3",
        new WaitingReason.NotConnected(
            Duration.ofMinutes(4),
            "connection refused",
            Optional.of(Instant.parse("2026-11-24T10:42:10Z"))));

    assertThat(WaitingMessage.of(reasons, List.of()))
        .isEqualTo(
            "3 clusters. w1: waits for quota: insufficient unused quota for cpu;"
                + " w2: LocalQueue team-a/lq is not there;"
                + " w3: not connected for 4m: connection refused,"
                + " next attempt 2026-11-24T10:42:10Z");
  }

  static Stream<Arguments> reasons() {
    return Stream.of(
        Arguments.of(new WaitingReason.Listing(), "its objects are being listed"),
        Arguments.of(new WaitingReason.KindNotServed("JobSet"), "does not serve JobSet"),
        Arguments.of(new WaitingReason.NotNominated(), "not nominated"),
        Arguments.of(
            new WaitingReason.LeftOut("refused", NOW),
            "refused; left out until 2026-11-24T10:00:00Z"),
        Arguments.of(new WaitingReason.NameTaken("Job", "j", ""), "name taken by Job j"),
        Arguments.of(
            new WaitingReason.Refused("create", "workloads.kueue.x-k8s.io", "forbidden"),
            "create workloads.kueue.x-k8s.io refused: forbidden"),
        Arguments.of(new WaitingReason.NoNamespace("ns", false), "namespace ns is not there"),
        Arguments.of(new WaitingReason.NoNamespace("ns", true), "namespace ns is terminating"),
        Arguments.of(new WaitingReason.BeingCreated(), "the workload is being created"),
        Arguments.of(new WaitingReason.BeingRemoved("a copy"), "a copy is being removed"),
        Arguments.of(new WaitingReason.NoQuota(""), "waits for quota"),
        Arguments.of(
            new WaitingReason.ChecksPending(List.of("p (soon)", "q")),
            "has quota, waits for checks p (soon), q"),
        Arguments.of(new WaitingReason.Admitted(), "admitted"),
        Arguments.of(
            new WaitingReason.LabelRemoved("x"),
            "somebody removed the label x from the copy: put it back or delete the copy"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void eachReasonIsASentence(WaitingReason reason, String text) {
    assertThat(reason.text()).isEqualTo(text);
  }

  @Test
  void whatWorkersSayIsBoundedAndWithoutControlCharacters() {
    Map<String, WaitingReason> reasons = new LinkedHashMap<>();
    for (int i = 0; i < 20; i++) {
      reasons.put("w" + i, new WaitingReason.NoQuota("x\n".repeat(1 << 19)));
    }
    String message = WaitingMessage.of(reasons, List.of());

    assertThat(message.getBytes(UTF_8).length).isLessThanOrEqualTo(32 * 1024);
    assertThat(message).doesNotContain("\n").contains("w19: ");
  }

  @Test
  void aMessageIsDueOnceInTenSecondsAndOnlyIfItDiffers() {
    assertThat(WaitingMessage.due("a", "a", Optional.empty(), NOW)).isEmpty();
    assertThat(WaitingMessage.due("a", "b", Optional.empty(), NOW)).contains(NOW);
    assertThat(WaitingMessage.due("a", "b", Optional.of(NOW), NOW)).contains(NOW.plusSeconds(10));
  }
}
