package dev.sluice.scheduler.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Counters and histograms, by the role of the replica at that time. Counting finds the series and
 * increments it. Thread-safe.
 */
final class Recorder {
  private static final String TOTAL = "_total";

  private final Supplier<String> role;
  private final Map<MetricDefinition, Map<List<String>, LongAdder>> counts =
      new ConcurrentHashMap<>();
  private final Map<MetricDefinition, Map<List<String>, Times>> times = new ConcurrentHashMap<>();

  private static final class Times {
    private final List<Double> bounds;
    private final LongAdder[] buckets;
    private final DoubleAdder sum = new DoubleAdder();

    Times(List<Double> bounds) {
      this.bounds = bounds;
      this.buckets =
          Stream.generate(LongAdder::new).limit(bounds.size() + 1L).toArray(LongAdder[]::new);
    }

    void add(double seconds) {
      int bucket = 0;
      while (bucket < bounds.size() && seconds > bounds.get(bucket)) {
        bucket++;
      }
      buckets[bucket].increment();
      sum.add(seconds);
    }

    ClassicHistogramBuckets buckets() {
      ClassicHistogramBuckets.Builder result = ClassicHistogramBuckets.builder();
      for (int i = 0; i < buckets.length; i++) {
        double bound = i < bounds.size() ? bounds.get(i) : Double.POSITIVE_INFINITY;
        result.bucket(bound, buckets[i].sum());
      }
      return result.build();
    }
  }

  Recorder(Supplier<String> role) {
    this.role = role;
  }

  /** It happened once more; the values are those of the labels of the definition after the role. */
  void count(MetricDefinition definition, String... values) {
    counts
        .computeIfAbsent(definition, _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(series(values), _ -> new LongAdder())
        .increment();
  }

  /** Records a duration; a negative one, as clocks may give, counts as zero. */
  void time(MetricDefinition definition, Duration time, String... values) {
    times
        .computeIfAbsent(definition, _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(series(values), _ -> new Times(definition.bounds()))
        .add(Math.max(0, seconds(time)));
  }

  /** Not by way of nanoseconds: of the times that objects may hold, a long cannot hold them all. */
  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }

  private List<String> series(String... values) {
    String[] all = new String[values.length + 1];
    all[0] = role.get();
    System.arraycopy(values, 0, all, 1, values.length);
    return List.of(all);
  }

  /** Forgets the series of which that is so. */
  void forget(BiPredicate<MetricDefinition, List<String>> which) {
    counts.forEach((definition, own) -> own.keySet().removeIf(it -> which.test(definition, it)));
    times.forEach((definition, own) -> own.keySet().removeIf(it -> which.test(definition, it)));
  }

  void tell(CustomLabels custom, Consumer<MetricSnapshot> listener) {
    counts.forEach((definition, own) -> listener.accept(counted(custom, definition, own)));
    times.forEach((definition, own) -> listener.accept(timed(custom, definition, own)));
  }

  /** A gauge may be of the same name without the suffix, which the model must not notice. */
  private static CounterSnapshot counted(
      CustomLabels custom, MetricDefinition definition, Map<List<String>, LongAdder> series) {
    List<CounterDataPointSnapshot> points = new ArrayList<>();
    series.forEach(
        (values, count) ->
            points.add(
                new CounterDataPointSnapshot(count.sum(), custom.of(definition, values), null, 0)));
    String name = definition.name();
    String other = name.substring(0, name.length() - TOTAL.length()) + "_counted";
    return new CounterSnapshot(
        new MetricMetadata(other, name, name, definition.help(), null), points);
  }

  private static HistogramSnapshot timed(
      CustomLabels custom, MetricDefinition definition, Map<List<String>, Times> series) {
    List<HistogramDataPointSnapshot> points = new ArrayList<>();
    series.forEach(
        (values, own) ->
            points.add(
                new HistogramDataPointSnapshot(
                    own.buckets(),
                    own.sum.sum(),
                    custom.of(definition, values),
                    Exemplars.EMPTY,
                    0)));
    return new HistogramSnapshot(new MetricMetadata(definition.name(), definition.help()), points);
  }
}
