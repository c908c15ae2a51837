package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
    JsonNode items = Discovery.aggregated().path("items");

    assertThat(items.valueStream().map(it -> it.at("/metadata/name").asText()))
        .containsExactly("visibility.kueue.x-k8s.io", "view.sluice.dev");
    for (ApiGroup group : ApiGroup.ALL) {
      JsonNode item = items.get(ApiGroup.ALL.indexOf(group));
      for (JsonNode version : item.path("versions")) {
        Set<String> flat = new TreeSet<>();
        Discovery.resources(group, version.path("version").asText())
            .path("resources")
            .forEach(it -> flat.add(it.path("name").asText() + it.path("verbs")));
        Set<String> nested = new TreeSet<>();
        for (JsonNode resource : version.path("resources")) {
          String name = resource.path("resource").asText();
          nested.add(name + resource.path("verbs"));
          resource
              .path("subresources")
              .forEach(
                  it ->
                      nested.add(name + "/" + it.path("subresource").asText() + it.path("verbs")));
        }
        assertThat(nested).isEqualTo(flat);
        assertThat(version.findValues("responseKind"))
            .isNotEmpty()
            .allMatch(it -> it.path("version").equals(version.path("version")));
      }
    }
  }

  @Test
  void everyReferenceOfADescriptionLeadsSomewhere() {
    for (ObjectNode document : documents()) {
      List<String> references = document.findValuesAsText("$ref");

      assertThat(references)
          .isNotEmpty()
          .allSatisfy(it -> assertThat(document.at(it.substring(1)).isObject()).as(it).isTrue());
      assertThat(document.findValuesAsText("operationId")).doesNotHaveDuplicates();
    }
  }

  private static List<ObjectNode> documents() {
    List<ObjectNode> documents = new ArrayList<>(List.of(OpenApi.v2()));
    for (ApiGroup group : ApiGroup.ALL) {
      group.versions().forEach(version -> documents.add(OpenApi.v3(group, version)));
    }
    return documents;
  }

  @Test
  void everyDocumentOfTheListIsServed() {
    for (JsonNode entry : OpenApi.v3().path("paths")) {
      String url = entry.path("serverRelativeURL").asText();

      assertThat(ApiPaths.find(url.substring(0, url.indexOf('?')), "")).isPresent();
    }
  }
}
