package dev.sluice.cli.hostile;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What an API server, a kubelet and a Prometheus ask, and what a good answer contains. */
final class HonestCalls {
  private static final Duration PATIENCE = Knobs.read().bound(Duration.ofSeconds(60));
  private static final String UID = "\"uid\":\"honest\"";
  private static final String POD =
      """
      {"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{\
      "requests":{"cpu":"1"}}}]}}\
      """;

  private static final String PLACED =
      """
      ["kubernetes.io/hostname"],"slices":[{"domainCount":1,"podCounts":{"universal":1},\
      "valuesPerLevel":[{"universal":"n"}]}]\
      """;

  /**
   * A call.
   *
   * @param name for a report
   * @param good whether the body of an answer is as expected
   */
  record Call(String name, HttpRequest request, Predicate<String> good) {}

  private final List<Call> reviews;
  private final List<Call> pages;

  HonestCalls(int https, int serve, int schedule) {
    String base = "https://127.0.0.1:" + https;
    this.reviews =
        List.of(
            review(base, "/mutate-batch-v1-job", "batch", "v1", "Job", job(), "\"allowed\":true"),
            review(base, "/validate-batch-v1-job", "batch", "v1", "Job", job(), "\"allowed\":true"),
            review(
                base,
                "/validate-kueue-x-k8s-io-v1beta2-workload",
                "kueue.x-k8s.io",
                "v1beta2",
                "Workload",
                workload("v1beta2", "w", PLACED),
                "\"allowed\":true"),
            conversion(base, 1),
            conversion(base, 30));
    this.pages =
        List.of(
            page(serve, "/healthz"),
            page(serve, "/readyz"),
            page(serve, "/metrics"),
            page(schedule, "/healthz"),
            page(schedule, "/metrics"));
  }

  /** One of the reviews, in turn. */
  Call review(long number) {
    return reviews.get((int) (number % reviews.size()));
  }

  /** One of the pages, in turn. */
  Call page(long number) {
    return pages.get((int) (number % pages.size()));
  }

  private static Call page(int port, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(PATIENCE)
            .build();
    return new Call("GET " + path + " of port " + port, request, body -> !body.isEmpty());
  }

  private static Call review(
      String base,
      String path,
      String group,
      String version,
      String kind,
      String object,
      String expected) {
    String body =
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"honest",\
        "kind":{"group":"%s","version":"%s","kind":"%s"},"operation":"CREATE","namespace":"default",\
        "userInfo":{"username":"honest"},"object":%s}}\
        """
            .formatted(group, version, kind, object);
    return post(base, path, body, expected);
  }

  private static Call conversion(String base, int objects) {
    String one =
        workload(
            "v1beta1",
            "w",
            "[\"kubernetes.io/hostname\"],\"domains\":[{\"values\":[\"n\"],\"count\":1}]");
    String body =
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{\
        "uid":"honest","desiredAPIVersion":"kueue.x-k8s.io/v1beta2","objects":[%s]}}\
        """
            .formatted(String.join(",", Expansion.repeated(one, objects)));
    return post(base, Review.CONVERT, body, "\"status\":\"Success\"");
  }

  private static Call post(String base, String path, String body, String expected) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path + "?timeout=10s"))
            .timeout(PATIENCE)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return new Call(
        "POST " + path, request, answer -> answer.contains(UID) && answer.contains(expected));
  }

  private static String job() {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j","namespace":"default","labels":{\
    "kueue.x-k8s.io/queue-name":"honest"}},"spec":{"suspend":true,"parallelism":1,"template":%s}}\
    """
        .formatted(POD);
  }

  private static String workload(String version, String name, String assignment) {
    return """
    {"apiVersion":"kueue.x-k8s.io/%s","kind":"Workload","metadata":{"name":"%s","namespace":\
    "default"},"spec":{"queueName":"honest","podSets":[{"name":"main","count":1,"template":%s}]},\
    "status":{"admission":{"clusterQueue":"honest","podSetAssignments":[{"name":"main","count":1,\
    "topologyAssignment":{"levels":%s}}]}}}\
    """
        .formatted(version, name, POD, assignment);
  }
}
