package dev.sluice.scheduler.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerReaderTest {
  private static final RoleSettings SETTINGS = RoleSettings.parse("batch/job,pod", "");

  /** A talk, and what is true after each of its seals. */
  private record Talk(String text, List<Integer> sealedAt, List<Map<ObjectKey, Entry>> states) {
    byte[] bytes() {
      return text.getBytes(UTF_8);
    }
  }

  private static Entry entry(String name, long version, long cpu) {
    return new Entry(
        new ObjectKey("n", name),
        "uid-" + name,
        version,
        "queue",
        Usage.of(Map.of(new FlavorResource("f", "cpu"), cpu)));
  }

  private static Talk talk(long seed) {
    Random random = new Random(seed);
    LedgerState state = new LedgerState();
    StringBuilder text = new StringBuilder();
    List<Integer> sealedAt = new ArrayList<>();
    List<Map<ObjectKey, Entry>> states = new ArrayList<>();
    add(text, new Line.Begin(Optional.of(SETTINGS)));
    for (int sequence = 5; sequence < 25; sequence++) {
      for (int i = random.nextInt(4); i > 0; i--) {
        Entry entry = entry("w" + random.nextInt(6), sequence, random.nextInt(1, 9));
        if (random.nextInt(3) == 0) {
          state.drop(entry.workload());
          add(text, new Line.Drop(entry.workload()));
        } else {
          state.put(entry);
          add(text, new Line.Put(entry));
        }
      }
      add(text, state.seal(sequence));
      sealedAt.add(text.length());
      states.add(new TreeMap<>(state.entries()));
    }
    return new Talk(text.toString(), sealedAt, states);
  }

  private static void add(StringBuilder text, Line line) {
    text.append(line.text()).append('\n');
  }

  /** What a reader holds for true at each seal. */
  private static final class Listener {
    private final Map<ObjectKey, Entry> fresh = new TreeMap<>();
    private final List<LedgerReader.Sealed> seals = new ArrayList<>();
    private final LedgerReader reader =
        new LedgerReader(
            _ -> {},
            told -> {
              seals.add(told);
              told.fresh().forEach(entry -> fresh.put(entry.workload(), entry));
            });

    void take(byte[] bytes, int from, int to) throws IOException {
      reader.take(ByteBuffer.wrap(bytes, from, to - from));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aTalkThatEndsAtAnyByteIsTrueUpToItsLastSeal(long seed) throws IOException {
    Talk talk = talk(seed);
    for (int end = 0; end <= talk.bytes().length; end++) {
      Listener listener = new Listener();
      int at = end;

      listener.take(talk.bytes(), 0, end);

      long sealed = talk.sealedAt().stream().filter(it -> it <= at).count();
      assertThat(listener.seals).hasSize((int) sealed);
      if (sealed > 0) {
        Map<ObjectKey, Entry> state = talk.states().get((int) sealed - 1);
        assertThat(listener.seals.getLast().size()).isEqualTo(state.size());
        assertThat(listener.fresh).containsAllEntriesOf(state);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void piecesOfAnySizeMakeTheSameTalk(long seed) throws IOException {
    Talk talk = talk(seed);
    Random random = new Random(seed);
    Listener listener = new Listener();
    for (int from = 0; from < talk.bytes().length; ) {
      int to = Math.min(talk.bytes().length, from + 1 + random.nextInt(100));
      listener.take(talk.bytes(), from, to);
      from = to;
    }

    assertThat(listener.seals).hasSize(talk.states().size());
    assertThat(listener.fresh).containsAllEntriesOf(talk.states().getLast());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatWasChangedOnTheWayIsRefusedBeforeItIsTrue(long seed) {
    Talk talk = talk(seed);
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      byte[] changed = talk.bytes().clone();
      int at = random.nextInt(changed.length);
      changed[at] = (byte) random.nextInt(256);
      Listener listener = new Listener();
      try {
        listener.take(changed, 0, changed.length);
      } catch (IOException _) {
        // refused: what was sealed before holds
      }
      long sealed = talk.sealedAt().stream().filter(it -> it <= at).count();
      assertThat(listener.seals.size()).isGreaterThanOrEqualTo((int) sealed);
      for (int seal = 0; seal < listener.seals.size(); seal++) {
        Map<ObjectKey, Entry> state = talk.states().get(seal);
        assertThat(listener.seals.get(seal).size()).isEqualTo(state.size());
        assertThat(listener.seals.get(seal).fresh())
            .as("byte %d of %s", at, Arrays.toString(new int[] {changed[at]}))
            .allSatisfy(it -> assertThat(talk.states()).anyMatch(s -> s.containsValue(it)));
      }
    }
  }

  @Test
  void aNewBeginningMakesWhatWasToldBeforeVoid() throws IOException {
    LedgerState state = new LedgerState();
    state.put(entry("kept", 1, 2));
    StringBuilder text = new StringBuilder();
    add(text, new Line.Begin(Optional.of(SETTINGS)));
    add(text, new Line.Put(entry("lost", 1, 1)));
    add(text, new Line.Begin(Optional.of(SETTINGS)));
    add(text, new Line.Put(entry("kept", 1, 2)));
    add(text, state.seal(77));
    Listener listener = new Listener();

    byte[] bytes = text.toString().getBytes(UTF_8);
    listener.take(bytes, 0, bytes.length);

    assertThat(listener.seals)
        .containsExactly(
            new LedgerReader.Sealed(
                77, 1, List.of(entry("kept", 1, 2)), Set.of(new ObjectKey("n", "lost"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "{}",
        "{'begin':2}",
        "{'put':{'name':'a'}}",
        "{'begin':1}|{'seal':{'sequence':1,'size':1,'digest':'0'}}",
        "{'begin':1} {'seal':{'sequence':1,'size':0,'digest':'0'}}",
        "{'begin':1}|{'seal':{'sequence':1,'size':0,'digest':'x'}}",
        "{'begin':1}|{'seal':{'sequence':1,'size':0,'digest':'0'}}|{'seal':{'sequence':3}}"
      })
  void refusesWhatIsNoTalk(String text) {
    Listener listener = new Listener();
    byte[] bytes = (text.replace('\'', '"').replace('|', '\n') + "\n").getBytes(UTF_8);

    assertThatThrownBy(() -> listener.take(bytes, 0, bytes.length)).isInstanceOf(IOException.class);
  }

  @Test
  void refusesALineWithoutAnEnd() {
    Listener listener = new Listener();
    byte[] bytes = new byte[300 << 10];
    Arrays.fill(bytes, (byte) ' ');

    assertThatThrownBy(() -> listener.take(bytes, 0, bytes.length))
        .hasMessageContaining("longer than");
  }

  /** An older server beside a newer scheduler whose lines say more. */
  @Test
  void fieldsThatThisReleaseDoesNotKnowArePassedOver() throws IOException {
    LedgerState state = new LedgerState();
    state.put(entry("w", 1, 2));
    StringBuilder text = new StringBuilder();
    add(text, new Line.Begin(Optional.of(SETTINGS)));
    add(text, new Line.Put(entry("w", 1, 2)));
    add(text, state.seal(1));
    String newer = text.toString().replace("}\n", ",\"ofTheNextRelease\":{\"a\":[1]}}\n");
    Listener listener = new Listener();

    listener.take(newer.getBytes(UTF_8), 0, newer.getBytes(UTF_8).length);

    assertThat(newer).isNotEqualTo(text.toString());
    assertThat(listener.fresh)
        .containsExactly(Map.entry(new ObjectKey("n", "w"), entry("w", 1, 2)));
    assertThat(listener.seals).hasSize(1);
  }

  /** A newer server beside an older scheduler, while a release is rolled out. */
  @Test
  void aSchedulerThatTellsNoSettingsIsFollowedAndComparedWithNothing() throws IOException {
    List<RoleSettings> told = new ArrayList<>();
    List<LedgerReader.Sealed> seals = new ArrayList<>();
    LedgerState state = new LedgerState();

    new LedgerReader(told::add, seals::add)
        .take(ByteBuffer.wrap(("{\"begin\":1}\n" + state.seal(1).text() + "\n").getBytes(UTF_8)));

    assertThat(told).isEmpty();
    assertThat(seals).hasSize(1);
  }
}
