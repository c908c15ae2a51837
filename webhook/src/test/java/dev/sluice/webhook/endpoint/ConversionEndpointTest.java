package dev.sluice.webhook.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import ch.qos.logback.classic.Level;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import dev.sluice.webhook.Texts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConversionEndpointTest {
  private static final String V1BETA2 = "kueue.x-k8s.io/v1beta2";
  private static final String WITHOUT_LEVELS =
      Texts.topology("odd").replaceAll("\"levels\":\\[.*?]", "\"levels\":[]");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong clock = new AtomicLong();
  private final ConversionEndpoint endpoint = endpoint(1 << 20);

  private ConversionEndpoint endpoint(long maxAnswerBytes) {
    return new ConversionEndpoint(
        new JsonSyntax(JsonLimits.DEFAULT),
        maxAnswerBytes,
        new ConversionMeters(registry),
        () -> clock.getAndAdd(1_000));
  }

  private Answer answer(String body) {
    return endpoint.answer(
        body.getBytes(UTF_8), Deadline.after(Duration.ofDays(1), System::nanoTime));
  }

  @Test
  void answersItsOwnProbe() {
    Answer answer = answer(endpoint.probe().body());

    assertThat(endpoint.probe().isAnsweredBy(answer.status(), ValidationEndpointTest.text(answer)))
        .isTrue();
  }

  @Test
  void measuresEachObjectByKindVersionsAndResult() {
    answer(
        Texts.conversion(
            "u",
            V1BETA2,
            List.of(
                Texts.topology("a"), Texts.cohort("c"), Texts.cohort("d"), "{\"kind\":\"Cat\"}")));

    assertThat(objects("Topology", "v1alpha1", "success")).isEqualTo(1);
    assertThat(objects("Cohort", "v1alpha1", "success")).isEqualTo(2);
    assertThat(objects("unknown", "unknown", "failure")).isEqualTo(1);
    var time = registry.get("sluice.conversion.objects").tags("kind", "Topology").timer();
    assertThat(time.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(1_000);
    var bytes = registry.get("sluice.conversion.object.bytes").tags("kind", "Cohort").summary();
    assertThat(bytes.totalAmount())
        .isEqualTo(Texts.cohort("c").length() + Texts.cohort("d").length());
  }

  private long objects(String kind, String from, String result) {
    return registry
        .get("sluice.conversion.objects")
        .tags("kind", kind, "from", from, "to", "v1beta2", "result", result)
        .timer()
        .count();
  }

  @Test
  void stopsWithA503WhenTimeIsOver() {
    String body = Texts.largeConversion("u", 100);

    Answer answer =
        endpoint.answer(
            body.getBytes(UTF_8), Deadline.after(Duration.ofNanos(9_000), clock::incrementAndGet));

    assertThat(answer.status()).isEqualTo(503);
    assertThat(ValidationEndpointTest.text(answer))
        .contains("time was over after")
        .contains("of 100 objects");
  }

  @Test
  void stopsWithA413WhenTheAnswerGrowsTooLarge() {
    Answer answer =
        endpoint(500)
            .answer(
                Texts.largeConversion("u", 100).getBytes(UTF_8),
                Deadline.after(Duration.ofDays(1), System::nanoTime));

    assertThat(answer.status()).isEqualTo(413);
    assertThat(ValidationEndpointTest.text(answer)).contains("more than 500 bytes");
  }

  @Test
  void answersAReviewWithItsUidThatFailedWhenConvertingThrows() {
    Error fault = new NoClassDefFoundError("secret");
    try (var log = new Log(ConversionEndpoint.class)) {
      ConversionEndpoint faulty =
          new ConversionEndpoint(
              new JsonSyntax(JsonLimits.DEFAULT),
              1 << 20,
              new ConversionMeters(registry),
              () -> {
                throw fault;
              });

      Answer answer =
          faulty.answer(
              Texts.conversion("u-10", "a", "b").getBytes(UTF_8),
              Deadline.after(Duration.ofDays(1), System::nanoTime));

      assertThat(answer.status()).isEqualTo(200);
      assertThat(ValidationEndpointTest.text(answer))
          .contains("\"uid\":\"u-10\"")
          .contains("\"convertedObjects\":[]")
          .contains("\"status\":\"Failure\"")
          .contains("internal error")
          .doesNotContain("secret");
      assertThat(log.messages(Level.ERROR)).hasSize(1);
      assertThat(Log.fields(log.events().getFirst())).contains(entry("uid", "u-10"));
    }
  }

  @Test
  void warnsOfAnOddObjectOnceAnHourButCountsItEachTime() {
    try (var log = new Log(ObjectLog.class)) {
      String body = Texts.conversion("u-7", V1BETA2, List.of(WITHOUT_LEVELS));

      answer(body);
      answer(body);
      assertThat(log.messages(Level.WARN)).hasSize(1);
      clock.addAndGet(Duration.ofHours(1).toNanos());
      answer(body);

      assertThat(log.messages(Level.WARN)).hasSize(2);
      assertThat(Log.fields(log.events().getFirst()))
          .contains(
              entry("uid", "u-7"),
              entry("kind", "Topology"),
              entry("name", "odd"),
              entry("reason", "levels_missing"));
    }
    assertThat(
            registry
                .get("sluice.conversion.suspect.objects")
                .tags("kind", "Topology", "reason", "levels_missing")
                .counter()
                .count())
        .isEqualTo(3);
  }

  @Test
  void remembersAThousandOddObjectsAndNoMore() {
    try (var log = new Log(ObjectLog.class)) {
      answer(odd(0, 1_000));
      answer(odd(0, 1_000));
      assertThat(log.messages(Level.WARN)).hasSize(1_000);

      answer(odd(1_000, 1)); // pushes out the oldest
      answer(odd(1, 999));
      assertThat(log.messages(Level.WARN)).hasSize(1_001);
      answer(odd(0, 1));

      assertThat(log.messages(Level.WARN)).hasSize(1_002);
    }
  }

  private static String odd(int first, int count) {
    return Texts.conversion(
        "u",
        V1BETA2,
        IntStream.range(first, first + count)
            .mapToObj(i -> WITHOUT_LEVELS.replace("\"odd\"", "\"odd-" + i + "\""))
            .toList());
  }

  @Test
  void logsEachReviewWithItsUid() {
    try (var log = new Log(ConversionEndpoint.class)) {
      answer(Texts.conversion("u-8", "a", "b"));

      assertThat(Log.fields(log.events().getFirst()))
          .contains(entry("uid", "u-8"), entry("desiredAPIVersion", V1BETA2), entry("objects", 2));
    }
  }

  @Test
  void logsWhyAnObjectWasRefusedWithTheUidOfItsReview() {
    try (var log = new Log(ConversionEndpoint.class)) {
      answer(Texts.conversion("u-9", V1BETA2, List.of("[]")));

      assertThat(log.events().getFirst().getFormattedMessage()).contains("expected: an object");
      assertThat(Log.fields(log.events().getFirst())).contains(entry("uid", "u-9"));
    }
  }
}
