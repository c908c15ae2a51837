package dev.sluice.scheduler.recovery;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostPodTest {
  private static final String DELETED =
      "'deletionTimestamp':'2026-11-21T12:00:00Z','annotations':"
          + "{'kueue.x-k8s.io/safe-to-forcefully-delete':'true'}";
  private static final Instant LATER = Instant.parse("2026-11-21T12:01:00Z");

  private static JsonNode pod(String metadata, String node, String phase) {
    return json(
        """
        {'metadata':{'namespace':'ns','name':'p','uid':'u','resourceVersion':'7',%s},
        'spec':{'nodeName':'%s'},'status':{'phase':'%s'}}\
        """
            .formatted(metadata, node, phase));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          allowed and deleted | 'deletionTimestamp':'2026-11-21T12:00:00Z','annotations':{'kueue.x-k8s.io/safe-to-forcefully-delete':'true'}  | n | true
          nobody deletes it   | 'annotations':{'kueue.x-k8s.io/safe-to-forcefully-delete':'true'}                                             | n | false
          not allowed         | 'deletionTimestamp':'2026-11-21T12:00:00Z'                                                                    | n | false
          expressly not       | 'deletionTimestamp':'2026-11-21T12:00:00Z','annotations':{'kueue.x-k8s.io/safe-to-forcefully-delete':'false'} | n | false
          on no node          | 'deletionTimestamp':'2026-11-21T12:00:00Z','annotations':{'kueue.x-k8s.io/safe-to-forcefully-delete':'true'}  |   | false
          no time             | 'deletionTimestamp':'soon','annotations':{'kueue.x-k8s.io/safe-to-forcefully-delete':'true'}                  | n | false
          """)
  void isOneOnlyIfItsOwnerAllowsItAndSomebodyDeletesIt(
      String what, String metadata, String node, boolean is) {
    String where = node == null ? "" : node;

    assertThat(LostPod.of(pod(metadata, where, "Running")).isPresent()).isEqualTo(is);
  }

  @Test
  void mayGoAMinuteAfterItShouldHaveEnded() {
    LostPod lost = LostPod.of(pod(DELETED, "n", "Running")).orElseThrow();

    assertThat(lost.node()).isEqualTo("n");
    assertThat(lost.due()).isEqualTo("2026-11-21T12:01:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'key':'node.kubernetes.io/unreachable','effect':'NoExecute'}                   | true
          {'key':'node.kubernetes.io/unreachable','effect':'NoSchedule'}                  | true
          {'key':'x','effect':'NoExecute'},{'key':'node.kubernetes.io/unreachable'}       | true
          {'key':'node.kubernetes.io/not-ready','effect':'NoExecute'}                     | false
          `` | false
          """)
  void aNodeIsUnreachableByItsTaint(String taints, boolean is) {
    JsonNode node = json("{'spec':{'taints':[" + taints + "]}}");

    assertThat(LostPod.isUnreachable(node)).isEqualTo(is);
  }

  @Test
  void countsAsFailedBeforeItGoes() {
    List<Write> writes = LostPod.of(pod(DELETED, "n", "Running")).orElseThrow().ends(LATER);

    assertThat(writes).hasSize(3);
    var failed = (Write.Apply) writes.get(0);
    assertThat(failed.subresource()).isEqualTo("status");
    assertThat(failed.body().at("/metadata/resourceVersion").asText()).isEqualTo("7");
    assertThat(failed.body().path("status"))
        .isEqualTo(
            json(
                """
                {'phase':'Failed','conditions':[{'type':'KueueFailureRecovery','status':'True',
                'reason':'KueueForcefullyDeleted','message':'Deleted by force, for its node n is \
                unreachable and it should have ended a minute ago',
                'lastTransitionTime':'2026-11-21T12:01:00Z'}]}\
                """));
    assertThat(((Write.Event) writes.get(1)).type()).isEqualTo("Warning");
    assertThat(writes.get(2)).isEqualTo(new Write.Delete(failed.target(), true));
    assertThat(failed.target().uid()).isEqualTo("u");
  }

  @ParameterizedTest
  @CsvSource({"Failed", "Succeeded"})
  void keepsHowItEndedAndOnlyGoes(String phase) {
    List<Write> writes = LostPod.of(pod(DELETED, "n", phase)).orElseThrow().ends(LATER);

    assertThat(writes).singleElement().isInstanceOf(Write.Delete.class);
  }
}
