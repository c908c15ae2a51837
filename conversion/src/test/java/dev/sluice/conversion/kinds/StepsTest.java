package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.step.VersionStep;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepsTest {

  @ParameterizedTest
  @EnumSource(names = {"COHORT", "TOPOLOGY"})
  void takesOneVersionAtATime(ApiKind kind) {
    assertThat(older(kind, V1ALPHA1, V1BETA2)).containsExactly(V1ALPHA1, V1BETA1);
    assertThat(older(kind, V1BETA2, V1ALPHA1)).containsExactly(V1BETA1, V1ALPHA1);
    assertThat(older(kind, V1ALPHA1, V1BETA1)).containsExactly(V1ALPHA1);
    assertThat(older(kind, V1BETA2, V1BETA1)).containsExactly(V1BETA1);
    assertThat(older(kind, V1BETA1, V1BETA1)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void hasAStepBetweenTheTwoVersionsOfEveryKind(ApiKind kind) {
    assertThat(older(kind, V1BETA1, V1BETA2)).containsExactly(V1BETA1);
    assertThat(older(kind, V1BETA2, V1BETA1)).containsExactly(V1BETA1);
    assertThat(older(kind, V1BETA2, V1BETA2)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"COHORT", "TOPOLOGY"})
  void refusesAVersionThatTheKindLacks(ApiKind kind) {
    assertThatThrownBy(() -> Steps.between(kind, V1ALPHA1, V1BETA2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("v1alpha1 (expected: one of [v1beta1, v1beta2])");
  }

  private static List<ApiVersion> older(ApiKind kind, ApiVersion from, ApiVersion to) {
    return Steps.between(kind, from, to).stream()
        .map(VersionStep::older)
        .flatMap(it -> ApiVersion.findByText(it).stream())
        .toList();
  }
}
