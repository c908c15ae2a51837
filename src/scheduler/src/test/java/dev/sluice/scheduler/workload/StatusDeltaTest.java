package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.WorkloadStatus;
import org.junit.jupiter.api.Test;

class StatusDeltaTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static WorkloadStatus status(String members) {
    try {
      return HubObjects.read(
          WorkloadStatus.class,
          JSON.readTree(
              "{"
                  + members
                      .replace("#", "\"lastTransitionTime\":\"2026-11-21T12:00:00Z\"")
                      .replace('\'', '"')
                  + "}"));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(members, e);
    }
  }

  private static String condition(String type, String reason) {
    return "{'type':'%s','status':'True','reason':'%s','message':'',#}".formatted(type, reason);
  }

  private static final String RESERVED = "'conditions':[" + condition("QuotaReserved", "r") + "]";
  private static final String ADMISSION =
      "'admission':{'clusterQueue':'cq','podSetAssignments':[]}";

  @Test
  void aReservationNamesItsAdmissionAlsoWhereAnEqualOneWasLeftOverAndIsGoneMeanwhile() {
    WorkloadStatus carried =
        StatusDelta.carry(status(ADMISSION), status(RESERVED + "," + ADMISSION), status(""));

    assertThat(carried.admission()).isEqualTo(status(ADMISSION).admission());
    assertThat(QuotaHold.contradiction(carried)).isEmpty();
  }

  @Test
  void aReservationThatIsTakenBackTakesTheAdmissionAlongThatOthersWroteMeanwhile() {
    WorkloadStatus told =
        status("'conditions':[" + condition("QuotaReserved", "r").replace("True", "False") + "]");

    WorkloadStatus carried =
        StatusDelta.carry(status(""), told, status(RESERVED + "," + ADMISSION));

    assertThat(carried.admission()).isNull();
    assertThat(QuotaHold.contradiction(carried)).isEmpty();
  }

  @Test
  void whatOthersWroteMeanwhileStays() {
    WorkloadStatus before =
        status("'conditions':[" + condition("A", "old") + "," + condition("B", "old") + "]");
    WorkloadStatus after =
        status(
            "'conditions':["
                + condition("A", "new")
                + ","
                + condition("B", "old")
                + ","
                + condition("C", "new")
                + "],'admission':{'clusterQueue':'cq','podSetAssignments':[]}");
    WorkloadStatus meanwhile =
        status(
            "'conditions':["
                + condition("A", "old")
                + ","
                + condition("B", "theirs")
                + ","
                + condition("D", "theirs")
                + "],'reclaimablePods':[{'name':'main','count':1}]");

    WorkloadStatus carried = StatusDelta.carry(before, after, meanwhile);

    assertThat(carried.conditions())
        .extracting(c -> c.type() + "=" + c.reason())
        .containsExactly("A=new", "B=theirs", "D=theirs", "C=new");
    assertThat(carried.admission()).isEqualTo(after.admission());
    assertThat(carried.reclaimablePods()).isEqualTo(meanwhile.reclaimablePods());
  }

  @Test
  void whatIsTakenAwayIsTakenAwayFromTheNewerOne() {
    WorkloadStatus before =
        status(
            "'conditions':["
                + condition("A", "old")
                + "],'requeueState':{'count':1},'clusterName':'w'");
    WorkloadStatus meanwhile = status("'conditions':[" + condition("A", "theirs") + "]");

    WorkloadStatus carried = StatusDelta.carry(before, status(""), meanwhile);

    assertThat(carried.conditions()).isEmpty();
    assertThat(carried.requeueState()).isNull();
    assertThat(carried.clusterName()).isNull();
  }

  @Test
  void whatWasToldOfWaitingMeanwhileEndsWithAnAdmission() {
    WorkloadStatus after = status(RESERVED + "," + ADMISSION);
    WorkloadStatus told = status("'resourceRequests':[{'name':'main','resources':{'cpu':'4'}}]");

    assertThat(StatusDelta.carry(status(""), after, told).resourceRequests()).isEmpty();
    assertThat(StatusDelta.carry(after, status(""), told).resourceRequests()).isNotEmpty();
  }
}
