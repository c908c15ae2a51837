package dev.sluice.webhook;

import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.JobSource;
import dev.sluice.rules.view.JobSource.JobWithPods;
import dev.sluice.rules.view.ObjectView;
import dev.sluice.supervision.Dependency;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pod guard waits for an API server that does not answer, with very many reviews at a time. */
class WaitingGuardIT {
  private static final String GUARD = "/guard--v1-pod";
  private static final int WAITING = 300;

  /** Holds every answer until it is released. */
  private static final class Silent implements JobSource {
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(WAITING);

    @Override
    public Optional<JobWithPods> read(String namespace, String job, String uid, Duration bound) {
      asked.countDown();
      try {
        assertThat(over.await(Served.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return Optional.empty();
    }
  }

  @Test
  void takesNoWorkerFromConversions(@TempDir Path dir) throws Exception {
    Silent source = new Silent();
    ReviewContext world = new ReviewContext(ObjectView.of(cluster()), Settings.DEFAULT);
    ServerContext context = new ServerContext(StandardRules.book(), world, source, Dependency.NONE);
    ServerOptions options = Served.OPTIONS.toBuilder().bounds(Served.PATIENT).build();
    String large = Texts.largeConversion("c", 500);
    try (Served served = Served.with(options, Served.certificates(dir), context);
        HttpClient client = served.client(Version.HTTP_2)) {
      List<CompletableFuture<HttpResponse<String>>> guarded =
          IntStream.range(0, WAITING).mapToObj(i -> ask(served, client, "p" + i)).toList();
      assertThat(source.asked.await(Served.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

      for (int i = 0; i < 20; i++) {
        assertThat(served.post(client, "/convert", large).statusCode()).isEqualTo(200);
      }
      assertThat(served.answers()).isTrue();
      assertThat(guarded).noneMatch(CompletableFuture::isDone);
      source.over.countDown();

      assertThat(guarded)
          .extracting(answer -> answer.join().body())
          .allMatch(body -> body.contains("\"allowed\":true"));
      await().atMost(Served.PATIENCE).until(() -> served.metric("sluice_requests_in_flight") == 0);
    }
  }

  private static CompletableFuture<HttpResponse<String>> ask(
      Served served, HttpClient client, String pod) {
    String review =
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"%s",\
        "kind":{"group":"","version":"v1","kind":"Pod"},"operation":"CREATE","namespace":"ns",\
        "object":%s}}\
        """
            .formatted(pod, pod(pod));
    return client.sendAsync(
        served.to(GUARD).POST(BodyPublishers.ofString(review)).build(), BodyHandlers.ofString());
  }

  /** A Job that has the one pod that it may have. */
  private static List<JsonNode> cluster() {
    return List.of(
        json(
            "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns',"
                + "'labels':{'kubernetes.io/metadata.name':'ns'}}}"),
        json(
            "{'apiVersion':'batch/v1','kind':'Job','metadata':{'namespace':'ns','name':'sample',"
                + "'uid':'j','labels':{'kueue.x-k8s.io/queue-name':'q'}},"
                + "'spec':{'parallelism':1}}"),
        pod("there"));
  }

  private static JsonNode pod(String name) {
    return json(
        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'"
            + name
            + "','ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'sample',"
            + "'uid':'j','controller':true}]},'status':{'phase':'Running'}}");
  }
}
