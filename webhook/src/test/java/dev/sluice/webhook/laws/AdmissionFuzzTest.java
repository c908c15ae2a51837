package dev.sluice.webhook.laws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.testkit.Tier;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.MutationEndpoint;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Throws bytes at every admission path: reviews of drawn objects, whole, cut, spliced, with bytes
 * changed and with JSON put where it does not belong. {@code -Dsluice.fuzz.seconds=600} goes on for
 * as long, and {@code -Dsluice.fuzz.seed=7} throws others.
 */
class AdmissionFuzzTest {
  private static final long SECONDS = Tier.number("sluice.fuzz.seconds", 1, 6);
  private static final long SEED = Long.getLong("sluice.fuzz.seed", 20261121);
  private static final int FEWEST = 500; // on a busy machine, too
  private static final long HANGS_AFTER_SECONDS = 60;
  private static final long SLOWEST_MILLIS = 5_000;
  private static final String SENTENCE = "[^\\p{Cntrl}\\p{Zl}\\p{Zp}]{5,}";
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();
  private static final Deadline NO_HURRY = Deadline.after(Duration.ofDays(1), System::nanoTime);
  private static final List<String> OPERATIONS =
      List.of("CREATE", "CREATE", "UPDATE", "UPDATE", "DELETE", "CONNECT", "PATCH");
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
          "2147483648",
          "99999999999999999999",
          "[[[[[[[[",
          "{\"\":{\"\":{\"\":",
          "true",
          "\"UPDATE\"",
          "\ufeff");

  private final Random random = new Random(SEED);
  private final RandomObjects objects = new RandomObjects(random);
  private final List<Target> targets = targets();
  private volatile Attempt current = new Attempt(targets.getFirst(), new byte[0]);

  /** An endpoint, and the kind it is for. */
  private record Target(KindRules kind, Endpoint endpoint) {}

  /** What is sent where. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Attempt(Target target, byte[] body) {
    String story() {
      return "%s: %s%nhex: %s"
          .formatted(
              target.endpoint.path(), new String(body, UTF_8), HexFormat.of().formatHex(body));
    }
  }

  private static List<Target> targets() {
    JsonSyntax syntax = new JsonSyntax(JsonLimits.DEFAULT);
    List<Target> targets = new ArrayList<>();
    for (ReviewContext world : Worlds.ALL) {
      for (KindRules kind : StandardRules.book().kinds()) {
        var registry = new SimpleMeterRegistry();
        targets.add(new Target(kind, new ValidationEndpoint(kind, world, syntax, registry)));
        if (!kind.defaultedOn().isEmpty()) {
          targets.add(new Target(kind, new MutationEndpoint(kind, world, syntax, registry)));
        }
      }
    }
    return targets;
  }

  @Test
  void whateverIsSentToAnyPathIsAnsweredWithAReviewOrRefusedInOneSentence() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(SECONDS + HANGS_AFTER_SECONDS), this::fuzz, () -> current.story());
  }

  private void fuzz() {
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    int tried = 0;
    int answered = 0;
    while (tried < FEWEST || System.nanoTime() < end) {
      Target target = targets.get(tried % targets.size());
      Attempt attempt = new Attempt(target, body(target.kind()));
      current = attempt;
      long before = System.nanoTime();
      answered += holds(attempt) ? 1 : 0;
      assertThat(Duration.ofNanos(System.nanoTime() - before).toMillis())
          .as(attempt::story)
          .isLessThan(SLOWEST_MILLIS);
      tried++;
    }
    System.out.printf(
        "fuzz: %d bodies on %d paths, %d of them answered%n", tried, targets.size(), answered);
    assertThat(answered).isBetween(1, tried - 1);
  }

  /** Whether the body was answered with a review; fails if what came is neither that nor a 400. */
  private static boolean holds(Attempt attempt) {
    try {
      Answer answer = attempt.target.endpoint.answer(attempt.body, NO_HURRY);
      byte[] bytes = bytes(answer);
      if (answer.status() == 400) {
        assertThat(new String(bytes, UTF_8).strip()).matches(SENTENCE);
        return false;
      }
      assertThat(answer.status()).isEqualTo(200);
      assertIsReview(MAPPER.readTree(attempt.body), MAPPER.readTree(bytes));
      return true;
    } catch (AssertionError | RuntimeException | StackOverflowError e) {
      throw new AssertionError(attempt.story(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(attempt.story(), e);
    }
  }

  private static void assertIsReview(JsonNode review, JsonNode answer) throws IOException {
    JsonNode response = answer.path("response");
    assertThat(answer.path("apiVersion").textValue()).isEqualTo("admission.k8s.io/v1");
    assertThat(answer.path("kind").textValue()).isEqualTo("AdmissionReview");
    assertThat(response.path("uid")).isEqualTo(review.at("/request/uid"));
    assertThat(response.path("allowed").isBoolean()).isTrue();
    for (JsonNode warning : response.path("warnings")) {
      assertThat(warning.textValue()).matches("(?s).{5,256}");
    }
    if (!response.path("allowed").booleanValue()) {
      assertThat(response.at("/status/code").asInt()).isBetween(400, 599);
      assertThat(response.at("/status/message").asText()).matches(SENTENCE);
      assertThat(response.has("patch")).isFalse();
    } else if (response.has("patch")) {
      assertThat(response.path("patchType").textValue()).isEqualTo("JSONPatch");
      JsonNode patch = MAPPER.readTree(Base64.getDecoder().decode(response.get("patch").asText()));
      assertThat(patch).isNotEmpty();
      assertCanBeApplied(patch, review.at("/request/object").deepCopy());
    }
  }

  /** As of RFC 6902: what is changed must be there, and what it is in must be there. */
  private static void assertCanBeApplied(JsonNode patch, JsonNode object) {
    for (JsonNode operation : patch) {
      JsonPointer path = JsonPointer.compile(operation.path("path").asText());
      String last = path.last().getMatchingProperty();
      String op = operation.path("op").asText();
      switch (object.at(path.head())) {
        case ObjectNode parent when op.equals("add") -> parent.set(last, operation.get("value"));
        case ObjectNode parent when op.equals("remove") ->
            assertThat(parent.remove(last)).as("%s of %s", operation, object).isNotNull();
        case ArrayNode parent when op.equals("add") && last.equals("-") ->
            parent.add(operation.get("value"));
        case ArrayNode parent when op.equals("replace") && parent.has(Integer.parseInt(last)) ->
            parent.set(Integer.parseInt(last), operation.get("value"));
        default -> throw new AssertionError(operation + " cannot be applied to " + object);
      }
    }
  }

  private static byte[] bytes(Answer answer) {
    var bytes = new ByteArrayOutputStream();
    answer.segments().forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  private byte[] body(KindRules kind) {
    byte[] body = review(kind).toString().getBytes(UTF_8);
    int edits = random.nextBoolean() ? 0 : random.nextInt(4);
    for (int i = 0; i < edits && body.length > 0; i++) {
      body = edited(body);
    }
    return body;
  }

  private JsonNode review(KindRules kind) {
    ObjectNode review = MAPPER.createObjectNode();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    ObjectNode request = review.putObject("request");
    request.put("uid", "u-" + random.nextInt(1000));
    request
        .putObject("kind")
        .put("group", kind.kind().group())
        .put("version", kind.kind().version())
        .put("kind", kind.kind().kind());
    request.put("name", "a").put("namespace", random.nextBoolean() ? "ns" : "exempt");
    request.put("subResource", random.nextInt(8) == 0 ? "status" : "");
    request.put("operation", OPERATIONS.get(random.nextInt(OPERATIONS.size())));
    request.putObject("userInfo").put("username", "someone");
    JsonNode object = objects.draw(kind.kind());
    request.set("object", random.nextInt(12) == 0 ? MAPPER.nullNode() : object);
    request.set(
        "oldObject",
        switch (random.nextInt(4)) {
          case 0 -> MAPPER.nullNode();
          case 1 -> object;
          default -> objects.draw(kind.kind());
        });
    return review;
  }

  private byte[] edited(byte[] body) {
    int at = random.nextInt(body.length);
    int to = Math.min(body.length, at + 1 + random.nextInt(random.nextBoolean() ? 4 : 200));
    byte[] before = slice(body, 0, at);
    byte[] after = slice(body, to, body.length);
    return switch (random.nextInt(6)) {
      case 0 -> before;
      case 1 -> joined(before, after);
      case 2 -> joined(before, new byte[] {(byte) random.nextInt(256)}, after);
      case 3 -> joined(slice(body, 0, to), slice(body, at, body.length));
      default -> {
        byte[] scrap = SCRAPS.get(random.nextInt(SCRAPS.size())).getBytes(UTF_8);
        yield joined(before, scrap, random.nextBoolean() ? after : slice(body, at, body.length));
      }
    };
  }

  private static byte[] slice(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  private static byte[] joined(byte[]... parts) {
    var joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }
}
