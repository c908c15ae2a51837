package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.see.usage.UsageLog;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.world.SimulatedConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Our own API over queues in memory, for two users: {@code admin} may do everything, {@code user}
 * everything but list Workloads of other namespaces than {@code a}, until {@link #show}.
 */
final class Asked implements AutoCloseable {
  private static final String API = "/apis/view.sluice.dev/v1alpha1/";

  private final ReviewingServer server = ReviewingServer.start(this::mayDo);
  private final AtomicLong nanos = new AtomicLong();
  private volatile Set<String> shown = Set.of("a");
  private final Connection connection;
  private final SeeAnswers answers;

  /** What has happened last; of nothing at first. */
  final TransitionLog log = new TransitionLog();

  /** What was used; nothing was sampled at first. */
  final UsageLog usage = new UsageLog();

  Asked(LiveQueues queues, Path folder, Executor simulating) throws IOException {
    this(queues, folder, simulating, Past.NONE);
  }

  Asked(LiveQueues queues, Path folder, Executor simulating, Past past) throws IOException {
    connection = Connection.to(ClusterAccess.of(server.kubeconfig(folder)));
    ReviewClient client = new ReviewClient(connection);
    AccessReviews reviews = new AccessReviews(client, nanos::get);
    NameRights rights = new NameRights(reviews);
    InstantSource clock = InstantSource.fixed(LiveQueues.NOW);
    ObjectNode nothing = JsonNodeFactory.instance.objectNode(); // then all kinds are managed
    SimulatedConfiguration chosen = SimulatedConfiguration.read(nothing, nothing);
    answers =
        new SeeAnswers(
            queues,
            List::of,
            new Callers(Optional::empty, new TokenReviews(client, System::nanoTime)),
            reviews,
            new Views(
                queues,
                rights,
                new Simulations(queues, queues, chosen, rights, past, simulating, clock),
                past,
                log,
                usage,
                Runnable::run,
                clock));
  }

  /** From now on {@code user} may list Workloads in these namespaces only. */
  void show(String... namespaces) {
    shown = Set.of(namespaces);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(11)); // what the API server said before has expired
  }

  private boolean mayDo(JsonNode spec) {
    JsonNode resource = spec.path("resourceAttributes");
    return spec.path("user").asText().equals("admin")
        || !resource.path("resource").asText().equals("workloads")
        || !resource.path("verb").asText().equals("list")
        || shown.contains(resource.path("namespace").asText());
  }

  Reply get(String user, String path, String... header) {
    Map<String, List<String>> headers =
        header.length == 0
            ? Map.of("authorization", List.of("Bearer " + user))
            : Map.of("authorization", List.of("Bearer " + user), header[0], List.of(header[1]));
    return answers.answer(request("GET", path, headers, "")).join();
  }

  /** Sends a body in which single quotes stand for double ones, and waits for the answer. */
  Reply post(String user, String path, String body) {
    return answers
        .answer(request("POST", path, Map.of("authorization", List.of("Bearer " + user)), body))
        .join();
  }

  private static SeeRequest request(
      String method, String path, Map<String, List<String>> headers, String body) {
    int query = path.indexOf('?');
    Map<String, String> parameters = new TreeMap<>();
    if (query >= 0) {
      for (String part : path.substring(query + 1).split("&", -1)) {
        parameters.put(part.split("=", 2)[0], part.split("=", 2)[1]);
      }
    }
    return new SeeRequest(
        method,
        API + (query < 0 ? path : path.substring(0, query)),
        parameters,
        headers,
        List.of(),
        body.replace('\'', '"').getBytes(UTF_8));
  }

  static JsonNode json(Reply reply) {
    try {
      return new ObjectMapper().readTree(reply.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    connection.close();
    server.close();
  }
}
