package dev.sluice.webhook;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.supervision.Readiness;
import dev.sluice.webhook.server.ListenAddress;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a server that behaves among callers that do. */
class ServingIT {
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path dir;

  private Served serve() {
    return Served.within(dir, Served.PATIENT);
  }

  private static RequestSpecification plain(int port) {
    return given().baseUri("http://127.0.0.1").port(port);
  }

  @Test
  void answersHealthReadinessAndMetricsOnThePlainPort() {
    try (Served served = serve()) {
      int port = served.server().httpPort();

      plain(port).get("/healthz").then().statusCode(200).body(equalTo("ok\n"));
      plain(port).get("/readyz").then().statusCode(200).body(equalTo("ready\n"));
      plain(port).get("/elsewhere").then().statusCode(404);
      plain(port)
          .get("/metrics")
          .then()
          .statusCode(200)
          .contentType("text/plain; version=0.0.4; charset=utf-8");
    }
  }

  @Test
  void countsObjectsVerdictsAndRequests() {
    try (Served served = serve();
        HttpClient client = served.client(Version.HTTP_2)) {
      List<String> objects = new ArrayList<>();
      IntStream.range(0, 3).forEach(i -> objects.add(Texts.cohort("c-" + i)));
      IntStream.range(0, 2).forEach(i -> objects.add(Texts.topology("t-" + i)));
      double probed = converted(served, "Cohort");

      served.post(client, "/convert", Texts.conversion("u", "kueue.x-k8s.io/v1beta2", objects));
      served.post(client, Texts.VALIDATE_TOPOLOGY, Texts.creation("u", "rack", "rack"));

      assertThat(converted(served, "Cohort") - probed).isEqualTo(3);
      assertThat(converted(served, "Topology") - probed).isEqualTo(2);
      assertThat(served.metric("sluice_requests_seconds_count{code=\"200\",path=\"/convert\"}"))
          .isEqualTo(2); // the server's own probe is the other
      assertThat(served.metrics())
          .contains(
              "sluice_admission_reviews_total{kind=\"Topology.kueue.x-k8s.io\",phase=\"validate\",verdict=\"denied\"}")
          .contains("sluice_conversion_object_bytes_sum{")
          .contains("sluice_conversion_objects_seconds_bucket{")
          .contains("sluice_connections ")
          .contains("sluice_requests_in_flight ")
          .contains("sluice_requests_bytes_in_flight ")
          .contains("sluice_certificate_expiry_timestamp_seconds ")
          .contains("jvm_memory_used_bytes");
    }
  }

  private static double converted(Served served, String kind) {
    return served.metric(
        "sluice_conversion_objects_seconds_count{from=\"v1alpha1\",kind=\"%s\",result=\"success\",to=\"v1beta2\"}"
            .formatted(kind));
  }

  @Test
  void answersTenThousandObjectsInTheirOrder() throws JsonProcessingException {
    try (Served served = serve();
        HttpClient client = served.client(Version.HTTP_2)) {
      HttpResponse<String> answer =
          served.post(client, "/convert", Texts.largeConversion("u", 10_000));

      JsonNode objects = MAPPER.readTree(answer.body()).at("/response/convertedObjects");
      assertThat(objects).hasSize(10_000);
      for (int i = 0; i < objects.size(); i++) {
        assertThat(objects.get(i).at("/metadata/name").asText()).isEqualTo("t-" + i);
        assertThat(objects.get(i).path("apiVersion").asText()).isEqualTo("kueue.x-k8s.io/v1beta2");
      }
    }
  }

  @Test
  void stopsWorkingWhenTheCallersTimeIsOver() {
    try (Served served = serve();
        HttpClient client = served.client(Version.HTTP_2)) {
      String body = Texts.largeConversion("u", 50_000);

      HttpResponse<String> answer = served.post(client, "/convert?timeout=5ms", body);

      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).containsPattern("time").hasLineCount(1);
      assertThat(answer.headers().firstValue("retry-after")).contains("1");
      assertThat(served.post(client, "/convert?timeout=60s", body).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void answersSmallReviewsWhileLargeOnesAreAtWorkOnTheSameConnection() {
    try (Served served = serve();
        HttpClient client = served.client(Version.HTTP_2)) {
      String large = Texts.largeConversion("large", 20_000);
      var slow =
          IntStream.range(0, 4)
              .mapToObj(
                  _ -> CompletableFuture.supplyAsync(() -> served.post(client, "/convert", large)))
              .toList();

      int small = 0;
      while (slow.stream().anyMatch(one -> !one.isDone()) || small == 0) {
        HttpResponse<String> answer =
            served.post(client, Texts.VALIDATE_TOPOLOGY, Texts.creation("u" + small++, "rack"));
        assertThat(answer.body()).contains("\"allowed\":true");
      }

      assertThat(slow).allSatisfy(one -> assertThat(one.join().statusCode()).isEqualTo(200));
    }
  }

  @Test
  void listensOnTheGivenPortsAndSaysWhichIsTaken() throws IOException {
    List<Integer> ports = twoFreePorts();
    int https = ports.getFirst();
    int http = ports.getLast();
    ServerOptions options =
        Served.OPTIONS.toBuilder()
            .listeningOn( // several event loops share a port with a number
                new ListenAddress("127.0.0.1", https), new ListenAddress("127.0.0.1", http))
            .build();

    try (Served served = Served.with(options, Served.certificates(dir))) {
      assertThat(served.server().httpsPort()).isEqualTo(https);
      assertThat(readiness(http)).isEqualTo("200 ready");
      assertThat(served.answers()).isTrue();
      assertThatThrownBy(() -> Served.with(options, Served.certificates(dir)))
          .isInstanceOfSatisfying(
              ServerStartException.class,
              e -> assertThat(e.reason()).isEqualTo(ServerStartException.Reason.ADDRESS))
          .hasMessageContaining("127.0.0.1:" + http);
      assertThatThrownBy(
              () ->
                  Served.with(
                      options.toBuilder()
                          .listeningOn(options.https(), Served.OPTIONS.http())
                          .build(),
                      Served.certificates(dir)))
          .hasMessageContaining("127.0.0.1:" + https);
    }
  }

  @Test
  void isReadyAndAnswersWhileItWarmsUpWhichIsNotMeasured() {
    ServerOptions options = Served.OPTIONS.toBuilder().warmUp(WARM_UP).build();

    try (Served served = Served.with(options, Served.certificates(dir))) {
      assertThat(served.server().readiness()).isEqualTo(Readiness.READY);
      assertThat(served.answers()).isTrue();
      String reviews = measured(served);
      assertThat(reviews).contains("/convert");
      served.server().awaitWarmUp();

      assertThat(measured(served)).isEqualTo(reviews);
      assertThat(served.answers()).isTrue();
    }
  }

  @Test
  void stopsWhileItWarmsUp() {
    ServerOptions options = Served.OPTIONS.toBuilder().warmUp(Duration.ofDays(1)).build();
    WebhookServer server;

    try (Served served = Served.with(options, Served.certificates(dir))) {
      server = served.server();
      assertThat(server.readiness()).isEqualTo(Readiness.READY);
    }

    assertThat(server.readiness().ready()).isFalse();
  }

  private static String measured(Served served) {
    return served
        .metrics()
        .lines()
        .filter(line -> line.startsWith("sluice_requests_seconds_count"))
        .filter(line -> !line.contains("/self-probe")) // asked every ten seconds
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static String readiness(int port) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/readyz");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = Served.send(client, HttpRequest.newBuilder(uri).build());
      return response.statusCode() + " " + response.body().strip();
    }
  }

  /** Both are taken at once, or the second could be the first again. */
  private static List<Integer> twoFreePorts() throws IOException {
    try (ServerSocket one = new ServerSocket(0);
        ServerSocket other = new ServerSocket(0)) {
      return List.of(one.getLocalPort(), other.getLocalPort());
    }
  }

  @Test
  void drainsBeforeItStops() {
    Served served = serve();
    Wire idle = served.connect();
    long before = System.nanoTime();

    served.close();
    served.close();

    Duration took = Duration.ofNanos(System.nanoTime() - before);
    assertThat(took).isLessThan(Duration.ofSeconds(3)); // of 5 it may take
    assertThat(idle.isClosedByPeer()).isTrue();
    assertThat(served.server().readiness()).isEqualTo(Readiness.DRAINING);
  }
}
