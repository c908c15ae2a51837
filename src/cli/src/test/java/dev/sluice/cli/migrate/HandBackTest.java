package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

/** Who owns what of a Workload before and after. */
class HandBackTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static JsonNode owners(String managedFields) throws JsonProcessingException {
    return HandBack.owners(
        JSON.readTree(
            "{\"metadata\":{\"resourceVersion\":\"7\",\"managedFields\":[%s]}}"
                .formatted(managedFields)));
  }

  private static String owner(String manager, String operation, String fields) {
    return "{\"manager\":\"%s\",\"operation\":\"%s\",\"fieldsV1\":{%s}}"
        .formatted(manager, operation, fields);
  }

  @Test
  void onlyThoseWhoApplyKeepTheStatus() throws JsonProcessingException {
    String kueue = owner("kueue-admission", "Apply", "\"f:status\":{\"f:admission\":{}}");
    String both = owner("before-first-apply", "Update", "\"f:spec\":{},\"f:status\":{}");

    JsonNode patch = owners(kueue + "," + both);

    assertThat(patch.at("/metadata/managedFields"))
        .isEqualTo(
            JSON.readTree(
                "[%s,%s]"
                    .formatted(kueue, owner("before-first-apply", "Update", "\"f:spec\":{}"))));
  }

  @Test
  void whoOwnedNothingElseIsGone() throws JsonProcessingException {
    JsonNode patch = owners(owner("kueue-admission", "Update", "\"f:status\":{}"));

    assertThat(patch.at("/metadata/managedFields")).isEmpty();
  }

  @Test
  void thePatchIsRefusedIfTheWorkloadHasChangedMeanwhile() throws JsonProcessingException {
    assertThat(owners("").at("/metadata/resourceVersion").asText()).isEqualTo("7");
  }

  @Test
  void ofTheFinalizersOfAClusterOnlyOursGoes() throws JsonProcessingException {
    JsonNode patch =
        HandBack.withoutFinalizer(
            JSON.readTree(
                """
                {"metadata":{"resourceVersion":"7",
                "finalizers":["a.example/one","sluice.dev/multikueue-cleanup","a.example/two"]}}\
                """));

    assertThat(patch)
        .isEqualTo(
            JSON.readTree(
                """
                {"metadata":{"resourceVersion":"7","finalizers":["a.example/one","a.example/two"]}}\
                """));
  }
}
