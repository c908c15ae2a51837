package dev.sluice.see.report;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.QuotaChange;
import dev.sluice.see.history.Transition;
import dev.sluice.see.report.UsageReport.Gaps;
import dev.sluice.see.report.UsageReport.Group;
import dev.sluice.see.report.UsageReport.Hours;
import dev.sluice.see.report.UsageReport.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums up the lines of a history, which may come in any order. A line that closes a time of holding
 * says by itself what was held since when, so nothing before {@code since} is needed. For one
 * thread; keeps a few numbers of each line.
 */
public final class ReportBuilder {
  private static final double SECONDS_OF_HOUR = 3600;
  private static final double MILLIS = 1000;

  private final Instant since;
  private final Instant until;
  private final Grouping by;
  private final QuotaSweep sweep;
  private final Map<String, Sums> sums = new TreeMap<>();
  private int gaps;
  private Duration missed = Duration.ZERO;

  /** What one group has so far. */
  private static final class Sums {
    private final List<Long> waits = new ArrayList<>();
    private final Map<FlavorResource, Double> lost = new TreeMap<>();
    private int finished;
    private int evictions;
  }

  /** A report from {@code since} until before {@code until}. */
  public ReportBuilder(Instant since, Instant until, Grouping by) {
    this.since = since;
    this.until = until;
    this.by = by;
    this.sweep = new QuotaSweep(since, until);
  }

  /** Counts a line. */
  public ReportBuilder add(HistoryLine line) {
    switch (line) {
      case QuotaChange change -> sweep.add(change);
      case Gap gap -> add(gap);
      case Transition transition -> add(transition);
    }
    return this;
  }

  private void add(Gap gap) {
    Instant from = later(gap.from(), since);
    Instant to = gap.at().isBefore(until) ? gap.at() : until;
    if (from.isBefore(to)) {
      gaps++;
      missed = missed.plus(Duration.between(from, to));
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private void add(Transition line) {
    Held held = line.held();
    if (held == null) {
      return;
    }
    String group = by.of(line, held.clusterQueue());
    if (line.step().closes()) {
      sweep.held(held, line.at(), group);
    }
    if (line.at().isBefore(since) || !line.at().isBefore(until)) {
      return;
    }
    Sums own = sums.computeIfAbsent(group, _ -> new Sums());
    switch (line.step()) {
      case RESERVED -> own.waits.add(seconds(line.queued(), held.reserved()));
      case FINISHED -> own.finished++;
      case EVICTED -> {
        own.evictions++;
        long ran = seconds(held.admitted() == null ? held.reserved() : held.admitted(), line.at());
        held.amounts()
            .forEach(
                (pair, amount) ->
                    own.lost.merge(pair, hours(pair, amount * (double) ran), Double::sum));
      }
      case QUEUED, ADMITTED, CHANGED, CONTINUED, RELEASED, GONE, OPEN -> {}
    }
  }

  private static long seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toSeconds());
  }

  private static double hours(FlavorResource pair, double unitSeconds) {
    double whole = pair.resource().equals(Amount.CPU) ? unitSeconds / MILLIS : unitSeconds;
    return whole / SECONDS_OF_HOUR;
  }

  /** The report of all lines so far. */
  public UsageReport build() {
    Map<String, Map<FlavorResource, QuotaSweep.UnitSeconds>> used = sweep.run(by == Grouping.QUEUE);
    used.keySet().forEach(group -> sums.computeIfAbsent(group, _ -> new Sums()));
    List<Group> groups = new ArrayList<>();
    sums.forEach((name, own) -> groups.add(group(name, own, used.getOrDefault(name, Map.of()))));
    return new UsageReport(since, until, by, groups, new Gaps(gaps, missed));
  }

  private static Group group(
      String name, Sums own, Map<FlavorResource, QuotaSweep.UnitSeconds> used) {
    Map<FlavorResource, QuotaSweep.UnitSeconds> all = new TreeMap<>(used);
    own.lost.keySet().forEach(pair -> all.computeIfAbsent(pair, _ -> new QuotaSweep.UnitSeconds()));
    List<Hours> hours = new ArrayList<>();
    all.forEach(
        (pair, sum) ->
            hours.add(
                new Hours(
                    pair,
                    hours(pair, sum.held()),
                    hours(pair, sum.borrowed()),
                    hours(pair, sum.lent()),
                    own.lost.getOrDefault(pair, 0.0))));
    return new Group(name, waits(own.waits), own.finished, own.evictions, hours);
  }

  private static Waits waits(List<Long> seconds) {
    List<Long> sorted = seconds.stream().sorted().toList();
    return new Waits(
        sorted.size(), quantile(sorted, 0.5), quantile(sorted, 0.9), quantile(sorted, 0.99));
  }

  /** The least that at least this part of them do not exceed. */
  private static Duration quantile(List<Long> sorted, double part) {
    if (sorted.isEmpty()) {
      return Duration.ZERO;
    }
    int index = (int) Math.ceil(part * sorted.size()) - 1;
    return Duration.ofSeconds(sorted.get(Math.clamp(index, 0, sorted.size() - 1)));
  }
}
