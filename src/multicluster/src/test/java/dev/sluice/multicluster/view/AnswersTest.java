package dev.sluice.multicluster.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.multicluster.protocol.Presence;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final GroupKind JOB = new GroupKind("batch", "Job");
  private static final TypedObjectKey KEY = new TypedObjectKey(JOB, "ns", "j");
  private static final Optional<JsonNode> NOTHING = Optional.empty();

  private long nanos = 17;
  private final Answers answers = new Answers(() -> nanos);

  private static JsonNode job(int version) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.putObject("metadata")
        .put("namespace", "ns")
        .put("name", "j")
        .put("uid", "u")
        .put("resourceVersion", Integer.toString(version));
    return job;
  }

  private static Presence present(int version) {
    return new Presence.Present(job(version));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void withoutAnAnswerTheWatchCounts() {
    assertThat(answers.latest(KEY, NOTHING)).isEqualTo(Presence.unlisted());
    assertThat(answers.latest(KEY, Optional.of(job(3)))).isEqualTo(present(3));
  }

  @Test
  void theLaterOfAnswerAndWatchCounts() {
    answers.put(KEY, present(5));

    assertThat(answers.latest(KEY, NOTHING)).isEqualTo(present(5));
    assertThat(answers.latest(KEY, Optional.of(job(4)))).isEqualTo(present(5));
    assertThat(answers.latest(KEY, Optional.of(job(6)))).isEqualTo(present(6));
  }

  @Test
  void anObjectThatNoWatchShowsIsAskedForAgainAfterHalfAMinute() {
    answers.put(KEY, present(5));

    pass(Duration.ofSeconds(30));

    assertThat(answers.latest(KEY, NOTHING)).isEqualTo(Presence.unlisted());
  }

  @Test
  void anAbsenceHoldsUntilWeWriteOrTheWatchShowsAChange() {
    answers.put(KEY, Presence.absent());
    pass(Duration.ofMinutes(1));
    assertThat(answers.latest(KEY, NOTHING)).isEqualTo(Presence.absent());

    answers.forget(KEY);
    assertThat(answers.latest(KEY, NOTHING)).isEqualTo(Presence.unlisted());

    answers.put(KEY, Presence.absent());
    answers.note(JOB, new ObjectChange(Optional.empty(), Optional.of(job(7))));
    assertThat(answers.latest(KEY, Optional.of(job(7)))).isEqualTo(present(7));
  }

  @Test
  void anEndThatTheWatchShowsLeavesNoAnswer() {
    answers.put(KEY, present(5));

    answers.note(JOB, new ObjectChange(Optional.of(job(4)), Optional.empty()));

    assertThat(answers.latest(KEY, NOTHING)).isEqualTo(Presence.unlisted());
  }

  @Test
  void anOlderChangeLeavesTheAnswer() {
    answers.put(KEY, present(5));

    answers.note(JOB, new ObjectChange(Optional.empty(), Optional.of(job(4))));

    assertThat(answers.latest(KEY, Optional.of(job(4)))).isEqualTo(present(5));
  }
}
