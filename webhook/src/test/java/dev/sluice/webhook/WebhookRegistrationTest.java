package dev.sluice.webhook;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.rules.KindRules;
import java.net.URI;
import org.junit.jupiter.api.Test;

class WebhookRegistrationTest {
  private static final GroupVersionKind ORDER =
      new GroupVersionKind("bakery.example", "v1", "Order");
  private static final KindRules CHECKED = KindRules.of(ORDER, (_, _) -> {});
  private static final KindRules DEFAULTED = KindRules.of(ORDER, (_, _, _) -> {}, (_, _) -> {});
  private static final WebhookRegistration SERVICE =
      WebhookRegistration.ofService("bakery", "hooks", "PEM");

  @Test
  void namesTheServiceAndItsAuthoritiesForConversions() throws Exception {
    assertThat((JsonNode) SERVICE.conversion())
        .isEqualTo(
            json(
                """
                {'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],
                'clientConfig':{'caBundle':'UEVN','service':
                {'namespace':'bakery','name':'hooks','port':443,'path':'/convert'}}}}
                """));
  }

  @Test
  void hasTheRulesAskedAboutEachWriteOfTheKind() throws Exception {
    WebhookRegistration url = WebhookRegistration.ofUrl(URI.create("https://h:9443"), "PEM");

    assertThat((JsonNode) url.validating("bakery", CHECKED, "orders"))
        .isEqualTo(
            json(
                """
                {'apiVersion':'admissionregistration.k8s.io/v1',
                'kind':'ValidatingWebhookConfiguration','metadata':{'name':'bakery'},'webhooks':[
                {'name':'validating.orders.bakery.example','failurePolicy':'Fail',
                'sideEffects':'None','timeoutSeconds':5,'admissionReviewVersions':['v1'],
                'clientConfig':{'caBundle':'UEVN',
                'url':'https://h:9443/validate-bakery-example-v1-order'},
                'rules':[{'apiGroups':['bakery.example'],'apiVersions':['v1'],
                'resources':['orders'],'operations':['CREATE','UPDATE']}]}]}
                """));
  }

  @Test
  void hasTheDefaulterAskedWhenItRuns() {
    JsonNode webhook = SERVICE.mutating("bakery", DEFAULTED, "orders").path("webhooks").path(0);

    assertThat(webhook.at("/clientConfig/service/path").asText())
        .isEqualTo("/mutate-bakery-example-v1-order");
    assertThat(webhook.at("/rules/0/operations").toString()).isEqualTo("[\"CREATE\"]");
    assertThatThrownBy(() -> SERVICE.mutating("bakery", CHECKED, "orders"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
