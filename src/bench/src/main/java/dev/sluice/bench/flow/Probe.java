package dev.sluice.bench.flow;

import dev.sluice.bench.engine.Story.Kind;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import dev.sluice.controlplane.ControlPlane.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** What the API server can write without anybody watching, measured for a few seconds. */
final class Probe {
  private static final int IN_FLIGHT = 16;
  private static final int MOST = 20_000;
  private static final Kind KIND =
      new Kind("probe", 1, 1, Duration.ofSeconds(1), 0, Duration.ofSeconds(1));

  /**
   * What was measured.
   *
   * @param creates Workloads created a second
   * @param patches status merge patches a second
   * @param createCpuMillis processor time of the API server for one create
   * @param patchCpuMillis processor time of the API server for one patch
   */
  record Rates(double creates, double patches, double createCpuMillis, double patchCpuMillis) {}

  private record Rate(int count, double perSecond, double cpuMillis) {}

  private Probe() {}

  static Rates measure(FlowCluster cluster, Duration time) throws IOException {
    ApiClient client = cluster.client();
    ProcessHandle server = cluster.process(Part.KUBE_APISERVER);
    run(server, time.dividedBy(4), i -> create(client, "warm-" + i));
    Rate creates = run(server, time, i -> create(client, "probe-" + i));
    Rate patches =
        run(
            server,
            time,
            i ->
                client.mergePatch(
                    FlowObjects.WORKLOADS + "/probe-" + i % creates.count() + "/status",
                    FlowObjects.probed(i)));
    client.delete(FlowObjects.WORKLOADS).orThrow();
    return new Rates(
        creates.perSecond(), patches.perSecond(), creates.cpuMillis(), patches.cpuMillis());
  }

  private static Response create(ApiClient client, String name) {
    return client.create(FlowObjects.WORKLOADS, FlowObjects.workload(name, "probe", KIND));
  }

  private static Rate run(ProcessHandle server, Duration time, IntFunction<Response> call)
      throws IOException {
    AtomicInteger next = new AtomicInteger();
    Duration cpu = server.info().totalCpuDuration().orElse(Duration.ZERO);
    long began = System.nanoTime();
    Together.run(
        IN_FLIGHT,
        () -> {
          int mine = next.getAndIncrement();
          while (mine < MOST && System.nanoTime() - began < time.toNanos()) {
            call.apply(mine).orThrow();
            mine = next.getAndIncrement();
          }
        });
    int count = Math.max(1, Math.min(MOST, next.get()) - IN_FLIGHT);
    double seconds = (System.nanoTime() - began) / 1e9;
    double used = server.info().totalCpuDuration().orElse(Duration.ZERO).minus(cpu).toNanos() / 1e6;
    return new Rate(count, count / seconds, used / count);
  }
}
