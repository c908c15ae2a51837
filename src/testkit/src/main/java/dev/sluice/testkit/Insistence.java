package dev.sluice.testkit;

import dev.sluice.testkit.ApiClient.Response;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Asks again where an API server gave a call up because a webhook did not answer in time. */
final class Insistence {
  private static final int TIMES = 5;
  private static final List<String> GIVEN_UP =
      List.of("deadline exceeded", "timeout", "request timed out");

  private Insistence() {}

  /**
   * The first answer that is another one, or the last of some.
   *
   * @param afterwards answers instead of a conflict that comes then: a call that was given up may
   *     be stored, which is what the next one is in conflict with
   */
  static Response call(Supplier<Response> call, Supplier<Response> afterwards) {
    Response answer = call.get();
    boolean mayBeStored = false;
    for (int i = 1; i < TIMES && isGivenUp(answer); i++) {
      mayBeStored = true;
      answer = call.get();
    }
    return mayBeStored && answer.status() == 409 ? afterwards.get() : answer;
  }

  private static boolean isGivenUp(Response answer) {
    String body = answer.body().toLowerCase(Locale.ROOT);
    return answer.status() / 100 == 5 && GIVEN_UP.stream().anyMatch(body::contains);
  }
}
