package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.endpoint.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnsweredTest {
  private static final String GOOD =
      "{\"response\":{\"uid\":\"u\",\"result\":{\"status\":\"Success\"}}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"request\":{\"uid\":\"u\"}}",
        "{\"a.b/c\":{\"d\":{\"e\":1}},\"request\":{\"uid\":\"u\"}}",
        "{\"a\":[[[{\"uid\":\"v\"}]]],\"request\":{\"x\":{\"uid\":\"w\"},\"uid\":\"u\"}}",
      })
  void anAnswerWithTheUidOfTheRequestIsGood(String body) throws IOException {
    assertThat(breach(body, GOOD)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"response\":{\"uid\":\"v\",\"result\":{\"status\":\"Success\"}}}",
        "{\"response\":{\"result\":{\"status\":\"Success\"}}}",
        "{\"response\":{\"uid\":\"u\"}}",
        "{\"response\":{\"uid\":\"u\",\"result\":{\"status\":\"Failed\",\"message\":\""
            + Answer.INTERNAL_ERROR
            + "\"}}}",
        "{\"response\":{\"uid\":\"u\",\"result\":{\"status\":\"Success\"}}",
      })
  void anotherAnswerIsABreach(String answer) throws IOException {
    assertThat(breach("{\"request\":{\"uid\":\"u\"}}", answer)).isPresent();
  }

  @Test
  void aRefusalIsOneSentence() throws IOException {
    Body body = body("{}");
    assertThat(Answered.breach(body, 400, stream("the body is no review"))).isEmpty();
    assertThat(Answered.breach(body, 400, stream("one\ntwo"))).isPresent();
    assertThat(Answered.breach(body, 500, stream("the body is no review"))).isPresent();
  }

  private static Optional<String> breach(String body, String answer) throws IOException {
    return Answered.breach(body(body), 200, stream(answer));
  }

  private static Body body(String text) {
    return new Body("test", 0, Review.CONVERT, text.getBytes(UTF_8));
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }
}
