package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.api.Connection;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // set before each test
class ReviewsTest {
  private static final Caller CALLER = Caller.of("jane", "", List.of("team"), Caller.NO_EXTRA);
  private static final Attributes DISCOVERY = new Attributes.OfPath("/apis");

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong(1);
  private volatile String status = "";
  private PlainServer server;
  private Connection connection;
  private TokenReviews tokens;
  private AccessReviews access;

  @BeforeEach
  void anApiServerThatAnswersWithThisStatus() throws IOException {
    server = PlainServer.start(_ -> "{\"status\":{%s}}".formatted(status));
    connection = Connection.to(server.kubeconfig(folder));
    ReviewClient client = new ReviewClient(connection);
    tokens = new TokenReviews(client, nanos::get);
    access = new AccessReviews(client, nanos::get);
  }

  @AfterEach
  void end() {
    connection.close();
    server.close();
  }

  private void after(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aTokenNamesItsUserAndIsAskedAboutAgainAfterTenSeconds() {
    status =
        """
        "authenticated":true,"user":{"username":"jane","uid":"7","groups":["team"],
        "extra":{"scopes":["a","b"]}}\
        """;

    assertThat(tokens.review("secret"))
        .isEqualTo(
            new TokenReviews.Verdict.Known(
                new Caller(
                    "jane",
                    "7",
                    List.of("team", "system:authenticated"),
                    Map.of("scopes", List.of("a", "b")))));
    tokens.review("secret");
    assertThat(server.asked()).hasSize(1);

    after(Duration.ofSeconds(11));
    status = "\"authenticated\":false";
    assertThat(tokens.review("secret")).isEqualTo(new TokenReviews.Verdict.Nobody());
    assertThat(server.asked()).hasSize(2);
  }

  @Test
  void ofUnknownTokensOnlyTwentyASecondAreAskedAbout() {
    status = "\"authenticated\":true,\"user\":{\"username\":\"jane\"}";
    tokens.review("good");
    after(Duration.ofSeconds(11));
    status = "\"authenticated\":false";

    List<TokenReviews.Verdict> verdicts =
        IntStream.range(0, 25).mapToObj(i -> tokens.review("guess " + i)).toList();

    assertThat(verdicts.subList(0, 20)).containsOnly(new TokenReviews.Verdict.Nobody());
    assertThat(verdicts.subList(20, 25)).containsOnly(new TokenReviews.Verdict.TooMany());
    status = "\"authenticated\":true,\"user\":{\"username\":\"jane\"}";
    assertThat(tokens.review("good"))
        .as("a token that was good before")
        .isInstanceOf(TokenReviews.Verdict.Known.class);
    after(Duration.ofSeconds(1));
    assertThat(tokens.review("guess 26")).isInstanceOf(TokenReviews.Verdict.Known.class);
  }

  @Test
  void aRightIsAskedForOnceInTenSecondsForEachCaller() {
    status = "\"allowed\":true";
    assertThat(access.review(CALLER, DISCOVERY)).isEqualTo(AccessReviews.Verdict.ALLOWED);
    status = "\"allowed\":false";

    assertThat(access.review(CALLER, DISCOVERY)).isEqualTo(AccessReviews.Verdict.ALLOWED);
    Caller other = Caller.of("joe", "", List.of(), Caller.NO_EXTRA);
    assertThat(access.review(other, DISCOVERY)).isEqualTo(AccessReviews.Verdict.DENIED);
    after(Duration.ofSeconds(11));
    assertThat(access.review(CALLER, DISCOVERY)).isEqualTo(AccessReviews.Verdict.DENIED);
  }

  @Test
  void whatIsAllowedAndDeniedAtOnceIsDenied() {
    status = "\"allowed\":true,\"denied\":true";

    assertThat(access.review(CALLER, DISCOVERY)).isEqualTo(AccessReviews.Verdict.DENIED);
  }

  @Test
  void anAnswerThatDoesNotComeIsNoneAndIsNotRemembered() {
    server.close();

    assertThat(access.review(CALLER, DISCOVERY)).isEqualTo(AccessReviews.Verdict.UNKNOWN);
    assertThat(tokens.review("secret")).isEqualTo(new TokenReviews.Verdict.NotAnswered());
  }
}
