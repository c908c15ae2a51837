package dev.sluice.webhook.rules.flavor;

import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.rules.Reviews.creation;
import static dev.sluice.rules.Reviews.existing;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.object;
import static dev.sluice.rules.Reviews.update;
import static dev.sluice.rules.Reviews.worldOf;
import static dev.sluice.webhook.rules.StandardReviews.check;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static dev.sluice.webhook.rules.StandardReviews.patch;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.ValidationResult;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceFlavorRulesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "{'nodeLabels':{'a.b/c':'d'},'topologyName':'t'}",
        "{'nodeTaints':[{'key':'a','effect':'NoSchedule'},{'key':'a','effect':'NoExecute','value':'v'}]}",
        "{'tolerations':[{'operator':'Exists'},{'key':'','operator':'Exists'},{'key':'a','value':''}]}",
        "{'tolerations':[{'key':'a','value':'b'},{'key':'a','value':'b'}]}",
      })
  void accepts(String spec) {
    assertThat(faults(onCreate(RESOURCE_FLAVOR, object(spec)))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          RF-01 label key       | {'nodeLabels':{'@':'b'}}                                              | INVALID spec.nodeLabels
          RF-01 label value     | {'nodeLabels':{'a':'@'}}                                              | INVALID spec.nodeLabels
          RF-02 taint key       | {'nodeTaints':[{'key':'@','effect':'NoSchedule'}]}                    | INVALID spec.nodeTaints[0].key
          RF-03 taint value     | {'nodeTaints':[{'key':'a','effect':'NoSchedule','value':'@'}]}        | INVALID spec.nodeTaints[0].value
          RF-04 taint twice     | {'nodeTaints':[{'key':'a','effect':'e'},{'key':'a','effect':'e','value':'x'}]} | DUPLICATE spec.nodeTaints[1]
          RF-05 toleration key  | {'tolerations':[{'key':'@','operator':'Exists'}]}                     | INVALID spec.tolerations[0].key
          """)
  void refusesOnCreateAndUpdate(String rule, String spec, String fault) {
    assertThat(faults(onCreate(RESOURCE_FLAVOR, object(spec)))).containsExactly(fault);
    assertThat(faults(onUpdate(RESOURCE_FLAVOR, object(spec), object(spec))))
        .containsExactly(fault);
  }

  @Test
  @DisplayName("RF-02 an empty key breaks two rules; RF-03 all rules of a value are one fault")
  void countsFaultsAsKueueDoes() {
    assertThat(
            faults(onCreate(RESOURCE_FLAVOR, object("{'nodeTaints':[{'key':'','effect':'e'}]}"))))
        .containsExactly("INVALID spec.nodeTaints[0].key", "INVALID spec.nodeTaints[0].key");
    String value = "-".repeat(64);
    String taint = "{'nodeTaints':[{'key':'a','effect':'e','value':'" + value + "'}]}";
    assertThat(faults(onCreate(RESOURCE_FLAVOR, object(taint))))
        .containsExactly("INVALID spec.nodeTaints[0].value");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OPP-16 no key, Equal   | {'tolerations':[{'key':'','operator':'Equal','value':'v'}]} | INVALID spec.tolerations[0].operator
          OPP-16 no key, default | {'tolerations':[{'key':'','value':'v'}]}                    | INVALID spec.tolerations[0].operator
          OPP-17 value           | {'tolerations':[{'key':'a','value':'@'}]}                   | INVALID spec.tolerations[0].value
          """)
  void refusesTolerationsThatNoPodCanHaveWhereTheyAreNew(String rule, String spec, String fault) {
    assertThat(faults(onCreate(RESOURCE_FLAVOR, object(spec)))).containsExactly(fault);
    assertThat(faults(onUpdate(RESOURCE_FLAVOR, object("{}"), object(spec))))
        .containsExactly(fault);

    ValidationResult kept = onUpdate(RESOURCE_FLAVOR, object(spec), object(spec));

    assertThat(kept.violations()).isEmpty();
    assertThat(kept.warnings()).hasSize(1);
  }

  @Test
  @DisplayName("RF-06 labels, taints and tolerations may change")
  void letsAllChange() {
    assertThat(
            faults(
                onUpdate(
                    RESOURCE_FLAVOR,
                    object("{'nodeLabels':{'a':'b'},'nodeTaints':[],'tolerations':[]}"),
                    object("{'nodeLabels':{'c':'d'}}"))))
        .isEmpty();
  }

  @Test
  @DisplayName("OPP-02 the way round RFS-12 over no spec is closed")
  void refusesToLoseASpecWithATopology() {
    JsonNode none = json("{'metadata':{'name':'a'}}");

    assertThat(faults(onUpdate(RESOURCE_FLAVOR, object("{'topologyName':'t'}"), none)))
        .containsExactly("FORBIDDEN spec");
    assertThat(faults(onUpdate(RESOURCE_FLAVOR, object("{'nodeLabels':{}}"), none))).isEmpty();
  }

  @Test
  @DisplayName("RFD-01 the finalizer, and a spec if there is none")
  void setsTheFinalizer() {
    assertThat(patch(RESOURCE_FLAVOR, creation(json("{'metadata':{'name':'a'}}"))))
        .containsExactly(
            "add /metadata/finalizers [\"kueue.x-k8s.io/resource-in-use\"]", "add /spec {}");
  }

  @Test
  @DisplayName("OPP-12 a Topology that is missing, OPP-18 a change of what is in use")
  void warnsOfWhatTheClusterHas() {
    var world =
        worldOf(
            existing(
                ApiKind.CLUSTER_QUEUE,
                "q",
                "'status':{'flavorsReservation':[{'name':'a','resources':[{'name':'cpu','total':'1'}]}]}"),
            existing(
                ApiKind.CLUSTER_QUEUE,
                "idle",
                "'status':{'flavorsReservation':[{'name':'a','resources':[{'name':'cpu','total':'0'}]}]}"));
    JsonNode old = object("{'nodeLabels':{'a':'b'}}");

    assertThat(check(RESOURCE_FLAVOR, creation(object("{'topologyName':'t'}"), world)).warnings())
        .singleElement()
        .asString()
        .startsWith("spec.topologyName: there is no Topology \"t\"");
    assertThat(check(RESOURCE_FLAVOR, update(old, object("{}"), world)).warnings())
        .containsExactly(
            "spec.nodeLabels: what runs on this flavor by ClusterQueue q keeps its nodes");
    assertThat(check(RESOURCE_FLAVOR, update(old, old, world)).warnings()).isEmpty();
  }
}
