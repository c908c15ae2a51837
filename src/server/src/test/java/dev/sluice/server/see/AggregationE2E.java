package dev.sluice.server.see;

import static dev.sluice.server.see.Aggregated.APISERVICES;
import static dev.sluice.server.see.Aggregated.BOUND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The visibility API through the aggregation layer of a real API server, and past it. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before all tests
class AggregationE2E {
  private static final String API = "/apis/visibility.kueue.x-k8s.io/v1beta2";
  private static final String QUEUE = API + "/clusterqueues/cq/pendingworkloads";
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";

  @TempDir private static Path folder;

  private Aggregated setting;
  private ApiClient admin;
  private String token;

  @BeforeAll
  void workloadsThatWaitInTwoNamespaces() throws IOException {
    setting = new Aggregated(folder);
    admin = setting.cluster.client();
    setting.create(OURS + "clusterqueues", queue("ClusterQueue", "cq", "{'namespaceSelector':{}}"));
    for (String namespace : List.of("a", "b")) {
      setting.create("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
      setting.create(
          OURS + "namespaces/%s/localqueues".formatted(namespace),
          queue("LocalQueue", "team", "{'clusterQueue':'cq'}"));
    }
    workload("a", "w0", 3);
    workload("b", "w0", 2);
    workload("a", "w1", 1);
    token = setting.userOf("a");
    await().atMost(BOUND).until(() -> names(admin.get(QUEUE)).size() == 3);
  }

  @AfterAll
  void end() {
    if (setting != null) {
      setting.close();
    }
  }

  private static String queue(String kind, String name, String spec) {
    return "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'},'spec':%s}"
        .formatted(kind, name, spec);
  }

  private void workload(String namespace, String name, int priority) {
    setting.create(
        OURS + "namespaces/%s/workloads".formatted(namespace),
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','metadata':{'name':'%s',
        'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'j','uid':'u',
        'controller':true}]},'spec':{'queueName':'team','priority':%d,'podSets':[{'name':'main',
        'count':1,'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c',
        'image':'i'}]}}}]}}\
        """
            .formatted(name, priority));
  }

  private static List<String> names(ApiClient.Response answer) {
    return answer.isSuccess() ? names(answer.json()) : List.of();
  }

  private static List<String> names(JsonNode summary) {
    return summary
        .path("items")
        .valueStream()
        .map(
            it ->
                "%s/%s %d/%d"
                    .formatted(
                        it.at("/metadata/namespace").asText(),
                        it.at("/metadata/name").asText(),
                        it.path("positionInClusterQueue").asInt(-1),
                        it.path("positionInLocalQueue").asInt(-1)))
        .toList();
  }

  @Test
  void anAdministratorReadsTheLineOfAClusterQueueInBothVersions() {
    JsonNode answer = admin.get(QUEUE).orThrow().json();

    assertThat(names(answer)).startsWith("a/w0 0/0", "b/w0 1/0", "a/w1 2/1");
    assertThat(answer.path("kind").asText()).isEqualTo("PendingWorkloadsSummary");
    JsonNode first = answer.at("/items/0");
    assertThat(first.at("/metadata/creationTimestamp").asText()).endsWith("Z");
    assertThat(first.at("/metadata/ownerReferences/0").propertyStream().map(it -> it.getKey()))
        .containsExactlyInAnyOrder("apiVersion", "kind", "name", "uid");
    assertThat(first.path("priority").asInt()).isEqualTo(3);
    JsonNode older = admin.get(QUEUE.replace("v1beta2", "v1beta1")).orThrow().json();
    assertThat(older.path("items")).isEqualTo(answer.path("items"));
  }

  @Test
  void aPageAndItsErrorsPassThroughTheApiServer() {
    assertThat(names(admin.get(QUEUE + "?limit=1&offset=2").orThrow().json()))
        .containsExactly("a/w1 2/1");
    assertThat(admin.get(QUEUE + "?limit=abc").status()).isEqualTo(400);
    ApiClient.Response missing = admin.get(QUEUE.replace("/cq/", "/none/"));
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.json().path("message").asText())
        .isEqualTo("clusterqueue.visibility.kueue.x-k8s.io \"none\" not found");
    assertThat(admin.create(QUEUE, "{}").status()).isEqualTo(405);
  }

  @Test
  void whoMayReadOneNamespaceReadsNoOtherThroughTheApiServerAndPastIt() {
    String own = API + "/namespaces/a/localqueues/team/pendingworkloads";
    try (var user = new ApiClient(setting.cluster.server(), token, setting.cluster.caPem())) {
      JsonNode summary = user.await(own, BOUND, it -> it.has("items")).json();
      assertThat(names(summary)).startsWith("a/w0 0/0", "a/w1 2/1");
      assertThat(user.get(own.replace("/a/", "/b/")).status()).isEqualTo(403);
      assertThat(user.get(QUEUE).status()).isEqualTo(403);
    }

    String login = "Bearer " + token;
    assertThat(setting.direct(null, own, "Authorization", login).statusCode()).isEqualTo(200);
    assertThat(setting.direct(null, own.replace("/a/", "/b/"), "Authorization", login).statusCode())
        .isEqualTo(403);
    HttpResponse<String> refused = setting.direct(null, QUEUE, "Authorization", login);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("system:serviceaccount:a:user").contains("Forbidden");
    assertThat(setting.direct(null, own, "Authorization", login + "x").statusCode()).isEqualTo(401);
    assertThat(setting.direct(null, own).statusCode()).isEqualTo(401);
  }

  @Test
  void discoveryNamesTheSubresources() {
    JsonNode resources = admin.get(API).orThrow().json().path("resources");

    assertThat(resources.valueStream().map(it -> it.path("name").asText()))
        .containsExactlyInAnyOrder(
            "clusterqueues",
            "clusterqueues/pendingworkloads",
            "localqueues",
            "localqueues/pendingworkloads");
  }

  @Test
  void theApiServerTakesOverTheDescriptionOfTheApi() {
    HttpResponse<String> own =
        proxied("/apis", "Accept", Discovery.AGGREGATED + ",application/json");
    assertThat(own.headers().firstValue("Content-Type")).hasValue(Discovery.AGGREGATED);
    assertThat(own.body()).contains("\"subresource\":\"pendingworkloads\"");

    admin.await("/openapi/v3", BOUND, it -> it.path("paths").has(API.substring(1)));
    JsonNode described = admin.get("/openapi/v3" + API).orThrow().json();
    assertThat(described.path("paths").has(API + "/clusterqueues/{name}/pendingworkloads"))
        .isTrue();
    admin.await(
        "/openapi/v2",
        BOUND,
        it -> it.path("paths").has(API + "/clusterqueues/{name}/pendingworkloads"));
    assertThat(proxied("/version").body()).contains("gitVersion");
  }

  private HttpResponse<String> proxied(String path, String... headers) {
    String[] all = new String[headers.length + 4];
    System.arraycopy(headers, 0, all, 4, headers.length);
    all[0] = "X-Remote-User";
    all[1] = "admin";
    all[2] = "X-Remote-Group";
    all[3] = "system:masters";
    return setting.direct(setting.frontProxy, path, all);
  }

  @Test
  void onlyTheFrontProxySpeaksForOthers() {
    Party foreign = Party.authority(folder, "foreign-ca").client("foreign", "front-proxy-client");
    Party misnamed = setting.frontProxies.client("misnamed", "somebody");
    Party expired =
        setting.frontProxies.client(
            "expired", "front-proxy-client", "-startdate", "-5d", "-validity", "2");
    Party user = setting.users.client("plain-user", "front-proxy-client");

    for (Party forger : new @Nullable Party[] {null, foreign, misnamed, expired}) {
      assertThat(forged(forger).statusCode()).isEqualTo(401);
    }
    HttpResponse<String> himself = forged(user);
    assertThat(himself.statusCode()).isEqualTo(403);
    assertThat(himself.body()).contains("User \\\"front-proxy-client\\\"");
    HttpResponse<String> withToken =
        setting.direct(
            null,
            QUEUE,
            "X-Remote-User",
            "admin",
            "X-Remote-Group",
            "system:masters",
            "Authorization",
            "Bearer " + token);
    assertThat(withToken.statusCode()).isEqualTo(403);
    assertThat(withToken.body()).contains("system:serviceaccount:a:user");
    assertThat(forged(setting.frontProxy).statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> forged(@Nullable Party party) {
    return setting.direct(
        party, QUEUE, "X-Remote-User", "admin", "X-Remote-Group", "system:masters");
  }

  @Test
  void theFrontProxySpeaksForUsersWithoutRightsToo() {
    assertThat(
            setting
                .direct(
                    setting.frontProxy,
                    QUEUE,
                    "X-Remote-User",
                    "nobody",
                    "X-Remote-Extra-100%",
                    "badly encoded")
                .statusCode())
        .isEqualTo(403);
    assertThat(setting.direct(setting.frontProxy, QUEUE, "X-Remote-User", "").statusCode())
        .isEqualTo(401);
  }

  @Test
  void aClientCertificateNamesItsUserAndGroups() {
    Party master = setting.users.client("master", "someone,O=system:masters");

    assertThat(setting.direct(master, QUEUE).statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsUnchangedIsNotSentAgain() {
    HttpResponse<String> first = proxied(QUEUE);
    String tag = first.headers().firstValue("ETag").orElseThrow();
    assertThat(proxied(QUEUE, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);

    workload("b", "late", -5);

    await()
        .atMost(BOUND)
        .until(() -> proxied(QUEUE, "If-None-Match", tag).body().contains("\"late\""));
    // between two requests a new forecast may be made, which is a change
    await()
        .atMost(BOUND)
        .until(
            () -> {
              String last = proxied(QUEUE).headers().firstValue("ETag").orElseThrow();
              HttpResponse<String> unchanged = proxied(QUEUE, "If-None-Match", last);
              return unchanged.statusCode() == 304 && unchanged.body().isEmpty();
            });
  }

  @Test
  void aRequestThatCannotBeReadIsRefused() {
    assertThat(setting.raw("GET /readyz?limit=%zz HTTP/1.1")).contains(" 400 ");
    assertThat(setting.raw("GET /readyz?" + "a".repeat(9 << 10) + " HTTP/1.1")).contains(" 414 ");
    assertThat(setting.raw("GET /readyz HTTP/1.1")).contains(" 200 ");
  }

  @Test
  void probesNeedNoLogin() throws IOException, InterruptedException {
    for (String path : List.of("/healthz", "/livez", "/readyz")) {
      assertThat(setting.direct(null, path).statusCode()).isEqualTo(200);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI plain = URI.create("http://127.0.0.1:" + setting.httpPort() + "/readyz");
      assertThat(
              client
                  .send(
                      HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void itsAuthorityIsAddedToThoseThatWereThere() {
    for (String service : Aggregated.SERVICES) {
      String encoded =
          admin.get(APISERVICES + "/" + service).orThrow().json().at("/spec/caBundle").asText();
      String bundle = new String(Base64.getDecoder().decode(encoded), UTF_8);

      assertThat(lines(bundle)).contains(lines(setting.authorities()));
      assertThat(lines(bundle)).contains(lines(setting.other.pem()));
    }
  }

  /** The certificates alone, without spelling of line ends and texts between them. */
  private static String lines(String pem) {
    int begin = pem.indexOf("-----BEGIN");
    return pem.substring(begin).replace("\r", "").strip();
  }

  @Test
  void anApiServerThatDoesNotAnswerNeverMeansYes() {
    String[] unseen = {"X-Remote-User", "admin of old", "X-Remote-Group", "system:masters"};
    setting.cluster.stopApiServer();
    try {
      HttpResponse<String> answer = setting.direct(setting.frontProxy, QUEUE, unseen);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(setting.direct(null, QUEUE, "Authorization", "Bearer never-seen").statusCode())
          .isEqualTo(503);
    } finally {
      setting.cluster.restartApiServer();
      setting.awaitAvailable();
    }
    assertThat(setting.direct(setting.frontProxy, QUEUE, unseen).statusCode()).isEqualTo(200);
  }
}
