package dev.sluice.cli.outage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import dev.sluice.testkit.ApiClient;
import java.math.BigDecimal;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One revision of one object, as far as {@link Laws} ask for it. */
sealed interface Revision {
  /** The resourceVersion: all objects of a cluster are counted by one counter. */
  long number();

  /**
   * A Workload.
   *
   * @param job the uid of the job that controls it; empty for one that stands alone
   * @param reserved whether it has a reservation and is not finished
   * @param queue the ClusterQueue that it holds quota of; empty if it holds none: a deactivation
   *     frees the quota at once, as in Kueue, and the reservation ends when the Pods have
   * @param milliCpu what it holds
   */
  record OfWorkload(
      long number,
      String name,
      String uid,
      String job,
      boolean gone,
      boolean evicted,
      boolean admitted,
      boolean finished,
      boolean reserved,
      String queue,
      long milliCpu)
      implements Revision {
    boolean holds() {
      return !queue.isEmpty();
    }
  }

  /**
   * A batch/v1 Job.
   *
   * @param said whether the Job controller has said that it is suspended; empty before the first
   * @param counting the pods that its controller counts as succeeded just now: it writes them down
   *     before it lets go of them, and forgets them after that
   */
  record OfJob(
      long number,
      String name,
      String uid,
      boolean gone,
      boolean suspended,
      String said,
      int active,
      int parallelism,
      int completions,
      int succeeded,
      Set<String> counting,
      boolean complete,
      boolean failed)
      implements Revision {}

  /**
   * A job of any kind, as far as all kinds have it.
   *
   * @param job the uid of the job that has the Workload: of itself, or of what controls it
   * @param suspended whether the job itself says that its Pods must not run
   */
  record OfKind(long number, String name, String uid, String job, boolean gone, boolean suspended)
      implements Revision {}

  /**
   * A Pod.
   *
   * @param active whether it runs or is to run, and was not told to end
   */
  record OfPod(
      long number,
      String name,
      String uid,
      String job,
      boolean gone,
      boolean active,
      boolean succeeded)
      implements Revision {}

  static Revision ofWorkload(JsonNode it, boolean gone) {
    boolean finished = ApiClient.hasCondition(it, "Finished");
    boolean reserved = !gone && !finished && ApiClient.hasCondition(it, "QuotaReserved");
    boolean holds = reserved && it.at("/spec/active").asBoolean(true);
    return new OfWorkload(
        number(it),
        name(it),
        uid(it),
        controller(it),
        gone,
        ApiClient.hasCondition(it, "Evicted"),
        !gone && ApiClient.hasCondition(it, "Admitted"),
        finished,
        reserved,
        holds ? it.at("/status/admission/clusterQueue").asText() : "",
        holds ? held(it) : 0);
  }

  private static long held(JsonNode workload) {
    long held = 0;
    for (JsonNode assignment : workload.at("/status/admission/podSetAssignments")) {
      long all = milli(assignment.at("/resourceUsage/cpu").asText("0"));
      long count = Math.max(1, assignment.path("count").asLong(1));
      held += all / count * (count - Math.min(count, reclaimable(workload, assignment)));
    }
    return held;
  }

  private static long reclaimable(JsonNode workload, JsonNode assignment) {
    for (JsonNode pods : workload.at("/status/reclaimablePods")) {
      if (pods.path("name").asText().equals(assignment.path("name").asText())) {
        return pods.path("count").asLong();
      }
    }
    return 0;
  }

  private static long milli(String quantity) {
    return Quantity.parse(quantity)
        .orElseThrow()
        .value()
        .multiply(BigDecimal.valueOf(1_000))
        .longValueExact();
  }

  static Revision ofJob(JsonNode it, boolean gone) {
    return new OfJob(
        number(it),
        name(it),
        uid(it),
        gone,
        it.at("/spec/suspend").asBoolean(),
        said(it),
        it.at("/status/active").asInt(),
        it.at("/spec/parallelism").asInt(1),
        it.at("/spec/completions").asInt(1),
        it.at("/status/succeeded").asInt(),
        texts(it.at("/status/uncountedTerminatedPods/succeeded")),
        ApiClient.hasCondition(it, "Complete"),
        ApiClient.hasCondition(it, "Failed"));
  }

  private static Set<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asText).collect(Collectors.toUnmodifiableSet());
  }

  private static String said(JsonNode job) {
    for (JsonNode condition : job.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Suspended")) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  /** A job of a kind whose objects say by themselves whether they are suspended. */
  static Revision ofKind(JsonNode it, boolean gone, Predicate<JsonNode> isSuspended) {
    String job = controller(it).isEmpty() ? uid(it) : controller(it);
    return new OfKind(number(it), name(it), uid(it), job, gone, isSuspended.test(it));
  }

  static Revision ofPod(JsonNode it, boolean gone) {
    String phase = it.at("/status/phase").asText();
    return new OfPod(
        number(it),
        name(it),
        uid(it),
        controller(it),
        gone,
        !gone
            && !it.path("metadata").has("deletionTimestamp")
            && !phase.equals("Succeeded")
            && !phase.equals("Failed"),
        phase.equals("Succeeded"));
  }

  private static String name(JsonNode it) {
    return it.at("/metadata/namespace").asText() + "/" + it.at("/metadata/name").asText();
  }

  private static String uid(JsonNode it) {
    return it.at("/metadata/uid").asText();
  }

  private static long number(JsonNode it) {
    return Long.parseLong(it.at("/metadata/resourceVersion").asText());
  }

  private static String controller(JsonNode it) {
    for (JsonNode owner : it.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner.path("uid").asText();
      }
    }
    return "";
  }
}
