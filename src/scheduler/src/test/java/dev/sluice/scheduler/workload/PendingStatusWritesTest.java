package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.engine.StatusUpdate.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits to be stored. */
class PendingStatusWritesTest {
  private static final Workload WORKLOAD = workload();

  private final PendingStatusWrites pending = new PendingStatusWrites();

  private static Workload workload() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.putObject("metadata").put("name", "w").put("namespace", "ns").put("uid", "u");
    tree.putObject("spec").putArray("podSets");
    return HubObjects.read(Workload.class, (JsonNode) tree);
  }

  private static StatusUpdate decided(Kind kind, String... made) {
    return new StatusUpdate(kind, WORKLOAD, WORKLOAD, "cq", List.of(made), "");
  }

  private PendingStatusWrites.Entry entry() {
    return pending.find(ObjectKey.of(WORKLOAD.metadata())).orElseThrow();
  }

  @Test
  void whyAWorkloadWaitsIsStoredInItsTurn() {
    pending.put(decided(Kind.PENDING));
    assertThat(entry().due()).isFalse();

    pending.release(ObjectKey.of(WORKLOAD.metadata()));
    assertThat(entry().due()).isTrue();
  }

  @Test
  void thatOthersGiveWayForItIsStoredAtOnceAndToldWhateverComesNext() {
    pending.put(decided(Kind.PENDING, "gives way"));
    assertThat(entry().due()).isTrue();

    pending.put(decided(Kind.RESERVED));
    assertThat(entry().decided().made()).containsExactly("gives way");
  }

  @Test
  void whatIsDecidedWhileSomethingIsStoredDoesNotTellThatAgain() {
    pending.put(decided(Kind.PENDING, "gives way"));
    PendingStatusWrites.Entry stored = entry();
    pending.put(decided(Kind.PENDING, "another"));

    pending.stored(stored);
    assertThat(entry().decided().made()).containsExactly("another");

    pending.stored(entry());
    assertThat(pending.size()).isZero();
  }
}
