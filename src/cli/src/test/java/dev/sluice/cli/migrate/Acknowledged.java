package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.controlplane.ApiClient.Response;
import dev.sluice.controlplane.ControlPlaneException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Calls an API server that may be away or busy until it says one of the words hoped for. */
final class Acknowledged {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Response NOTHING = new Response(0, "no answer");
  private static final List<Integer> FOR_GOOD = List.of(400, 403, 405, 422);

  /** Said with a 403 by an API server whose admission has not read what it needs to know. */
  private static final String NOT_YET = "not yet ready to handle request";

  private final AtomicInteger refusals = new AtomicInteger();

  /** The answer with one of these statuses; fails on one that says never. */
  Response call(Supplier<Response> call, Set<Integer> statuses) {
    var last = new AtomicReference<>(NOTHING);
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              Response answer = answer(call);
              last.set(answer);
              assertThat(isForGood(answer)).as(answer.toString()).isFalse();
              boolean done = statuses.contains(answer.status());
              refusals.addAndGet(done ? 0 : 1);
              return done;
            });
    return last.get();
  }

  private static boolean isForGood(Response answer) {
    return FOR_GOOD.contains(answer.status()) && !answer.body().contains(NOT_YET);
  }

  private static Response answer(Supplier<Response> call) {
    try {
      return call.get();
    } catch (ControlPlaneException e) {
      return new Response(0, String.valueOf(e.getMessage()));
    }
  }

  /** How often there was another answer, or none. */
  int refusals() {
    return refusals.get();
  }
}
