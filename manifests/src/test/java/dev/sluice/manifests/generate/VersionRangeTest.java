package dev.sluice.manifests.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiVersion;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionRangeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          v1beta1           | v1beta1
          v1beta1..         | v1beta1 v1beta2
          ..v1beta1         | v1alpha1 v1beta1
          v1alpha1..v1beta1 | v1alpha1 v1beta1
          """)
  void aRangeHoldsTheVersionsFromEndToEnd(String text, String versions) {
    VersionRange range = VersionRange.find(text).orElseThrow();

    assertThat(Arrays.stream(ApiVersion.values()).filter(range::contains).map(ApiVersion::text))
        .isEqualTo(List.of(versions.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "", "v1beta9", "v1beta9..", "spec", "...", "v1beta1...", "a..b"})
  void otherTextsAreNoRanges(String text) {
    assertThat(VersionRange.find(text)).isEmpty();
  }
}
