package dev.sluice.api.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.GroupVersionKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleSettingsTest {
  @ParameterizedTest(name = "admission: {0} {1}, scheduler: {2} {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "batch/job, '', batch/job, '', -",
        "'batch/job,ray.io/rayjob', '', batch/job, '',"
            + " 'job kind ray.io/rayjob is on for admission only: its jobs are suspended,"
            + " and nothing starts them'",
        "batch/job, '', 'batch/job,pod', '',"
            + " 'job kind pod is on for the scheduler only: nothing suspends its jobs when they are"
            + " created'",
        "'', '', '', ConcurrentAdmission=true,"
            + " feature gate ConcurrentAdmission=true is set for the scheduler only",
        "'', ReclaimablePods=false, '', '',"
            + " feature gate ReclaimablePods=false is set for admission only",
      })
  void eachDifferenceIsASentence(
      String kinds, String gates, String schedulerKinds, String schedulerGates, String sentence) {
    assertThat(
            RoleSettings.parse(kinds, gates)
                .differencesFrom(RoleSettings.parse(schedulerKinds, schedulerGates)))
        .isEqualTo(sentence == null ? List.of() : List.of(sentence));
  }

  @Test
  void aKindThatBringsPodsWithItTurnsThemOn() {
    assertThat(of("integrations: {frameworks: [statefulset]}", Extensions.DEFAULT).jobKindList())
        .isEqualTo("pod,statefulset");
  }

  @Test
  void customKindsAndGatesCount() {
    Extensions extensions =
        new Extensions(
            Extensions.DEFAULT.podGuard(),
            Extensions.DEFAULT.quotaFence(),
            List.of(
                new CustomKind(
                    new GroupVersionKind("example.com", "v1", "Render"),
                    "renders",
                    ObjectPath.parse("spec.suspend"),
                    List.of(),
                    Optional.empty())));

    RoleSettings settings =
        of("featureGates: {ConcurrentAdmission: true, PartialAdmission: true}", extensions);

    assertThat(settings.jobKindList()).isEqualTo("Render.v1.example.com,batch/job");
    assertThat(settings.gateList()).isEqualTo("ConcurrentAdmission=true");
    assertThat(RoleSettings.parse(settings.jobKindList(), settings.gateList())).isEqualTo(settings);
  }

  private static RoleSettings of(String members, Extensions extensions) {
    return RoleSettings.of(Documents.configuration(members), extensions);
  }
}
