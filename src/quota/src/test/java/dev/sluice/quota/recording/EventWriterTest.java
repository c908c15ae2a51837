package dev.sluice.quota.recording;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.core.Namespace;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventWriterTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.5Z");

  private final EventWriter writer = new EventWriter();
  private final EventReader reader = new EventReader();

  private Event read() {
    reader.give(writer.take());
    Event event = requireNonNull(reader.next(), "one event");
    assertThat(reader.next()).isNull();
    return event;
  }

  private static Change namespace(String name, String label) {
    var meta =
        new ObjectMeta(
            name,
            "",
            null,
            "",
            null,
            3L,
            NOW,
            null,
            Map.of("l", label),
            Map.of(),
            List.of(),
            List.of());
    return Change.upserted(ObjectKind.NAMESPACE, new Namespace(meta));
  }

  @Test
  void moreObjectsThanAreKeptAreReadAsTheyWereWritten() {
    Random random = new Random(1);
    for (int i = 0; i < 2 * Recent.MOST; i++) {
      int object = random.nextInt(Recent.MOST + Recent.MOST / 8);
      var event = new Event.Applied(namespace("n" + object, "v" + random.nextInt(2)));

      writer.write(NOW, event);

      assertThat(read()).isEqualTo(event);
    }
    assertThat(reader.now()).isEqualTo(NOW);
  }

  @Test
  void anOutcomeThatIsTheSameAsBeforeTakesFewBytes() {
    var event =
        new Event.Cycled(
            List.of(
                new RecordedOutcome(
                    "queue",
                    new ObjectKey("a", "w"),
                    "Waiting",
                    Outcome.Place.PENDING,
                    0x12345678)));
    writer.write(NOW, event);
    assertThat(read()).isEqualTo(event);

    writer.write(NOW, event);

    assertThat(writer.size()).isEqualTo(5); // a tag, a count, two texts known, and "the same"
    assertThat(read()).isEqualTo(event);
  }

  @Test
  void aChangedLabelOfAKnownObjectTakesFewBytes() {
    writer.write(NOW, new Event.Applied(namespace("a-long-name-of-a-namespace", "before")));
    read();

    writer.write(NOW, new Event.Applied(namespace("a-long-name-of-a-namespace", "after")));

    assertThat(writer.size()).isLessThan(40);
  }

  @Test
  void whatIsNoEventIsMalformed() {
    reader.give(new byte[] {99});

    assertThatThrownBy(reader::next).isInstanceOf(MalformedRecordingException.class);
  }
}
