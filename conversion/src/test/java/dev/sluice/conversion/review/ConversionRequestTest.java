package dev.sluice.conversion.review;

import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.review.Reviews.review;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.conversion.review.BadReviewException.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConversionRequestTest {

  @Test
  void readsUidVersionAndObjects() throws Exception {
    ConversionRequest request = read(review(V1BETA2, List.of("{'a':1}", "7")));

    assertThat(request.uid()).isEqualTo("u-1");
    assertThat(request.desired()).isEqualTo("kueue.x-k8s.io/v1beta2");
    assertThat(request.objects().size()).isEqualTo(2);
  }

  @Test
  void readsMembersInAnyOrderAmongUnknownOnes() throws Exception {
    ConversionRequest request =
        read(
            json(
                "{'x':[],'request':{'objects':[{}],'y':{},'desiredAPIVersion':'z','uid':'u'},"
                    + "'response':null,'apiVersion':'apiextensions.k8s.io/v1',"
                    + "'kind':'ConversionReview'}"));

    assertThat(request.objects().size()).isEqualTo(1);
    assertThat(request.desired()).isEqualTo("z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null"})
  void takesNullForNoObjects(String objects) throws Exception {
    String review = review(V1BETA2, List.of());

    assertThat(read(review.replace("[]", objects)).objects().size()).isZero();
    assertThat(read(review.replace(json(",'objects':[]"), "")).objects().size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "{", "x", "{}{}", "{\"a\":1,\"a\":1}"})
  void refusesABodyThatIsNoJson(String body) {
    assertBad(body, Reason.MALFORMED, "the body is no JSON");
  }

  @Test
  void refusesABodyBeyondABound() {
    assertBad("[".repeat(10_000), Reason.OVER_LIMIT, "bound");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "7", "'ConversionReview'", "true"})
  void refusesABodyThatIsNoObject(String body) {
    assertBad(json(body), Reason.MALFORMED, "the body");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|kind",
        "{'kind':'AdmissionReview'}|kind: \"AdmissionReview\" (expected: ConversionReview)",
        "{'kind':null,'apiVersion':'apiextensions.k8s.io/v1'}|kind: missing",
        "{'kind':'ConversionReview'}|apiVersion: missing",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1beta1'}"
            + "|apiVersion: \"apiextensions.k8s.io/v1beta1\" (expected: apiextensions.k8s.io/v1)",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1'}|request",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':null}|request",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':[]}|request",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{}}|request.uid",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':7}}"
            + "|request.uid",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':''}}"
            + "|request.uid",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':'u'}}"
            + "|request.desiredAPIVersion",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':'u',"
            + "'desiredAPIVersion':1}}|request.desiredAPIVersion",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':'u',"
            + "'desiredAPIVersion':'v','objects':{}}}|request.objects",
        "{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':{'uid':'u',"
            + "'desiredAPIVersion':'v','objects':'x'}}|request.objects",
      })
  void refusesWhatIsNoReviewWeSpeakAndSaysWhy(String body, String message) {
    assertBad(json(body), Reason.MALFORMED, message);
  }

  @Test
  void repeatsOnlyALittleOfWhatItRefuses() {
    assertThatThrownBy(() -> read(json("{'kind':'" + "x".repeat(100_000) + "'}")))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void repeatsWhatItRefusesOnlyInPrintableCharacters() {
    assertBad(
        json("{'kind':'a\\n\\u202e\\u0000\\ud800b'}"),
        Reason.MALFORMED,
        "kind: \"a    b\" (expected: ConversionReview)");
  }

  private static void assertBad(String body, Reason reason, String message) {
    assertThatThrownBy(() -> read(body))
        .isInstanceOfSatisfying(
            BadReviewException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(message);
  }

  private static ConversionRequest read(String body) throws BadReviewException {
    return ConversionRequest.read(body.getBytes(UTF_8), Reviews.SYNTAX);
  }
}
