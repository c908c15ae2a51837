package dev.sluice.see.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerSeriesTest {
  @ParameterizedTest
  @CsvSource({
    "nightly-29384756, Job/nightly", // of a CronJob
    "train-x7k2m, Job/train", // of a generateName
    "my-train, Job/my-train", // vowels are in no generated suffix
    "train-5, Job/train-5",
    "abc, Job/abc",
  })
  void theStemOfTheOwnersNameIsTheSeries(String owner, String series) {
    String json =
        """
        {"metadata":{"name":"w","namespace":"a","uid":"u","ownerReferences":[{"apiVersion":
        "batch/v1","kind":"Job","name":"%s","uid":"j","controller":true}]},
        "spec":{"podSets":[]}}\
        """
            .formatted(owner);
    Workload workload = HubObjects.read(Workload.class, json.getBytes(StandardCharsets.UTF_8));

    assertThat(OwnerSeries.of(workload.metadata())).isEqualTo(series);
  }
}
