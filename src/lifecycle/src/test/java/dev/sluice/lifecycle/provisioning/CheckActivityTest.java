package dev.sluice.lifecycle.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.ProvisioningRequestConfig;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.read.HubObjects;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckActivityTest {
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");

  private static AdmissionCheck check(String parameters, String conditions) {
    return HubObjects.read(
        AdmissionCheck.class,
        (JsonNode)
            ProvisioningStory.read(
                """
                {'metadata':{'name':'nodes','generation':3},'spec':{
                'controllerName':'kueue.x-k8s.io/provisioning-request'%s},
                'status':{'conditions':[%s]}}\
                """
                    .formatted(parameters, conditions)));
  }

  private static String parameters(String group, String kind, String name) {
    return ",'parameters':{'apiGroup':'%s','kind':'%s','name':'%s'}".formatted(group, kind, name);
  }

  private static Optional<ProvisioningRequestConfig> config(String name) {
    return name.equals("known")
        ? Optional.of(
            HubObjects.read(
                ProvisioningRequestConfig.class,
                (JsonNode)
                    ProvisioningStory.read(
                        "{'metadata':{'name':'known'},'spec':{'provisioningClassName':'c'}}")))
        : Optional.empty();
  }

  private static String told(AdmissionCheck check, boolean served) {
    List<Condition> conditions =
        CheckActivity.of(check, served, CheckActivityTest::config).in(check, T);
    assertThat(conditions).hasSize(1);
    Condition condition = conditions.getFirst();
    assertThat(condition.type()).isEqualTo("Active");
    assertThat(condition.observedGeneration()).isEqualTo(3);
    return condition.status().text() + " " + condition.reason() + ": " + condition.message();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kueue.x-k8s.io | ProvisioningRequestConfig | known"
            + " | True Active: The admission check is active",
        "kueue.x-k8s.io | ProvisioningRequestConfig | other"
            + " | False BadParametersRef: ProvisioningRequestConfig other does not exist",
        "kueue.x-k8s.io | MultiKueueConfig | known"
            + " | False BadParametersRef: spec.parameters does not name a"
            + " ProvisioningRequestConfig (expected: one of kueue.x-k8s.io)",
        "example.com | ProvisioningRequestConfig | known"
            + " | False BadParametersRef: spec.parameters does not name a"
            + " ProvisioningRequestConfig (expected: one of kueue.x-k8s.io)",
      })
  void aCheckWorksIfItsConfigurationIsThere(String group, String kind, String name, String told) {
    assertThat(told(check(parameters(group, kind, name), ""), true)).isEqualTo(told);
  }

  @Test
  void aCheckWithoutParametersDoesNotWork() {
    assertThat(told(check("", ""), true)).startsWith("False BadParametersRef: ");
  }

  @Test
  void aCheckDoesNotWorkWhereNobodyCanAnswer() {
    String known = parameters("kueue.x-k8s.io", "ProvisioningRequestConfig", "known");

    assertThat(told(check(known, ""), false))
        .isEqualTo(
            "False ProvisioningRequestsNotServed: The API server does not serve"
                + " ProvisioningRequest of autoscaling.x-k8s.io/v1 (expected: the"
                + " CustomResourceDefinition of the cluster autoscaler)");
  }

  @Test
  void theTimeOfTheConditionChangesOnlyWithItsStatus() {
    String active =
        """
        {'type':'Active','status':'%s','reason':'R','message':'',
        'lastTransitionTime':'2026-01-01T00:00:00Z'}\
        """;
    String known = parameters("kueue.x-k8s.io", "ProvisioningRequestConfig", "known");
    AdmissionCheck same = check(known, active.formatted("True"));
    AdmissionCheck other = check(known, active.formatted("False"));

    assertThat(CheckActivity.of(same, true, CheckActivityTest::config).in(same, T))
        .extracting(Condition::lastTransitionTime)
        .containsExactly(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(CheckActivity.of(other, true, CheckActivityTest::config).in(other, T))
        .extracting(Condition::lastTransitionTime)
        .containsExactly(T);
  }
}
