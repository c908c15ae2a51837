package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.law.Step;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepsTest {

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void takesOneVersionAtATime(ApiKind kind) {
    assertThat(older(kind, V1ALPHA1, V1BETA2)).containsExactly(V1ALPHA1, V1BETA1);
    assertThat(older(kind, V1BETA2, V1ALPHA1)).containsExactly(V1BETA1, V1ALPHA1);
    assertThat(older(kind, V1ALPHA1, V1BETA1)).containsExactly(V1ALPHA1);
    assertThat(older(kind, V1BETA2, V1BETA1)).containsExactly(V1BETA1);
    assertThat(older(kind, V1BETA1, V1BETA1)).isEmpty();
  }

  private static List<ApiVersion> older(ApiKind kind, ApiVersion from, ApiVersion to) {
    return Steps.between(kind, from, to).stream().map(Step::older).toList();
  }
}
