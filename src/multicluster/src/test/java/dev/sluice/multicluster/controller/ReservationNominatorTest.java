package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.workload.Nominations.Nomination;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is nominated in the same write that reserves quota. */
@Timeout(240)
class ReservationNominatorTest {
  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithTwoWorkers() {
    fleet = new InMemoryFleet(folder);
    fleet.startConnected("a", "b");
    fleet.job("j");
    fleet.awaitCopy("a", "j"); // so its job is seen here
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  /** The Workload as it is once its reservation is stored, and before it is offered. */
  private ObjectNode reserved() {
    ObjectNode workload = fleet.workload("j").deepCopy();
    workload.withObjectProperty("metadata").put("name", "another");
    workload.withObjectProperty("status").remove("nominatedClusterNames");
    return workload;
  }

  private Nomination nomination(ObjectNode reserved) {
    return fleet.clusters.ports.nominations().of(reserved);
  }

  @Test
  void allConnectedWorkersAreNominatedWithTheReservationOfAWorkloadThatOnlyTheyCheck() {
    Nomination nomination = nomination(reserved());

    assertThat(nomination.clusters()).containsExactly("a", "b");
    assertThat(nomination.events())
        .extracting(Write.Event::message)
        .containsExactly("Nominated worker clusters: a, b");
  }

  @Test
  void noWorkerIsNominatedWithTheReservationWhileSomethingElseComesFirst() {
    ObjectNode withAnotherCheck = reserved();
    ArrayNode checks =
        withAnotherCheck.withObjectProperty("status").withArrayProperty("admissionChecks");
    checks.addObject().put("name", "other").put("state", "Pending");
    ObjectNode withoutCheck = reserved();
    withoutCheck.withObjectProperty("status").remove("admissionChecks");
    ObjectNode ofNobody = reserved();
    ofNobody.withObjectProperty("metadata").remove("ownerReferences");

    assertThat(List.of(withAnotherCheck, withoutCheck, ofNobody))
        .extracting(this::nomination)
        .containsOnly(Nomination.NONE);
  }
}
