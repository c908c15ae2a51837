package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.protocol.OwnOffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnOffersTest {
  private static final ObjectRef JOB =
      new ObjectRef(new GroupVersionKind("batch", "v1", "Job"), "ns", "j", "");
  private static final ObjectRef COPY = new ObjectRef(ApiKind.WORKLOAD.hub(), "ns", "w", "");
  private static final ObjectNode BODY = JsonNodeFactory.instance.objectNode();

  private final JsonNode workload =
      Lookup.tree("{'metadata': {'namespace': 'ns', 'name': 'w', 'uid': 'w-uid'}}");
  private final OwnOffers offers = new OwnOffers();

  @BeforeEach
  void nominated() {
    offers.nominated(workload);
  }

  private Set<String> jobsSent() {
    return offers.find(ObjectKey.of(workload)).map(OwnOffer::jobsSent).orElseThrow();
  }

  @Test
  void aJobIsSentWhereItIsCreated() {
    offers.sending(
        workload,
        "a",
        List.of(new Write.Create(COPY, BODY, "us"), new Write.Create(JOB, BODY, "us")));

    assertThat(jobsSent()).containsExactly("a");
  }

  @Test
  void aSliceIsSentTheJobThatItTakesOver() {
    offers.sending(workload, "b", List.of(new Write.MergePatch(JOB, "", BODY, "us", "4")));

    assertThat(jobsSent()).containsExactly("b");
  }

  @Test
  void neitherACopyNorADeletionSendsAJob() {
    offers.sending(
        workload,
        "a",
        List.of(
            new Write.Create(COPY, BODY, "us"),
            new Write.MergePatch(COPY, "status", BODY, "us", "4"),
            new Write.Delete(JOB)));

    assertThat(jobsSent()).isEmpty();
  }
}
