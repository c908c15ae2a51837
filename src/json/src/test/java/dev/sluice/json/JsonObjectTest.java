package dev.sluice.json;

import static dev.sluice.json.Texts.json;
import static dev.sluice.json.Texts.value;
import static dev.sluice.json.Texts.written;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonObjectTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|b|{'b':0}",
        "{'a':1}|b|{'a':1,'b':0}",
        "{'c':1}|b|{'b':0,'c':1}",
        "{'a':1,'c':2}|b|{'a':1,'b':0,'c':2}",
        "{'A':1,'Z':1,'a':2}|a1|{'A':1,'Z':1,'a':2,'a1':0}",
        "{'\uffee':1,'\ud83d\ude00':2}|\uffef|{'\uffee':1,'\uffef':0,'\ud83d\ude00':2}",
      })
  void putsAMemberWhereItBelongsAmongSortedKeys(String before, String key, String after) {
    JsonObject object = opened(before);

    object.putSorted(key, JsonSlice.number(0));

    assertThat(written(object)).isEqualTo(json(after));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{'c':1,'a':2}|b", "{'a':1,'d':2,'c':3}|b", "{'c':1,'d':1,'a':1}|b"})
  void putsAMemberLastWhereKeysAreNotSorted(String before, String key) {
    JsonObject object = opened(before);

    object.putSorted(key, JsonSlice.NULL);

    assertThat(object.keyAt(object.size() - 1)).isEqualTo(key);
  }

  @Test
  void setsAMemberThatIsThereInItsPlace() {
    JsonObject object = opened("{'b':1,'a':2,'c':3}");

    object.put("a", JsonSlice.NULL);
    object.putSorted("c", JsonSlice.number(7));

    assertThat(written(object)).isEqualTo(json("{'b':1,'a':null,'c':7}"));
  }

  @Test
  void replacesAMemberByAnotherAtTheSamePlace() {
    JsonObject object = opened("{'a':1,'b':2,'c':3}");

    object.replace("b", "x", JsonSlice.NULL);

    assertThat(written(object)).isEqualTo(json("{'a':1,'x':null,'c':3}"));
    assertThatThrownBy(() -> object.replace("b", "y", JsonSlice.NULL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("b (expected: a member of this object)");
  }

  @Test
  void removesMembersAndKeepsTheOrderOfTheRest() {
    JsonObject object = opened("{'a':1,'b':2,'c':3}");

    assertThat(object.remove("b")).hasToString("2");
    assertThat(object.remove("b")).isNull();
    assertThat(written(object)).isEqualTo(json("{'a':1,'c':3}"));
    assertThatThrownBy(() -> object.keyAt(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> object.valueAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void growsBeyondItsFirstSize() {
    JsonObject object = new JsonObject();
    for (int i = 0; i < 100; i++) {
      object.put("k" + i, JsonSlice.number(i));
    }

    assertThat(object.size()).isEqualTo(100);
    assertThat(object.get("k99")).hasToString("99");
    assertThat(object.keyAt(50)).isEqualTo("k50");
  }

  @Test
  void tellsAbsentFromNullAndFromOtherTypes() {
    JsonObject object = opened("{'null':null,'number':1,'text':'t','object':{},'list':[]}");

    assertThat(object.has("null")).isTrue();
    assertThat(object.has("absent")).isFalse();
    assertThat(object.get("absent")).isNull();
    assertThat(object.open("absent")).isNull();
    assertThat(object.object("null")).isNull();
    assertThat(object.object("list")).isNull();
    assertThat(object.array("object")).isNull();
    assertThat(object.text("number")).isNull();
    assertThat(object.text("object")).isNull();
    assertThat(object.text("text")).isEqualTo("t");
  }

  @Test
  void holdsWhatWasOpenedSoThatChangesStay() {
    JsonObject object = opened("{'a':{'b':1}}");

    JsonObject inner = object.object("a");

    assertThat(inner).isNotNull().isSameAs(object.object("a")).isSameAs(object.get("a"));
  }

  @Test
  void knowsAnObjectWithoutMembersOpenedOrNot() {
    assertThat(value("{ }").isEmptyObject()).isTrue();
    assertThat(new JsonObject().isEmptyObject()).isTrue();
    assertThat(value("[]").isEmptyObject()).isFalse();
    assertThat(opened("{'a':1}").isEmptyObject()).isFalse();
  }

  @Test
  void findsTheMembersOfALargeObjectWhateverIsDoneToIt() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    JsonObject object = new JsonObject();
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String key = "k" + random.nextInt(300);
      String other = "k" + random.nextInt(300);
      switch (random.nextInt(6)) {
        case 0 -> {
          object.remove(key);
          expected.remove(key);
        }
        case 1 -> {
          if (object.has(key) && !object.has(other)) {
            object.replace(key, other, JsonSlice.number(i));
            expected.remove(key);
            expected.put(other, "" + i);
          }
        }
        case 2 -> {
          object.putSorted(key, JsonSlice.number(i));
          expected.put(key, "" + i);
        }
        default -> {
          object.put(key, JsonSlice.number(i));
          expected.put(key, "" + i);
        }
      }
      assertThat(object.size()).isEqualTo(expected.size());
      Json found = object.get(other);
      assertThat(found == null ? null : found.toString()).isEqualTo(expected.get(other));
    }
  }

  @Test
  void comparesLargeObjectsInBoundedTime() {
    String forwards = large(IntStream.range(0, 200_000));
    String backwards = large(IntStream.range(0, 200_000).map(i -> 199_999 - i));

    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertThat(Canonical.equal(value(forwards), value(backwards))).isTrue());
  }

  private static String large(IntStream keys) {
    return "{" + keys.mapToObj(i -> "\"" + i + "\":" + i).collect(joining(",")) + "}";
  }

  private static JsonObject opened(String singleQuoted) {
    return (JsonObject) value(json(singleQuoted)).opened();
  }
}
