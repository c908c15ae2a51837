package dev.sluice.webhook;

import static dev.sluice.webhook.Texts.VALIDATE_COHORT;
import static dev.sluice.webhook.Texts.VALIDATE_TOPOLOGY;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.server.Bounds;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is answered to requests that are wrong; after each the next good one is answered. */
@SuppressWarnings("NullAway.Init") // set before all tests
class BadInputIT {
  private static final int MIB = 1 << 20;

  /** Patient, and small enough for some huge bodies to be too many. */
  private static final Bounds SMALL =
      new Bounds(
          4 * MIB,
          4 * MIB,
          Bounds.DEFAULT.json(),
          Bounds.DEFAULT.maxConcurrent(),
          12 * MIB,
          Bounds.DEFAULT.maxConnections(),
          Served.PATIENT.bodyTimeout(),
          Served.PATIENT.requestTimeout(),
          Bounds.DEFAULT.idleTimeout());

  private static final String GOOD = Texts.conversion("good", "a");

  @TempDir private static Path dir;
  private static Served served;
  private static HttpClient http1;
  private static HttpClient http2;

  @BeforeAll
  static void start() {
    served = Served.within(dir, Served.PATIENT);
    http1 = served.client(Version.HTTP_1_1);
    http2 = served.client(Version.HTTP_2);
  }

  @AfterAll
  static void stop() {
    http1.close();
    http2.close();
    served.close();
  }

  private static HttpClient client(Version version) {
    return version == Version.HTTP_2 ? http2 : http1;
  }

  private static Arguments bad(
      String what, String path, String body, int status, String... sentences) {
    return Arguments.of(what, path, body, status, List.of(sentences));
  }

  static Stream<Arguments> bodies() {
    String admission = Texts.creation("u-1", "rack");
    return Stream.of(
        bad("nothing", "/convert", "", 400, "expected: one JSON value"),
        bad("truncated", "/convert", GOOD.substring(0, GOOD.length() - 9), 400, "no JSON"),
        bad("truncated", VALIDATE_TOPOLOGY, admission.substring(0, 90), 400, "no JSON"),
        bad("two values", "/convert", GOOD + GOOD, 400, "one JSON value"),
        bad("nested", "/convert", "[".repeat(100_000), 413, "passes a bound", "256"),
        bad(
            "nested within",
            VALIDATE_TOPOLOGY,
            Texts.admission("u", "Topology", "CREATE", "\"object\":" + "{\"a\":".repeat(100_000)),
            413,
            "passes a bound"),
        bad("a long number", "/convert", "1".repeat(100_000), 413, "passes a bound"),
        bad("a long text", "/convert", "\"" + "a".repeat(5 * MIB) + "\"", 413, "passes a bound"),
        bad("no UTF-8", "/convert", GOOD.replace("good", "\u00ff\u00fe"), 400, "no UTF-8 at byte"),
        bad(
            "a key twice",
            "/convert",
            GOOD.replace("\"uid\":", "\"uid\":\"other\",\"uid\":"),
            400,
            "uid"),
        bad(
            "a key twice",
            VALIDATE_TOPOLOGY,
            admission.replace("\"uid\":", "\"uid\":\"other\",\"uid\":"),
            400,
            "uid",
            "twice"),
        bad("a list as the review", "/convert", "[" + GOOD + "]", 400, "the body", "an object"),
        bad(
            "no request",
            "/convert",
            GOOD.replace("\"request\"", "\"r\""),
            400,
            "request: missing"),
        bad("no uid", "/convert", GOOD.replace("\"uid\"", "\"u\""), 400, "request.uid: missing"),
        bad("no uid", VALIDATE_COHORT, admission.replace("\"uid\"", "\"u\""), 400, "request.uid"),
        bad("an empty uid", "/convert", GOOD.replace("good", ""), 400, "request.uid"),
        bad(
            "a uid longer than any name",
            "/convert",
            GOOD.replace("good", "u".repeat(254)),
            400,
            "request.uid: 254 characters (expected: at most 253)"),
        bad(
            "a uid of a megabyte",
            VALIDATE_TOPOLOGY,
            admission.replace("u-1", "\\n".repeat(MIB / 2)),
            400,
            "request.uid: "),
        bad("a uid of digits", "/convert", GOOD.replace("\"good\"", "1"), 400, "request.uid"),
        bad(
            "another review version",
            "/convert",
            GOOD.replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"),
            400,
            "v1beta1",
            "expected: apiextensions.k8s.io/v1)"),
        bad(
            "another review version",
            VALIDATE_TOPOLOGY,
            admission.replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1"),
            400,
            "v1beta1",
            "expected: admission.k8s.io/v1)"),
        bad("another review", "/convert", admission, 400, "AdmissionReview", "ConversionReview"),
        bad("another review", VALIDATE_TOPOLOGY, GOOD, 400, "ConversionReview"),
        bad(
            "an unknown operation",
            VALIDATE_TOPOLOGY,
            admission.replace("CREATE", "create"),
            400,
            "request.operation",
            "CREATE, UPDATE, DELETE or CONNECT"),
        bad(
            "no kind",
            VALIDATE_TOPOLOGY,
            admission.replace("\"kind\":{", "\"k\":{"),
            400,
            "request.kind: missing"),
        bad(
            "objects that are no list",
            "/convert",
            Texts.conversion("u", "kueue.x-k8s.io/v1beta2", List.of()).replace("[]", "{}"),
            400,
            "request.objects",
            "a list"),
        bad(
            "a list as an object",
            "/convert",
            Texts.conversion("u", "kueue.x-k8s.io/v1beta2", List.of("[]")),
            200,
            "\"uid\":\"u\"",
            "\"Failure\"",
            "objects[0]"),
        bad(
            "an unknown version to convert to",
            "/convert",
            Texts.conversion("u", "kueue.x-k8s.io/v9", List.of(Texts.topology("a"))),
            200,
            "\"uid\":\"u\"",
            "\"Failure\"",
            "kueue.x-k8s.io/v9"),
        bad(
            "an object of an unknown version",
            "/convert",
            GOOD.replace("v1alpha1", "v9"),
            200,
            "\"Failure\"",
            "kueue.x-k8s.io/v9"),
        bad(
            "an object of an unknown kind",
            "/convert",
            GOOD.replace("Topology", "Toaster"),
            200,
            "\"Failure\"",
            "Toaster"),
        bad(
            "a list as the object",
            VALIDATE_TOPOLOGY,
            Texts.admission("u", "Topology", "CREATE", "\"object\":[]"),
            200,
            "\"uid\":\"u\"",
            "\"allowed\":false",
            "\"code\":400"),
        bad(
            "another kind on the path",
            VALIDATE_COHORT,
            admission,
            200,
            "\"uid\":\"u-1\"",
            "\"allowed\":false",
            "\"code\":400",
            "Cohort"));
  }

  @ParameterizedTest(name = "{0} to {1}: {3}")
  @MethodSource("bodies")
  void answersABadBodyInASentence(
      String what, String path, String body, int status, List<String> sentences) {
    for (HttpClient client : List.of(http1, http2)) {
      HttpResponse<String> answer =
          served.post(client, path, BodyPublishers.ofString(body, ISO_8859_1));

      assertThat(answer.statusCode()).as(what).isEqualTo(status);
      assertThat(answer.body()).contains(sentences).doesNotContain("Exception").hasLineCount(1);
    }
    assertThat(served.answers()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void refusesWhatIsNotPlainJson(Version version) {
    assertRefused(version, b -> b.setHeader("content-type", "text/xml"), 415, "text/xml");
    assertRefused(version, b -> b.setHeader("content-type", "application/jsonp"), 415, "jsonp");
    assertRefused(version, b -> b.setHeader("content-encoding", "gzip"), 415, "gzip");
    assertRefused(version, b -> b.PUT(BodyPublishers.ofString(GOOD)), 405, "POST");
    assertRefused(version, b -> b.GET(), 405, "POST");
    assertRefused(version, b -> b.uri(served.to("/converts").build().uri()), 404, "/convert,");
    assertThat(served.answers()).isTrue();
  }

  /** Bounds, methods, types and spelling are the same on every path, the pod guard included. */
  @Test
  void holdsItsBoundsOnEveryPath() {
    List<String> paths = served.server().paths();
    assertThat(paths)
        .hasSizeGreaterThan(40)
        .contains(VALIDATE_TOPOLOGY, "/mutate-batch-v1-job", "/guard--v1-pod");

    for (String path : paths) {
      assertThat(status(path, b -> b, "[".repeat(100_000))).as(path).isEqualTo(413);
      assertThat(status(path, b -> b, "{\"a\":" + "1".repeat(100_000))).as(path).isEqualTo(413);
      assertThat(status(path, b -> b, "{\"a\":")).as(path).isEqualTo(400);
      assertThat(status(path, b -> b.setHeader("content-type", "text/json"), "{}"))
          .as(path)
          .isEqualTo(415);
      assertThat(status(path, b -> b.setHeader("content-encoding", "br"), "{}"))
          .as(path)
          .isEqualTo(415);
      assertThat(status(path, b -> b.GET(), "{}")).as(path).isEqualTo(405);
      assertThat(status(path + "/", b -> b, "{}")).as(path + "/").isEqualTo(404);
      try (Wire wire = served.connect()) {
        assertThat(wire.post(path, 41 << 20, "{").read().status()).as(path).isEqualTo(413);
      }
    }
    assertNothingIsHeld();
    assertThat(served.answers()).isTrue();
  }

  private static int status(String path, UnaryOperator<HttpRequest.Builder> fault, String body) {
    HttpRequest.Builder request = served.to(path).POST(BodyPublishers.ofString(body));
    HttpResponse<String> answer = Served.send(http2, fault.apply(request).build());
    assertThat(answer.body()).as(path).hasLineCount(1).doesNotContain("Exception");
    return answer.statusCode();
  }

  private static void assertRefused(
      Version version, UnaryOperator<HttpRequest.Builder> fault, int status, String sentence) {
    HttpRequest.Builder request = served.to("/convert").POST(BodyPublishers.ofString(GOOD));
    HttpResponse<String> answer = Served.send(client(version), fault.apply(request).build());

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains(sentence).hasLineCount(1);
    assertThat(answer.headers().firstValue("allow").orElse(""))
        .isEqualTo(status == 405 ? "POST" : "");
  }

  @ParameterizedTest
  @CsvSource({"?timeout=%zz", "?timeout=%", "?a=%zz&timeout=5s", "?timeout=soon", "?timeout="})
  void answersWhenTheTimeoutCannotBeRead(String query) {
    Wire.Reply reply;
    try (Wire wire = served.connect()) {
      reply = wire.post("/convert" + query, GOOD.length(), GOOD).read();
    }

    assertThat(reply.status()).isEqualTo(200);
  }

  @Test
  void takesAJsonTypeWithACharset() {
    HttpRequest request =
        served
            .to("/convert")
            .setHeader("content-type", "Application/JSON; charset=utf-8")
            .POST(BodyPublishers.ofString(GOOD))
            .build();

    assertThat(Served.send(http2, request).statusCode()).isEqualTo(200);
  }

  @FullTier
  @ParameterizedTest
  @CsvSource({"HTTP_1_1, true", "HTTP_1_1, false", "HTTP_2, true", "HTTP_2, false"})
  void refusesABodyOf50MebibytesWhetherItsLengthIsDeclaredOrNot(Version version, boolean declared) {
    byte[] huge = new byte[50 * MIB];

    HttpResponse<String> answer = served.post(client(version), "/convert", body(huge, declared));

    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("at most " + (40 << 20) + " bytes").hasLineCount(1);
    assertThat(served.answers()).isTrue();
    assertNothingIsHeld();
  }

  private static BodyPublisher body(byte[] bytes, boolean declared) {
    return declared
        ? BodyPublishers.ofByteArray(bytes)
        : BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
  }

  @FullTier
  @Test
  void holdsNoMoreThanItsBoundOfManyHugeBodies(@TempDir Path folder) {
    try (Served small = Served.within(folder, SMALL)) {
      holdsNoMoreThanItsBoundOfManyHugeBodies(small);
    }
  }

  private static void holdsNoMoreThanItsBoundOfManyHugeBodies(Served served) {
    byte[] huge = new byte[SMALL.maxBodyBytes() + MIB];
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    try (HttpClient client = served.client(Version.HTTP_1_1)) {
      HttpRequest request = served.to("/convert").POST(body(huge, false)).build();
      IntStream.range(0, 12)
          .forEach(
              _ ->
                  answers.add(
                      client
                          .sendAsync(request, HttpResponse.BodyHandlers.discarding())
                          .thenApply(HttpResponse::statusCode)));
      await()
          .atMost(Served.PATIENCE)
          .until(
              () -> {
                assertThat(served.bytesInFlight())
                    .isLessThanOrEqualTo((double) SMALL.maxBytesInFlight());
                return answers.stream().allMatch(CompletableFuture::isDone);
              });
    }

    assertThat(answers).extracting(CompletableFuture::join).isSubsetOf(413, 429);
    await().atMost(Served.PATIENCE).until(() -> served.bytesInFlight() == 0);
    assertThat(served.answers()).isTrue();
  }

  @FullTier
  @Test
  void takesABodyOfTheLargestSizeAndNoByteMore() {
    byte[] largest = new byte[Bounds.DEFAULT.maxBodyBytes()];
    byte[] larger = new byte[largest.length + 1];

    HttpResponse<String> taken = served.post(http2, "/convert", body(largest, false));
    HttpResponse<String> refused = served.post(http2, "/convert", body(larger, false));

    assertThat(taken.statusCode()).isEqualTo(400); // it was read: it is no JSON
    assertThat(refused.statusCode()).isEqualTo(413);
  }

  @Test
  void aConversionRefusedStillNamesTheReview() {
    String body = Texts.conversion("ä-ö", "kueue.x-k8s.io/v1beta2", List.of("7"));

    HttpResponse<String> answer =
        served.post(http1, "/convert", BodyPublishers.ofString(body, UTF_8));

    assertThat(answer.body()).contains("\"uid\":\"ä-ö\"").contains("\"Failure\"");
  }

  private static void assertNothingIsHeld() {
    await().atMost(Served.PATIENCE).until(() -> served.bytesInFlight() == 0);
  }
}
