package dev.sluice.manifests.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.read.HubObjects;
import dev.sluice.manifests.Manifests;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HubRecordsTest {
  private static final String QUEUE = "/properties/spec";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Manifests manifests = new Manifests();

  @ParameterizedTest
  @EnumSource
  void aRecordHasTheFieldsOfItsKind(ApiKind kind) {
    JsonNode schema = manifests.schema(kind, ApiVersion.HUB);

    assertThat(RecordComparison.ofKind(schema, HubObjects.type(kind))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                   | newcomer | {"type": "string"}
          /properties/cohortName               | type     | "integer"
          /properties/cohortName               | default  | "all"
          /properties/queueingStrategy         | default  | "StrictFIFO"
          /properties/queueingStrategy/enum    | 0        | "LIFO"
          /properties/resourceGroups           | type     | "object"
          /properties/preemption               | default  | {"withinClusterQueue": "LowerPriority"}
          /properties/admissionScope           | required | []
          /properties/flavorFungibility        | required | ["preference"]
          /properties/resourceGroups/items/properties/flavors/items/properties/name | format | "date-time"
          """)
  void aSchemaThatChangesIsNoticed(String at, String key, String value)
      throws JsonProcessingException {
    JsonNode schema = manifests.schema(ApiKind.CLUSTER_QUEUE, ApiVersion.HUB);
    change(schema.at(QUEUE + at + (key.equals("newcomer") ? "/properties" : "")), key, value);

    assertThat(RecordComparison.ofKind(schema, HubObjects.type(ApiKind.CLUSTER_QUEUE)))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("spec.");
  }

  private static void change(JsonNode node, String key, String value)
      throws JsonProcessingException {
    if (node instanceof ArrayNode list) {
      list.set(Integer.parseInt(key), JSON.readTree(value));
    } else {
      ((ObjectNode) node).set(key, JSON.readTree(value));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/properties/spec/properties, active, spec.active: not in the schema",
    "/properties/spec/properties/podSets/items/properties/template/properties/spec/properties,"
        + " overhead, spec.podSets[].template.spec.overhead: not in the schema",
    "/properties/status/properties/admission/properties/podSetAssignments/items/properties,"
        + " count, status.admission.podSetAssignments[].count: not in the schema",
  })
  void aFieldThatNoSchemaHasIsNoticed(String at, String field, String difference) {
    JsonNode schema = manifests.schema(ApiKind.WORKLOAD, ApiVersion.HUB);

    ((ObjectNode) schema.at(at)).remove(field);

    assertThat(RecordComparison.ofKind(schema, HubObjects.type(ApiKind.WORKLOAD)))
        .containsExactly(difference);
  }
}
