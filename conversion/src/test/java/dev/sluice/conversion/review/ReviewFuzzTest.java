package dev.sluice.conversion.review;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Conversions;
import dev.sluice.conversion.Conversions.Way;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.laws.Drawings;
import dev.sluice.conversion.step.Mode;
import dev.sluice.testkit.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Throws bytes at the converter of reviews: reviews of drawn objects, whole, cut, spliced, with
 * bytes changed and with JSON put where it does not belong. {@code -Dsluice.fuzz.seconds=600} goes
 * on for as long, and {@code -Dsluice.fuzz.seed=7} throws others.
 */
class ReviewFuzzTest {
  private static final long SECONDS = Tier.number("sluice.fuzz.seconds", 1, 4);
  private static final long SEED = Long.getLong("sluice.fuzz.seed", 20261121);
  private static final int FEWEST = 500; // on a busy machine, too
  private static final long HANGS_AFTER_SECONDS = 60;
  private static final long SLOWEST_MILLIS = 5_000;
  private static final long MOST_ANSWER = 4 << 20;
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();
  private static final List<Way> WAYS =
      Stream.of(ApiKind.values()).flatMap(kind -> Conversions.waysOf(kind).stream()).toList();
  private static final List<String> SCRAPS =
      List.of(
          "null",
          "[]",
          "{}",
          "\"\"",
          "1e999",
          "-0",
          "{\"a\":",
          "]",
          "}",
          ",",
          ":",
          "\\u0000",
          "\\ud800",
          "\"",
          "\n",
          "\u202e",
          "2147483647",
          "99999999999999999999",
          "[[[[[[[[",
          "{\"\":{\"\":{\"\":",
          "true",
          "\"v1beta1\"",
          "kueue.x-k8s.io/v1beta2",
          "\ufeff");

  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);

  private volatile byte[] current = new byte[0];

  @Test
  void whateverIsSentIsAnsweredOrRefusedInOneSentence() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(SECONDS + HANGS_AFTER_SECONDS), this::fuzz, () -> shown(current));
  }

  private void fuzz() {
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    int tried = 0;
    int answered = 0;
    while (tried < FEWEST || System.nanoTime() < end) {
      byte[] body = body();
      current = body;
      long before = System.nanoTime();
      answered += holds(body) ? 1 : 0;
      assertThat(Duration.ofNanos(System.nanoTime() - before).toMillis())
          .as(() -> shown(body))
          .isLessThan(SLOWEST_MILLIS);
      tried++;
    }
    System.out.printf("fuzz: %d bodies, %d of them answered%n", tried, answered);
    assertThat(answered).isBetween(1, tried - 1);
  }

  /**
   * Whether the body was answered with a review; fails if what came is neither that nor refused.
   */
  private static boolean holds(byte[] body) {
    try {
      Mode mode = body.length % 2 == 0 ? Mode.CARRY : Mode.FAIL;
      ConversionRequest request = ConversionRequest.read(body, Reviews.SYNTAX);
      byte[] answer =
          new ReviewConverter(new Converter(mode), MOST_ANSWER)
              .answer(request, ConversionListener.NONE, () -> false)
              .toByteArray();
      assertIsReview(MAPPER.readTree(body), MAPPER.readTree(answer));
      return true;
    } catch (BadReviewException e) {
      assertThat(e.sentence()).matches("[^\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]{5,1000}");
      return false;
    } catch (AssertionError | RuntimeException | StackOverflowError e) {
      throw new AssertionError(shown(body), e);
    } catch (IOException e) {
      throw new UncheckedIOException(shown(body), e);
    }
  }

  private static void assertIsReview(JsonNode review, JsonNode answer) {
    JsonNode response = answer.path("response");
    JsonNode request = review.path("request");
    assertThat(answer.path("apiVersion").textValue()).isEqualTo("apiextensions.k8s.io/v1");
    assertThat(answer.path("kind").textValue()).isEqualTo("ConversionReview");
    assertThat(response.path("uid")).isEqualTo(request.path("uid"));
    JsonNode converted = response.path("convertedObjects");
    if (!response.at("/result/status").asText().equals("Success")) {
      assertThat(converted).isEmpty();
      assertThat(response.at("/result/message").asText())
          .matches("[^\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]{5,}");
      return;
    }
    assertThat(converted.size()).isEqualTo(request.path("objects").size());
    for (int i = 0; i < converted.size(); i++) {
      JsonNode in = request.path("objects").get(i);
      JsonNode out = converted.get(i);
      assertThat(out.path("apiVersion")).isEqualTo(request.path("desiredAPIVersion"));
      assertThat(out.path("kind")).isEqualTo(in.path("kind"));
      assertThat(out.at("/metadata/name")).isEqualTo(in.at("/metadata/name"));
      assertThat(out.at("/metadata/uid")).isEqualTo(in.at("/metadata/uid"));
    }
  }

  private byte[] body() {
    byte[] body = review().getBytes(UTF_8);
    for (int edits = random.nextInt(4); edits > 0 && body.length > 0; edits--) {
      body = edited(body);
    }
    return body;
  }

  private String review() {
    Way way = WAYS.get(random.nextInt(WAYS.size()));
    List<String> objects = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Way other = random.nextInt(8) == 0 ? WAYS.get(random.nextInt(WAYS.size())) : way;
      objects.add(Drawings.draw(other.kind(), other.from(), random));
    }
    ApiVersion desired = random.nextInt(8) == 0 ? ApiVersion.V1ALPHA1 : way.to();
    return Reviews.review(desired, objects);
  }

  private byte[] edited(byte[] body) {
    int at = random.nextInt(body.length);
    int to = Math.min(body.length, at + 1 + random.nextInt(random.nextBoolean() ? 4 : 200));
    return switch (random.nextInt(6)) {
      case 0 -> joined(body, 0, at);
      case 1 -> joined(joined(body, 0, at), 0, at, body, to, body.length);
      case 2 -> {
        byte[] changed = body.clone();
        changed[at] = (byte) random.nextInt(256);
        yield changed;
      }
      case 3 -> {
        byte[] changed = body.clone();
        changed[at] ^= (byte) (1 << random.nextInt(8));
        yield changed;
      }
      case 4 -> joined(body, 0, to, body, at, body.length);
      default -> {
        byte[] scrap = SCRAPS.get(random.nextInt(SCRAPS.size())).getBytes(UTF_8);
        byte[] head = joined(body, 0, at, scrap, 0, scrap.length);
        yield joined(head, 0, head.length, body, random.nextBoolean() ? at : to, body.length);
      }
    };
  }

  private static byte[] joined(byte[] a, int from, int to) {
    return joined(a, from, to, a, 0, 0);
  }

  private static byte[] joined(byte[] a, int aFrom, int aTo, byte[] b, int bFrom, int bTo) {
    byte[] joined = new byte[aTo - aFrom + bTo - bFrom];
    System.arraycopy(a, aFrom, joined, 0, aTo - aFrom);
    System.arraycopy(b, bFrom, joined, aTo - aFrom, bTo - bFrom);
    return joined;
  }

  private static String shown(byte[] body) {
    return new String(body, UTF_8) + "\nhex: " + HexFormat.of().formatHex(body);
  }
}
