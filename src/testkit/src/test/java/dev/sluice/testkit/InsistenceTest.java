package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ApiClient.Response;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class InsistenceTest {
  private static final Response SLOW =
      new Response(500, "failed calling webhook: Post \"https://w\": context deadline exceeded");
  private static final Response CREATED = new Response(201, "{}");
  private static final Response CONFLICT = new Response(409, "already exists");
  private static final Response READ = new Response(200, "{}");

  private static Response call(List<Response> answers) {
    return Insistence.call(inTurn(answers), () -> READ);
  }

  private static Supplier<Response> inTurn(List<Response> answers) {
    return answers.iterator()::next;
  }

  @Test
  void asksAgainWhereAWebhookWasSlow() {
    Response client = new Response(500, "net/http: request canceled (Client.Timeout exceeded)");
    Response server = new Response(504, "Timeout: request did not complete");

    assertThat(call(List.of(SLOW, client, server, CREATED))).isEqualTo(CREATED);
  }

  @Test
  void endsWithTheFifthAnswer() {
    assertThat(call(List.of(SLOW, SLOW, SLOW, SLOW, SLOW, CREATED))).isEqualTo(SLOW);
  }

  @Test
  void takesAnyOtherAnswerAsItIs() {
    Response broken = new Response(500, "x509: certificate signed by unknown authority");
    Response refused = new Response(422, "spec.timeout: deadline exceeded");

    assertThat(call(List.of(broken, CREATED))).isEqualTo(broken);
    assertThat(call(List.of(refused, CREATED))).isEqualTo(refused);
    assertThat(call(List.of(CONFLICT, CREATED))).isEqualTo(CONFLICT);
  }

  @Test
  void readsWhatWasStoredThoughTheCallWasGivenUp() {
    assertThat(call(List.of(SLOW, CONFLICT))).isEqualTo(READ);
  }
}
