package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineChangesTest {
  private static JsonNode workload(String cpu, String status) throws JsonProcessingException {
    return new ObjectMapper()
        .readTree(
            """
            {'metadata':{'name':'w','namespace':'ns','uid':'u'},'spec':{'podSets':[{'name':'main',
            'count':1,'template':{'spec':{'overhead':{'cpu':'%s'}}}}]},'status':{%s}}\
            """
                .formatted(cpu, status)
                .replace('\'', '"'));
  }

  private static Optional<Change> change(JsonNode before, JsonNode after) {
    return EngineChanges.of(
        ObjectKind.WORKLOAD.id(), new ObjectChange(Optional.of(before), Optional.of(after)));
  }

  @Test
  void aWorkloadThatCanBeReadIsToldAsItIs() throws JsonProcessingException {
    assertThat(change(workload("1", ""), workload("2", "")))
        .hasValueSatisfying(it -> assertThat(it).isInstanceOf(Change.Upserted.class));
  }

  @Test
  void aMalformedWorkloadWithoutQuotaIsGoneSoThatNothingIsDecidedOfIt()
      throws JsonProcessingException {
    assertThat(change(workload("1", ""), workload("1e1.5", "")))
        .contains(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("ns", "w"), "u"));
  }

  @Test
  void aMalformedWorkloadWithQuotaKeepsItAsItWas() throws JsonProcessingException {
    String reserved =
        "'conditions':[{'type':'QuotaReserved','status':'True'}],'admission':{'clusterQueue':'q'}";

    assertThat(change(workload("1", reserved), workload("1e1.5", reserved))).isEmpty();
  }
}
