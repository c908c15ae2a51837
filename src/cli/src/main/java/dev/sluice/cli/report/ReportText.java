package dev.sluice.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.cluster.BriefTime;
import dev.sluice.cli.terminal.Table;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.see.report.Grouping;
import dev.sluice.see.report.UsageReport;
import dev.sluice.see.report.UsageReport.Group;
import dev.sluice.see.report.UsageReport.Hours;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A report as text.
 *
 * @param resource the only one that is shown; null for all
 */
record ReportText(UsageReport report, @Nullable String resource, Prices prices) {
  private static final double GIB = 1L << 30;

  private List<Hours> hours(Group group) {
    return group.hours().stream()
        .filter(it -> resource == null || it.pair().resource().equals(resource))
        .toList();
  }

  /** Only bytes are counted in units that nobody would read. */
  private static double shown(FlavorResource pair, double hours) {
    return isBytes(pair) ? hours / GIB : hours;
  }

  private static boolean isBytes(FlavorResource pair) {
    return pair.resource().equals("memory")
        || pair.resource().equals("ephemeral-storage")
        || pair.resource().startsWith("hugepages-");
  }

  private static String unit(FlavorResource pair) {
    return pair.resource() + (isBytes(pair) ? " (Gi)" : "");
  }

  private double cost(Hours hours) {
    return prices.of(hours.pair(), shown(hours.pair(), hours.held()));
  }

  String table() {
    StringBuilder text = new StringBuilder();
    text.append("%s to %s, in hours%n".formatted(report.since(), report.until()));
    if (report.groups().isEmpty()) {
      text.append("nothing was used\n");
    } else {
      text.append(rows());
    }
    if (report.gaps().count() > 0) {
      text.append(
          "The history may lack something: %d gaps, %s in all.%n"
              .formatted(report.gaps().count(), BriefTime.of(report.gaps().total())));
    }
    return text.toString();
  }

  private Table rows() {
    boolean lends = report.by() == Grouping.QUEUE;
    Table table = new Table("");
    List<String> head = new ArrayList<>(List.of(report.by().name(), "FLAVOR", "RESOURCE"));
    head.addAll(List.of(right("HELD"), right("BORROWED")));
    if (lends) {
      head.add(right("LENT"));
    }
    head.add(right("LOST"));
    if (!prices.isEmpty()) {
      head.add(right("PRICE"));
    }
    head.addAll(List.of("STARTED", "WAIT P50", "P90", "P99", "EVICTED"));
    table.add(head.toArray(String[]::new));
    for (Group group : report.groups()) {
      String name = group.name();
      for (Hours hours : hours(group)) {
        List<String> row = new ArrayList<>();
        row.addAll(List.of(name, hours.pair().flavor(), unit(hours.pair())));
        row.add(number(hours.pair(), hours.held()));
        row.add(number(hours.pair(), hours.borrowed()));
        if (lends) {
          row.add(number(hours.pair(), hours.lent()));
        }
        row.add(number(hours.pair(), hours.lost()));
        if (!prices.isEmpty()) {
          row.add(right(String.format(Locale.ROOT, "%.2f", cost(hours))));
        }
        if (!name.isEmpty()) {
          row.addAll(waits(group));
        }
        table.add(row.toArray(String[]::new));
        name = "";
      }
    }
    return table;
  }

  private static List<String> waits(Group group) {
    UsageReport.Waits waits = group.started();
    boolean none = waits.count() == 0;
    return List.of(
        String.valueOf(waits.count()),
        none ? "-" : BriefTime.of(waits.p50()),
        none ? "-" : BriefTime.of(waits.p90()),
        none ? "-" : BriefTime.of(waits.p99()),
        String.valueOf(group.evictions()));
  }

  private static String right(String text) {
    return String.format(Locale.ROOT, "%10s", text);
  }

  private static String number(FlavorResource pair, double hours) {
    return right(String.format(Locale.ROOT, "%.1f", shown(pair, hours)));
  }

  String csv() {
    StringBuilder text = new StringBuilder();
    text.append(report.by().name().toLowerCase(Locale.ROOT));
    text.append(",flavor,resource,held_hours,borrowed_hours,lent_hours,lost_hours");
    text.append(",price,started,wait_p50_seconds,wait_p90_seconds,wait_p99_seconds");
    text.append(",finished,evictions\n");
    for (Group group : report.groups()) {
      for (Hours hours : hours(group)) {
        FlavorResource pair = hours.pair();
        text.append(
            String.format(
                Locale.ROOT,
                "%s,%s,%s,%.6f,%.6f,%.6f,%.6f,%.4f,%d,%d,%d,%d,%d,%d%n",
                quoted(group.name()),
                quoted(pair.flavor()),
                quoted(unit(pair)),
                shown(pair, hours.held()),
                shown(pair, hours.borrowed()),
                shown(pair, hours.lent()),
                shown(pair, hours.lost()),
                cost(hours),
                group.started().count(),
                group.started().p50().toSeconds(),
                group.started().p90().toSeconds(),
                group.started().p99().toSeconds(),
                group.finished(),
                group.evictions()));
      }
    }
    return text.toString();
  }

  /** A name cannot be a formula of a spreadsheet, nor end its field. */
  private static String quoted(String text) {
    boolean plain = text.matches("[\\w./ ()-]*") && !text.startsWith("-");
    return plain ? text : "\"'" + text.replace("\"", "\"\"") + "\"";
  }

  ObjectNode json() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("since", report.since().toString()).put("until", report.until().toString());
    document.put("by", report.by().name().toLowerCase(Locale.ROOT));
    document
        .putObject("gaps")
        .put("count", report.gaps().count())
        .put("seconds", report.gaps().total().toSeconds());
    var groups = document.putArray("groups");
    for (Group group : report.groups()) {
      ObjectNode node = groups.addObject().put("name", group.name());
      node.put("started", group.started().count()).put("finished", group.finished());
      node.put("evictions", group.evictions());
      node.putObject("waitSeconds")
          .put("p50", group.started().p50().toSeconds())
          .put("p90", group.started().p90().toSeconds())
          .put("p99", group.started().p99().toSeconds());
      var list = node.putArray("hours");
      for (Hours hours : hours(group)) {
        ObjectNode item = list.addObject().put("flavor", hours.pair().flavor());
        item.put("resource", hours.pair().resource());
        item.put("unit", isBytes(hours.pair()) ? "Gi" : "1");
        item.put("held", shown(hours.pair(), hours.held()));
        item.put("borrowed", shown(hours.pair(), hours.borrowed()));
        item.put("lent", shown(hours.pair(), hours.lent()));
        item.put("lost", shown(hours.pair(), hours.lost()));
        if (!prices.isEmpty()) {
          item.put("price", cost(hours));
        }
      }
    }
    return document;
  }
}
