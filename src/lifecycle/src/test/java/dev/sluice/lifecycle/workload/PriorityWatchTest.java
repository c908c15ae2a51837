package dev.sluice.lifecycle.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which changes of a priority are edits, and which Workloads lag behind their class. */
class PriorityWatchTest {
  private static final ObjectKey KEY = new ObjectKey("ns", "w");

  private final PriorityWatch watch = new PriorityWatch();

  @ParameterizedTest(name = "from {0}/{1}/{2} to {3}/{4}/{5}: {6}")
  @CsvSource({
    "u, high, 100, u, high, 70,  true",
    "u, high, 70,  u, high, 60,  true",
    "u, high, 70,  u, high, 100, false",
    "u, high, 70,  u, high, 70,  false",
    "u, low,  5,   u, high, 70,  false", // its job names another class
    "u, high, 100, v, high, 70,  false", // another object of that name
    "u, high, 100, u, none, 70,  false", // no class of that name
  })
  void aPriorityIsEditedWhereItChangesToAnotherValueThanThatOfItsClass(
      String uid,
      String className,
      int priority,
      String thenUid,
      String thenClass,
      int thenPriority,
      boolean isEdited) {
    setValue(null, 100);

    change(workload(uid, className, priority), workload(thenUid, thenClass, thenPriority));

    assertThat(watch.isEdited(KEY)).isEqualTo(isEdited);
    assertThat(watch.isBehind(KEY)).isFalse();
  }

  @Test
  void theFirstSightOfAWorkloadIsNoEdit() {
    setValue(null, 100);

    change(null, workload("u", "high", 70));

    assertThat(watch.isEdited(KEY)).isFalse();
  }

  @Test
  void aWorkloadIsBehindItsClassUntilItHasTheNewValue() {
    setValue(null, 100);
    setValue(100, 200);
    assertThat(watch.isBehind(KEY)).isTrue();

    change(workload("u", "high", 100), workload("u", "high", 200));

    assertThat(watch.isBehind(KEY)).isFalse();
    assertThat(watch.isEdited(KEY)).isFalse();
  }

  @Test
  void followingLateIsNoEditWhereTheClassChangedAgainMeanwhile() {
    setValue(null, 100);
    setValue(100, 200);
    setValue(200, 300);

    change(workload("u", "high", 100), workload("u", "high", 200));

    assertThat(watch.isEdited(KEY)).isFalse();
    assertThat(watch.isBehind(KEY)).isTrue();
  }

  @Test
  void aChangeOfTheClassEndsAnEdit() {
    setValue(null, 100);
    change(workload("u", "high", 100), workload("u", "high", 70));

    setValue(100, 200);

    assertThat(watch.isEdited(KEY)).isFalse();
    assertThat(watch.isBehind(KEY)).isTrue();
  }

  @Test
  void aDescriptionOfTheClassIsNoChangeOfItsValue() {
    setValue(null, 100);

    setValue(100, 100);

    assertThat(watch.isBehind(KEY)).isFalse();
  }

  @Test
  void aDeletedWorkloadIsForgotten() {
    setValue(null, 100);
    change(workload("u", "high", 100), workload("u", "high", 70));

    change(workload("u", "high", 70), null);

    assertThat(watch.isEdited(KEY)).isFalse();
  }

  @Test
  void aWorkloadThatIsDeletedWhileItsClassChangesIsForgotten() {
    setValue(null, 100);
    Iterator<List<ObjectKey>> indexed = List.of(List.of(KEY), List.<ObjectKey>of()).iterator();

    watch.noteClass(changed(100, 200), indexed::next);

    assertThat(watch.isBehind(KEY)).isFalse();
  }

  private void setValue(@Nullable Integer before, int after) {
    watch.noteClass(changed(before, after), () -> before == null ? List.of() : List.of(KEY));
  }

  private static ObjectChange changed(@Nullable Integer before, int after) {
    return new ObjectChange(
        Optional.ofNullable(before).map(PriorityWatchTest::priorityClass),
        Optional.of(priorityClass(after)));
  }

  private void change(@Nullable JsonNode before, @Nullable JsonNode after) {
    watch.noteWorkload(new ObjectChange(Optional.ofNullable(before), Optional.ofNullable(after)));
  }

  private static JsonNode priorityClass(int value) {
    ObjectNode object = JsonNodeFactory.instance.objectNode().put("value", value);
    object.putObject("metadata").put("name", "high");
    return object;
  }

  private static JsonNode workload(String uid, String className, int priority) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("namespace", "ns").put("name", "w").put("uid", uid);
    object
        .putObject("spec")
        .put("priority", priority)
        .putObject("priorityClassRef")
        .put("kind", "WorkloadPriorityClass")
        .put("name", className);
    return object;
  }
}
