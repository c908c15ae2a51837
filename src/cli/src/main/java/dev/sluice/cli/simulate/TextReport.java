package dev.sluice.cli.simulate;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.cli.simulate.SimulationEvent.What;
import dev.sluice.cli.terminal.Table;
import dev.sluice.quota.amount.Amount;
import java.util.Map;

/** What happened, for people: moment by moment, and then what is left. */
final class TextReport {
  private TextReport() {}

  static String of(Timeline timeline) {
    StringBuilder text = new StringBuilder();
    for (Moment moment : timeline.moments()) {
      if (moment.events().isEmpty()) {
        continue; // the state at the beginning
      }
      text.append(moment.time());
      text.append(moment.cycle() > 0 ? "  cycle " + moment.cycle() : "").append('\n');
      Table table = new Table("  ");
      moment
          .events()
          .forEach(h -> table.add(h.what().text(), h.workload().toString(), h.queue(), why(h)));
      text.append(table);
    }
    return text.append('\n')
        .append(workloads(timeline))
        .append('\n')
        .append(queues(timeline))
        .append('\n')
        .append(summary(timeline))
        .append('\n')
        .toString();
  }

  private static String why(SimulationEvent event) {
    String separator = event.reason().isEmpty() || event.detail().isEmpty() ? "" : ": ";
    return event.reason() + separator + event.detail();
  }

  private static Table workloads(Timeline timeline) {
    Table table = new Table("");
    table.add("WORKLOAD", "LOCAL QUEUE", "STATE", "WHY");
    for (Map.Entry<ObjectKey, Workload> entry : timeline.end().workloads().entrySet()) {
      Workload workload = entry.getValue();
      String queue = workload.spec().queueName();
      table.add(
          entry.getKey().toString(),
          queue == null ? "" : queue,
          timeline.end().phase(entry.getKey()).text(),
          explanation(timeline, entry.getKey(), workload));
    }
    return table;
  }

  /** What it got, or why it got nothing. */
  private static String explanation(Timeline timeline, ObjectKey key, Workload workload) {
    return switch (timeline.end().phase(key)) {
      case ADMITTED, RESERVED, EVICTED -> Flavors.of(workload);
      case FINISHED, GONE -> "";
      case PENDING, INADMISSIBLE, UNQUEUED -> {
        String obstacle = timeline.obstacles().get(key);
        var condition = Flavors.reserved(workload);
        yield obstacle != null
            ? obstacle
            : condition == null ? "" : why(condition.reason(), condition.message());
      }
    };
  }

  private static String why(String reason, String message) {
    return message.isEmpty() ? reason : reason + ": " + message;
  }

  private static Table queues(Timeline timeline) {
    Table table = new Table("");
    table.add("CLUSTER QUEUE", "FLAVOR", "RESOURCE", "USED", "QUOTA");
    timeline
        .nominal()
        .forEach(
            (queue, quota) ->
                quota.forEach(
                    (pair, nominal) ->
                        table.add(
                            queue,
                            pair.flavor(),
                            pair.resource(),
                            new Amount(timeline.usedAtTheEnd(queue, pair)).text(pair.resource()),
                            new Amount(nominal).text(pair.resource()))));
    return table;
  }

  private static String summary(Timeline timeline) {
    return "%d cycles: %d admissions, %d preemptions, %d finished; %d workloads still wait"
        .formatted(
            timeline.cycles(),
            timeline.count(What.ADMITTED) + timeline.count(What.RESERVED),
            timeline.count(What.PREEMPTED),
            timeline.count(What.FINISHED),
            timeline.waiting());
  }
}
