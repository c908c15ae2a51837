package dev.sluice.cli.outage;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Kueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Jobs to be submitted, a few ahead of what is finished, each until it is stored. */
final class Submissions {
  private static final String CLASS = "outage-high";
  static final int AHEAD = 60;

  private final KillableCluster cluster;
  private final String namespace;
  private final List<String> bodies = new ArrayList<>();
  private int submitted;

  /** Jobs drawn for these queues: most of one pod, some of more, some more important. */
  Submissions(
      KillableCluster cluster, String namespace, List<QueueNode> queues, int jobs, Random random) {
    this.cluster = cluster;
    this.namespace = namespace;
    for (int i = 0; i < jobs; i++) {
      String queue = queues.get(random.nextInt(queues.size())).name();
      int parallelism = random.nextInt(8) == 0 ? 2 + random.nextInt(2) : 1;
      int completions = parallelism + (random.nextInt(12) == 0 ? 1 : 0);
      boolean important = random.nextInt(10) == 0;
      bodies.add(body("job-" + i, queue, parallelism, completions, important));
    }
  }

  static void createPriorityClass(KillableCluster cluster) {
    ApiKind kind = ApiKind.WORKLOAD_PRIORITY_CLASS;
    cluster.create(
        Kueue.collection(kind, ApiVersion.HUB),
        Kueue.object(kind, ApiVersion.HUB, CLASS, "\"value\":1000"));
  }

  private static String body(
      String name, String queue, int parallelism, int completions, boolean important) {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
    "kueue.x-k8s.io/queue-name":"%s"%s}},"spec":{"parallelism":%d,"completions":%d,
    "template":{"spec":{"restartPolicy":"Never","terminationGracePeriodSeconds":0,"containers":[
    {"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}}\
    """
        .formatted(
            name,
            queue,
            important ? ",\"kueue.x-k8s.io/priority-class\":\"" + CLASS + "\"" : "",
            parallelism,
            completions);
  }

  /** How many are stored. */
  int submitted() {
    return submitted;
  }

  /** Submits some more; what cannot be stored now is tried again the next time. */
  void submit(int finished) {
    String collection = "/apis/batch/v1/namespaces/" + namespace + "/jobs";
    while (submitted < bodies.size()
        && submitted < finished + AHEAD
        && cluster.tryToCreate(collection, bodies.get(submitted))) {
      submitted++;
    }
  }
}
