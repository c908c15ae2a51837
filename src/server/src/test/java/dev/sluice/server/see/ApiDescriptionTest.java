package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API says about itself. */
class ApiDescriptionTest {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        AGGREGATED + " | true",
        AGGREGATED + ",application/json | true",
        "application/json, application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io"
            + " | true",
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList | false",
        "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList |"
            + " false",
        "application/json | false",
        "*/* | false",
        "'' | false",
      })
  void theAggregatedDocumentIsForThoseWhoAskForIt(String accept, boolean aggregated) {
    assertThat(Discovery.wantsAggregated(accept)).isEqualTo(aggregated);
  }

  @Test
  void theAggregatedDocumentHasTheResourcesOfTheOthers() {
    JsonNode group = Discovery.aggregated().at("/items/0");

    assertThat(group.at("/metadata/name").asText()).isEqualTo("visibility.kueue.x-k8s.io");
    for (JsonNode version : group.path("versions")) {
      JsonNode flat = Discovery.resources(version.path("version").asText()).path("resources");
      assertThat(
              version
                  .path("resources")
                  .valueStream()
                  .map(it -> it.path("resource").asText() + "/pendingworkloads"))
          .isSubsetOf(flat.findValuesAsText("name"));
      assertThat(version.path("resources").findValues("responseKind"))
          .hasSize(4)
          .allMatch(it -> it.path("version").equals(version.path("version")));
    }
  }

  @Test
  void everyReferenceOfADescriptionLeadsSomewhere() {
    for (ObjectNode document :
        List.of(OpenApi.v2(), OpenApi.v3("v1beta1"), OpenApi.v3("v1beta2"))) {
      List<String> references = document.findValuesAsText("$ref");

      assertThat(references)
          .isNotEmpty()
          .allSatisfy(it -> assertThat(document.at(it.substring(1)).isObject()).as(it).isTrue());
      assertThat(document.findValuesAsText("operationId")).doesNotHaveDuplicates();
    }
  }

  @Test
  void everyDocumentOfTheListIsServed() {
    for (JsonNode entry : OpenApi.v3().path("paths")) {
      String url = entry.path("serverRelativeURL").asText();

      assertThat(VisibilityApi.find(url.substring(0, url.indexOf('?')), "")).isPresent();
    }
  }
}
