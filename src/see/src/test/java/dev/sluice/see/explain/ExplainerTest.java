package dev.sluice.see.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.see.Queues;
import dev.sluice.see.names.Names;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplainerTest {
  private static final ObjectKey SUBJECT = new ObjectKey("a", "subject");

  private final Queues queues = new Queues();

  @BeforeEach
  void aFullQueue() {
    queues.clusterQueue("cq", 4, "");
    queues.localQueue("a", "team", "cq");
    queues.workload("a", "small", "team", 1, "");
    queues.workload("a", "large", "team", 3, "");
    queues.rest();
    queues.workload("a", "other", "team", 4, "'priority':9,");
    queues.workload("a", "subject", "team", 2, "");
  }

  private Explanation explain(ObjectKey key) {
    return Explainer.explain(
        queues.engine(), key, queues.now(), Names.ALL, () -> "out of any queue");
  }

  @Test
  void anExplanationNamesTheShortageItsHoldersAndWhatWouldHelp() {
    Explanation explanation = explain(SUBJECT);

    assertThat(explanation.phase()).isEqualTo("Pending");
    assertThat(explanation.clusterQueue()).isEqualTo("cq");
    assertThat(explanation.ahead()).isEqualTo(1);
    assertThat(explanation.shortages()).hasSize(1);
    assertThat(explanation.shortages().getFirst().holders())
        .extracting(holder -> String.valueOf(holder.workload()))
        .containsExactly("a/large", "a/small");
    assertThat(explanation.remedies())
        .extracting(Explanation.Remedy::change)
        .containsExactly(
            "Workload a/large ends",
            "in ClusterQueue cq raise the nominalQuota of flavor f: cpu from 4 to 6");
  }

  @Test
  void whatOthersInTheLineWouldTakeComesLastAndSaysSo() {
    queues.workload("a", "third", "team", 3, "'priority':9,");

    assertThat(explain(SUBJECT).remedies())
        .containsExactly(
            new Explanation.Remedy(
                "in ClusterQueue cq raise the nominalQuota of flavor f: cpu from 4 to 6",
                "it gets quota at once"),
            new Explanation.Remedy("Workload a/large ends", "it has quota when its turn comes"));
  }

  @Test
  void aParkedWorkloadIsExplainedAsOneWhoseTurnItIs() {
    Explanation before = explain(SUBJECT);
    queues.rest();

    Explanation after = explain(SUBJECT);

    assertThat(after.phase()).isEqualTo("Inadmissible");
    assertThat(after.because()).isEqualTo(before.because());
    assertThat(after.shortages()).isEqualTo(before.shortages());
    assertThat(after.remedies()).isEqualTo(before.remedies());
    assertThat(after.ahead()).isEqualTo(1);
  }

  @Test
  void explainingChangesNothingInTheEngine() {
    QuotaEngine untouched = queues.engine().fork();

    explain(SUBJECT);
    explain(new ObjectKey("a", "other"));

    for (int cycle = 0; cycle < 3; cycle++) {
      assertThat(queues.engine().cycle(queues.now())).isEqualTo(untouched.cycle(queues.now()));
    }
    assertThat(queues.snapshot().pending("cq")).isEqualTo(pending(untouched));
  }

  private List<ObjectKey> pending(QuotaEngine engine) {
    return engine.snapshot(queues.now()).pending("cq");
  }

  @Test
  void aRemedyThatIsCarriedOutAdmits() {
    queues
        .engine()
        .apply(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("a", "other")), queues.now());
    queues
        .engine()
        .apply(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("a", "large")), queues.now());

    queues.rest();

    assertThat(queues.snapshot().holds(SUBJECT, "cq")).isTrue();
  }

  @Test
  void aStoppedLocalQueueIsTheReasonAndOpeningItTheRemedy() {
    queues.clusterQueue("cq", 40, "");
    queues.apply(
        ObjectKind.LOCAL_QUEUE,
        LocalQueue.class,
        "{'metadata':{'name':'team','namespace':'a'},'spec':{'clusterQueue':'cq','stopPolicy':'Hold'}}");

    Explanation explanation = explain(SUBJECT);

    assertThat(explanation.phase()).isEqualTo("Unqueued");
    assertThat(explanation.because()).isEqualTo("out of any queue");
    assertThat(explanation.remedies())
        .extracting(Explanation.Remedy::change)
        .containsExactly("set spec.stopPolicy of LocalQueue team to None");
  }

  @Test
  void whoHasQuotaIsExplainedWithoutTrials() {
    assertThat(explain(new ObjectKey("a", "small")).phase()).isEqualTo("Admitted"); // no checks
    assertThat(explain(new ObjectKey("a", "nobody")).because())
        .isEqualTo("There is no such workload.");
  }
}
