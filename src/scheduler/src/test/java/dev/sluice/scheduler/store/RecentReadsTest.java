package dev.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.workload.Workload;
import org.junit.jupiter.api.Test;

class RecentReadsTest {
  private final RecentReads reads = new RecentReads();

  private static ObjectNode workload(String uid, String version, String queue) {
    ObjectNode workload = new JsonMapper().createObjectNode();
    workload
        .putObject("metadata")
        .put("namespace", "n")
        .put("name", "w")
        .put("uid", uid)
        .put("resourceVersion", version);
    workload.putObject("spec").put("queueName", queue).putArray("podSets");
    return workload;
  }

  @Test
  void whatWeWroteIsNotReadAgainWhenTheWatchBringsIt() {
    Workload written = reads.read(workload("u", "7", "q"));

    assertThat(reads.read(workload("u", "7", "q"))).isSameAs(written);
  }

  @Test
  void eachVersionOfEachObjectSaysWhatIsWrittenInIt() {
    JsonNode first = workload("u", "7", "one");
    reads.read(first);

    assertThat(reads.read(workload("u", "8", "two")).spec().queueName()).isEqualTo("two");
    assertThat(reads.read(workload("v", "7", "three")).spec().queueName()).isEqualTo("three");
    assertThat(reads.read(first).spec().queueName()).isEqualTo("one");
  }

  @Test
  void objectsWithoutAVersionAreNeverTakenForEachOther() {
    reads.read(workload("u", "", "one"));
    reads.read(workload("", "7", "one"));

    assertThat(reads.read(workload("u", "", "two")).spec().queueName()).isEqualTo("two");
    assertThat(reads.read(workload("", "7", "two")).spec().queueName()).isEqualTo("two");
  }
}
