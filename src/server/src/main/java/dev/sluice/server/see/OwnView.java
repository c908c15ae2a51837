package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.server.dashboard.Questions;
import dev.sluice.server.history.LogFeed;
import dev.sluice.server.reply.Reply;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.server.world.SimulatedConfiguration;
import dev.sluice.supervision.Supervisor;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.WorkerExecutor;
import java.net.URLDecoder;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Our own API for one user, in the process of that user, where no server of it is in the cluster.
 * It follows the queues and Workloads of the cluster with the rights of the user, so whatever it
 * knows the user may see. It decides nothing and writes nothing. Thread-safe.
 */
public final class OwnView implements Questions {
  private static final int BOUND_SECONDS = 30;
  private static final Caller USER = Caller.of("you", "", List.of(), Caller.NO_EXTRA);

  private final Connection connection;
  private final ListableKinds listable;
  private final boolean isGiven;
  private final QueueWatch queues;
  private final LogFeed feed;
  private final Vertx vertx =
      Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(4));
  private final SeeAnswers answers;

  private OwnView(
      Connection connection,
      ListableKinds listable,
      Chosen chosen,
      boolean isGiven,
      Supervisor supervisor) {
    this.connection = connection;
    this.listable = listable;
    this.isGiven = isGiven;
    EngineConfiguration configuration = EngineConfiguration.of(chosen.configuration());
    this.queues =
        new QueueWatch(connection, configuration, listable.kinds(), WatchTimes.EAGER, supervisor);
    TransitionLog log = new TransitionLog();
    this.feed =
        new LogFeed(configuration, queues.known(), log::add, InstantSource.system(), supervisor);
    queues.tell(feed::note);
    Reviews mayAll = (_, _) -> AccessReviews.Verdict.ALLOWED;
    ReviewClient client = new ReviewClient(connection);
    this.answers =
        new SeeAnswers(
            queues,
            queues::missing,
            new Callers(Optional::empty, new TokenReviews(client, System::nanoTime)),
            mayAll,
            views(chosen, log, new NameRights(mayAll), supervisor));
  }

  private Views views(Chosen chosen, TransitionLog log, NameRights rights, Supervisor supervisor) {
    WorkerExecutor trials = vertx.createSharedWorkerExecutor("trials", 2);
    InstantSource clock = InstantSource.system();
    var simulated = new SimulatedConfiguration(chosen.configuration(), chosen.extensions());
    return new Views(
        queues,
        rights,
        new Simulations(
            queues, queues, simulated, rights, Past.NONE, task -> See.run(task, trials), clock),
        Past.NONE,
        log,
        UsageSampler.start(vertx, queues, supervisor),
        task -> See.run(task, trials),
        clock);
  }

  /**
   * Finds out what the user may list, and begins to follow it. It answers 503 until the first lists
   * are in.
   *
   * @param chosen as the scheduler of the cluster has it
   * @param isGiven whether somebody said so; otherwise it is an assumption, of which the pages tell
   * @param namespace where to look for what may not be listed in all namespaces; null for none
   * @throws dev.sluice.cluster.api.ConnectionException if the API server does not answer, or does
   *     not know the user
   * @throws IllegalStateException if the user may list neither ClusterQueues nor Workloads; the
   *     message names all that is lacking
   */
  public static OwnView start(
      ClusterAccess access,
      Chosen chosen,
      boolean isGiven,
      @Nullable String namespace,
      Supervisor supervisor) {
    Connection connection = Connection.to(access);
    try {
      ListableKinds listable =
          ListableKinds.of(
              connection,
              SeeKinds.ofSimulations(chosen.configuration(), chosen.extensions()),
              namespace);
      if (!listable.isEnough()) {
        throw new IllegalStateException(sentence(listable));
      }
      OwnView view = new OwnView(connection, listable, chosen, isGiven, supervisor);
      view.queues.start();
      view.feed.start();
      return view;
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static String sentence(ListableKinds listable) {
    StringBuilder text = new StringBuilder();
    for (ListableKinds.Lacking lacking : listable.lacking()) {
      text.append(text.isEmpty() ? "" : "; ").append(lacking.plural());
      text.append(": ").append(lacking.why());
    }
    return text.toString();
  }

  /** What is not shown, or only in part: a sentence with each kind; empty for nothing. */
  public String lacking() {
    return sentence(listable);
  }

  /** One user has one set of rights, so an answer that was made is an answer for everybody here. */
  @Override
  public Optional<Reply> atHand(Question question, String knownTags) {
    return question.method().equals("GET")
        ? request(question, knownTags, "")
            .flatMap(request -> queues.state().flatMap(state -> state.known(request)))
        : Optional.empty();
  }

  @Override
  public Reply ask(Question question, String knownTags, String body) {
    Optional<SeeRequest> request = request(question, knownTags, body);
    if (request.isEmpty()) {
      return Reply.failure(400, "BadRequest", "the query cannot be read");
    }
    try {
      return answers.of(USER, request.get()).get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Reply.failure(503, "ServiceUnavailable", "the dashboard is stopping");
    } catch (ExecutionException | TimeoutException e) {
      return Reply.failure(500, "InternalError", "the question cannot be answered: " + e);
    }
  }

  /** The question as a request; empty if its query cannot be read. */
  private static Optional<SeeRequest> request(Question question, String knownTags, String body) {
    String[] uri = question.uri().split("\\?", 2);
    Map<String, String> query;
    try {
      query = uri.length == 1 ? Map.of() : query(uri[1]);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    Map<String, List<String>> headers =
        knownTags.isEmpty() ? Map.of() : Map.of("if-none-match", List.of(knownTags));
    return Optional.of(
        new SeeRequest(question.method(), uri[0], query, headers, List.of(), body.getBytes(UTF_8)));
  }

  /** The first value of each parameter. */
  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String part : text.split("&", -1)) {
      int end = part.indexOf('=');
      String name = end < 0 ? part : part.substring(0, end);
      query.putIfAbsent(
          URLDecoder.decode(name, UTF_8),
          end < 0 ? "" : URLDecoder.decode(part.substring(end + 1), UTF_8));
    }
    return query;
  }

  @Override
  public ObjectNode source() {
    ObjectNode source = JsonNodeFactory.instance.objectNode().put("reads", "cluster");
    source.put("configuration", isGiven ? "given" : "default");
    ArrayNode lacking = source.putArray("lacking");
    for (ListableKinds.Lacking it : listable.lacking()) {
      lacking.addObject().put("kind", it.plural()).put("why", it.why());
    }
    return source;
  }

  @Override
  public void close() {
    feed.close();
    queues.close();
    var _ = vertx.close();
    connection.close();
  }
}
