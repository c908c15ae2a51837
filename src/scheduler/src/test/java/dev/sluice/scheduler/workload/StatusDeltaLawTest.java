package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.QuotaHold.Contradiction;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.testkit.Tier;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Decisions of ours carried over to what others made of a status meanwhile, by whichever verb and
 * manager: the status that we store never says that there is quota without saying where.
 */
class StatusDeltaLawTest {
  private static final List<String> TYPES =
      List.of("QuotaReserved", "Admitted", "Evicted", "Preempted", "Requeued", "PodsReady");
  private static final List<String> REASONS = List.of("One", "Other");

  static LongStream seeds() {
    return Tier.seeds(200, 2_000);
  }

  private final JsonNodeFactory json = JsonNodeFactory.instance;

  /** Any status, whether or not it makes sense. */
  private ObjectNode any(Random random) {
    ObjectNode status = json.objectNode();
    for (String type : TYPES) {
      if (random.nextBoolean()) {
        set(status, type, random.nextBoolean(), REASONS.get(random.nextInt(2)));
      }
    }
    for (String member : List.of("admission", "admissionChecks", "requeueState")) {
      if (random.nextBoolean()) {
        put(status, member, random);
      }
    }
    return status;
  }

  private static void set(ObjectNode status, String type, boolean value, String reason) {
    ArrayNode conditions = status.withArrayProperty("conditions");
    for (int i = conditions.size() - 1; i >= 0; i--) {
      if (conditions.get(i).path("type").asText().equals(type)) {
        conditions.remove(i);
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", value ? "True" : "False")
        .put("reason", reason)
        .put("message", "")
        .put("lastTransitionTime", "2026-11-21T12:00:00Z");
  }

  private static void put(ObjectNode status, String member, Random random) {
    int number = random.nextInt(2);
    switch (member) {
      case "admission" ->
          status
              .putObject("admission")
              .put("clusterQueue", "cq" + number)
              .putArray("podSetAssignments");
      case "admissionChecks" ->
          status
              .putArray("admissionChecks")
              .addObject()
              .put("name", "c")
              .put("state", number == 0 ? "Ready" : "Pending")
              .put("message", "")
              .put("lastTransitionTime", "2026-11-21T12:00:00Z");
      default -> status.putObject("requeueState").put("count", number);
    }
  }

  private static WorkloadStatus read(JsonNode status) {
    return HubObjects.read(WorkloadStatus.class, status);
  }

  /** What the engine makes of it: quota of a queue, or none and why. */
  private static ObjectNode decided(ObjectNode before, boolean reserves, Random random) {
    ObjectNode after = before.deepCopy();
    set(after, "QuotaReserved", reserves, "Decided");
    if (reserves) {
      put(after, "admission", random);
      set(after, "Evicted", false, "QuotaReserved");
    } else {
      after.remove("admission");
    }
    set(after, "Admitted", reserves && random.nextBoolean(), "Decided");
    return after;
  }

  /** Some writes of others: what they name, they set or clear; nobody looks at the rest. */
  private ObjectNode others(ObjectNode before, Random random) {
    ObjectNode onto = before.deepCopy();
    for (int writes = random.nextInt(4); writes > 0; writes--) {
      switch (random.nextInt(4)) {
        case 0 -> set(onto, TYPES.get(random.nextInt(6)), random.nextBoolean(), "Theirs");
        case 1 -> onto.remove(List.of("admission", "conditions").get(random.nextInt(2)));
        case 2 ->
            put(
                onto,
                List.of("admission", "admissionChecks", "requeueState").get(random.nextInt(3)),
                random);
        default -> onto.setAll(any(random));
      }
    }
    return onto;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aDecisionIsWholeWhateverOthersWroteBeforeAndMeanwhile(long seed) {
    Random random = new Random(seed);
    ObjectNode before = any(random);
    boolean reserves = random.nextBoolean();
    ObjectNode after = decided(before, reserves, random);
    ObjectNode onto = others(before, random);

    WorkloadStatus carried = StatusDelta.carry(read(before), read(after), read(onto));

    assertThat(QuotaHold.contradiction(carried))
        .as("seed %d: %s\n to %s\n onto %s\n is %s", seed, before, after, onto, carried)
        .isEmpty();
    assertThat(carried.admission()).isEqualTo(read(after).admission());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyOtherChangeMakesNoContradictionThatWasNotThere(long seed) {
    Random random = new Random(seed);
    ObjectNode before = any(random);
    ObjectNode after = before.deepCopy();
    set(after, random.nextBoolean() ? "Evicted" : "PodsReady", random.nextBoolean(), "Decided");
    put(after, random.nextBoolean() ? "admissionChecks" : "requeueState", random);
    ObjectNode onto = others(before, random);
    Optional<Contradiction> there = QuotaHold.contradiction(read(onto));

    WorkloadStatus carried = StatusDelta.carry(read(before), read(after), read(onto));

    assertThat(QuotaHold.contradiction(carried)).as("seed %d", seed).isEqualTo(there);
  }
}
