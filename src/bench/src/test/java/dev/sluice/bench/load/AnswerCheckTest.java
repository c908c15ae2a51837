package dev.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiVersion;
import dev.sluice.bench.objects.Expected;
import dev.sluice.bench.objects.Review;
import dev.sluice.bench.server.Yardstick;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerCheckTest {
  private static final Review REVIEW =
      new Review("/convert", "u1", 1, new Expected.Converted(ApiVersion.HUB), new byte[10]);

  @ParameterizedTest
  @CsvSource({
    "200, u1, kueue.x-k8s.io/v1beta2, Success, true",
    "429, u1, kueue.x-k8s.io/v1beta2, Success, false",
    "200, u2, kueue.x-k8s.io/v1beta2, Success, false",
    "200, u1, kueue.x-k8s.io/v1beta1, Success, false",
    "200, u1, kueue.x-k8s.io/v1beta2, Failure, false",
  })
  void takesOnlyAConversionOfEveryObjectForAGoodAnswer(
      int status, String uid, String version, String result, boolean good) {
    Buffer answer =
        Buffer.buffer(
            """
            {"response":{"uid":"%s","convertedObjects":[{"apiVersion":"%s"}],\
            "result":{"status":"%s"}}}\
            """
                .formatted(uid, version, result));

    assertThat(new AnswerCheck(Yardstick.SLUICE).problem(REVIEW, status, answer).isEmpty())
        .isEqualTo(good);
  }

  @ParameterizedTest
  @CsvSource({"u1, true, true", "u1, false, false", "u2, true, false"})
  void takesOnlyAPermissionForAGoodAnswerToAnAdmissionReview(
      String uid, boolean allowed, boolean good) {
    Review review = new Review("/validate", "u1", 1, new Expected.Allowed(), new byte[10]);
    Buffer answer =
        Buffer.buffer("{\"response\":{\"uid\":\"%s\",\"allowed\":%s}}".formatted(uid, allowed));

    for (Yardstick yardstick : new Yardstick[] {Yardstick.SLUICE, Yardstick.BARE}) {
      assertThat(new AnswerCheck(yardstick).problem(review, 200, answer).isEmpty()).isEqualTo(good);
    }
  }
}
