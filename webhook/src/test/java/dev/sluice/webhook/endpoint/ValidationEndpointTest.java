package dev.sluice.webhook.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.Texts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidationEndpointTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Deadline NO_HURRY = Deadline.after(Duration.ofDays(1), System::nanoTime);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ValidationEndpoint topologies =
      endpoint(rules(ApiKind.TOPOLOGY), JsonLimits.DEFAULT);

  private ValidationEndpoint endpoint(KindRules rules, JsonLimits limits) {
    return new ValidationEndpoint(rules, ReviewContext.UNKNOWN, new JsonSyntax(limits), registry);
  }

  private static KindRules rules(ApiKind kind) {
    return StandardRules.book().find(kind.groupKind()).orElseThrow();
  }

  private static KindRules warning(String warning) {
    return KindRules.of(
        ApiKind.TOPOLOGY.hub(),
        (input, findings) -> {
          findings.warn(warning);
          if (input.root().child("spec").isPresent()) {
            findings.add(FieldError.forbidden(input.root().child("spec"), "not today"));
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "COHORT, /validate-kueue-x-k8s-io-v1beta2-cohort",
    "TOPOLOGY, /validate-kueue-x-k8s-io-v1beta2-topology",
    "CLUSTER_QUEUE, /validate-kueue-x-k8s-io-v1beta2-clusterqueue"
  })
  void answersOnThePathOfKueue(ApiKind kind, String path) {
    assertThat(ValidationEndpoint.path(kind.hub())).isEqualTo(path);
  }

  @Test
  void allowsWhatIsValid() {
    JsonNode review = review(topologies, Texts.creation("u-1", "rack"));

    assertThat(review)
        .isEqualTo(
            json(
                """
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",
                "response":{"uid":"u-1","allowed":true,"status":{"code":200}}}
                """));
    assertThat(verdicts("allowed")).isEqualTo(1);
  }

  @Test
  void deniesWith403AndOneMessageOfAllFaults() {
    JsonNode review = review(topologies, Texts.creation("u-2", "rack", "rack", "a b"));

    assertThat(review.at("/response/uid").asText()).isEqualTo("u-2");
    assertThat(review.at("/response/allowed")).isEqualTo(json("false"));
    JsonNode status = review.at("/response/status");
    assertThat(status.properties().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder("status", "code", "reason", "message");
    assertThat(status.path("status").asText()).isEqualTo("Failure");
    assertThat(status.path("code").asInt()).isEqualTo(403);
    assertThat(status.path("reason").asText()).isEqualTo("Forbidden");
    assertThat(status.path("message").asText())
        .startsWith("Topology \"racks\" is invalid: [spec.levels[1].nodeLabel: Duplicate value")
        .contains(", spec.levels[2].nodeLabel: Invalid value: \"a b\"")
        .endsWith("]");
    assertThat(verdicts("denied")).isEqualTo(1);
  }

  @Test
  void handsOnWarningsWithBothVerdicts() {
    ValidationEndpoint warned = endpoint(warning("mind the \"gap\""), JsonLimits.DEFAULT);

    JsonNode denied = review(warned, Texts.creation("u", "rack"));
    JsonNode allowed =
        review(warned, Texts.admission("u", "Topology", "CREATE", "\"object\":{\"a\":1}"));

    assertThat(denied.at("/response/warnings")).isEqualTo(json("[\"mind the \\\"gap\\\"\"]"));
    assertThat(denied.at("/response/allowed")).isEqualTo(json("false"));
    assertThat(allowed.at("/response/warnings")).isEqualTo(denied.at("/response/warnings"));
    assertThat(allowed.at("/response/allowed")).isEqualTo(json("true"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "CONNECT"})
  void allowsWhatStoresNothing(String operation) {
    String body =
        Texts.admission("u", "Topology", operation, "\"object\":null,\"oldObject\":{\"spec\":7}");

    assertThat(review(topologies, body).at("/response/allowed")).isEqualTo(json("true"));
    assertThat(verdicts("allowed")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"object\":null | request.object: missing or no object (expected: a Topology)",
        "\"object\":[] | request.object: missing or no object (expected: a Topology)",
        "\"object\":\"text\" | request.object: missing or no object (expected: a Topology)",
        "\"dryRun\":true | request.object: missing or no object (expected: a Topology)",
      })
  void deniesWith400WhatIsNoObject(String objects, String message) {
    JsonNode review = review(topologies, Texts.admission("u-3", "Topology", "UPDATE", objects));

    assertThat(review.at("/response"))
        .isEqualTo(
            json(
                """
                {"uid":"u-3","allowed":false,"status":
                {"status":"Failure","code":400,"reason":"BadRequest","message":"%s"}}
                """
                    .formatted(message)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"kind\":\"Topology\"}, | \"kind\":\"Cohort\"}, | Cohort of kueue.x-k8s.io/v1beta2",
        "\"version\":\"v1beta2\" | \"version\":\"v1beta1\" | Topology of kueue.x-k8s.io/v1beta1",
        "\"group\":\"kueue.x-k8s.io\" | \"group\":\"a.b\" | Topology of a.b/v1beta2",
        "\"group\":\"kueue.x-k8s.io\" | \"group\":\"a\\u0000b\\n\" | Topology of a b /v1beta2",
      })
  void deniesWith400WhatBelongsOnAnotherPath(String from, String to, String shown) {
    JsonNode review = review(topologies, Texts.creation("u-4", "rack").replace(from, to));

    assertThat(review.at("/response/uid").asText()).isEqualTo("u-4");
    assertThat(review.at("/response/status/code").asInt()).isEqualTo(400);
    assertThat(review.at("/response/status/message").asText())
        .isEqualTo(
            "request.kind: "
                + shown
                + " (expected: Topology of kueue.x-k8s.io/v1beta2 on this path)");
  }

  @Test
  void deniesWith500AndTheUidWhenARuleThrows() {
    Error fault = new NoClassDefFoundError("secret");
    ValidationEndpoint faulty =
        endpoint(
            KindRules.of(
                ApiKind.TOPOLOGY.hub(),
                (_, _) -> {
                  throw fault;
                }),
            JsonLimits.DEFAULT);
    try (var log = new Log(AdmissionEndpoint.class)) {
      JsonNode review = review(faulty, Texts.creation("u-7", "rack"));

      assertThat(review.at("/response"))
          .isEqualTo(
              json(
                  """
                  {"uid":"u-7","allowed":false,"status":{"status":"Failure","code":500,
                  "reason":"InternalError",
                  "message":"internal error; the server's log has the details"}}
                  """));
      assertThat(verdicts("failed")).isEqualTo(1);
      assertThat(log.messages(ch.qos.logback.classic.Level.ERROR)).hasSize(1);
      assertThat(Log.fields(log.events().getFirst())).contains(entry("uid", "u-7"));
    }
  }

  @Test
  void comparesAnUpdateWithWhatWasStored() {
    String stored = Texts.creation("u", "rack");
    String object = stored.substring(stored.indexOf("\"object\":"), stored.length() - 2);
    String changed = object.replace("rack", "row");
    String body =
        Texts.admission(
            "u",
            "Topology",
            "UPDATE",
            changed + "," + object.replace("\"object\"", "\"oldObject\""));

    JsonNode review = review(topologies, body);

    assertThat(review.at("/response/status/message").asText()).contains("spec.levels");
    assertThat(review.at("/response/status/code").asInt()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"uid\":\"u\", | '' | request.uid: missing",
        "\"uid\":\"u\" | \"uid\":7 | request.uid",
        "admission.k8s.io/v1 | admission.k8s.io/v1beta1 | expected: admission.k8s.io/v1)",
        "\"operation\":\"CREATE\", | '' | request.operation: missing",
        "\"CREATE\" | \"PATCH\" | request.operation: unknown",
        "\"version\":\"v1beta2\", | '' | request.kind.version: missing",
        "\"uid\": | \"uid\":\"v\",\"uid\": | uid",
      })
  void saysWith400WhyAReviewCannotBeAnswered(String from, String to, String sentence) {
    Answer answer = answer(topologies, Texts.creation("u", "rack").replace(from, to));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(text(answer)).contains(sentence).endsWith("\n").hasLineCount(1);
    assertThat(answer.contentType()).isEqualTo("text/plain; charset=utf-8");
  }

  @Test
  void readsWhateverTheConfiguredBoundsLetThrough() {
    ValidationEndpoint generous =
        endpoint(rules(ApiKind.TOPOLOGY), new JsonLimits(2_000, 4 << 20, 5_000));
    String deep = "[".repeat(1_500) + "]".repeat(1_500);
    String body =
        Texts.creation("u", "rack")
            .replace(
                "\"spec\":", "\"deep\":" + deep + ",\"n\":" + "1".repeat(4_000) + ",\"spec\":");

    assertThat(review(generous, body).at("/response/allowed")).isEqualTo(json("true"));
    assertThat(answer(topologies, body).status()).isEqualTo(413);
  }

  @Test
  void logsEachDenialWithTheFieldsOfItsReview() {
    try (var log = new Log(AdmissionEndpoint.class)) {
      answer(topologies, Texts.creation("u-5", "rack", "rack"));

      var event = log.events().getFirst();
      assertThat(log.events()).hasSize(1);
      assertThat(event.getLevel()).isEqualTo(ch.qos.logback.classic.Level.DEBUG);
      assertThat(event.getFormattedMessage()).contains("spec.levels[1].nodeLabel");
      assertThat(Log.fields(event))
          .contains(
              entry("uid", "u-5"),
              entry("kind", "Topology"),
              entry("name", "racks"),
              entry("operation", "CREATE"),
              entry("allowed", false));
    }
  }

  @Test
  void logsTheUidOfAReviewOnTheWrongPathToo() {
    try (var log = new Log(AdmissionEndpoint.class)) {
      answer(topologies, Texts.creation("u-6", "rack").replace("v1beta2\",\"kind", "v1\",\"kind"));

      assertThat(Log.fields(log.events().getFirst())).contains(entry("uid", "u-6"));
    }
  }

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void answersItsOwnProbe(ApiKind kind) {
    var endpoint =
        new ValidationEndpoint(
            KindRules.of(kind.hub(), (_, _) -> {}),
            ReviewContext.UNKNOWN,
            new JsonSyntax(JsonLimits.DEFAULT),
            registry);
    Probe probe = endpoint.probe();

    Answer answer = answer(endpoint, probe.body());

    assertThat(probe.isAnsweredBy(answer.status(), text(answer))).isTrue();
    assertThat(probe.isAnsweredBy(500, text(answer))).isFalse();
    assertThat(probe.isAnsweredBy(200, text(answer).replace(Probe.UID, "other"))).isFalse();
    assertThat(probe.isAnsweredBy(200, "{\"uid\":\"" + Probe.UID + "\"}")).isFalse();
  }

  private double verdicts(String verdict) {
    return registry
        .get("sluice.admission.reviews")
        .tags("kind", "Topology.kueue.x-k8s.io", "phase", "validate", "verdict", verdict)
        .counter()
        .count();
  }

  private static Answer answer(Endpoint endpoint, String body) {
    return endpoint.answer(body.getBytes(UTF_8), NO_HURRY);
  }

  private static JsonNode review(Endpoint endpoint, String body) {
    Answer answer = answer(endpoint, body);
    assertThat(answer.status()).as(text(answer)).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.length()).isEqualTo(text(answer).getBytes(UTF_8).length);
    return json(text(answer));
  }

  static String text(Answer answer) {
    var all = new ByteArrayOutputStream();
    List<byte[]> segments = answer.segments();
    segments.forEach(all::writeBytes);
    return all.toString(UTF_8);
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
