package dev.sluice.scheduler.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** All series of one name. Compared by identity. */
final class MetricDefinition {
  /** From a second to three hours. */
  static final List<Double> WAIT = doubling(14);

  /** From a second to eleven hours. */
  static final List<Double> LONG = doubling(16);

  /** From five milliseconds to ten seconds. */
  static final List<Double> SHORT = List.of(.005, .01, .025, .05, .1, .25, .5, 1.0, 2.5, 5.0, 10.0);

  /** From ten milliseconds to ten seconds, each twice the one before. */
  static final List<Double> FINE =
      DoubleStream.iterate(.01, it -> 2 * it).limit(11).boxed().toList();

  private static final String ROLE = "replica_role";

  private final String name;
  private final String help;
  private final List<String> labels;
  private final List<Double> bounds;

  private MetricDefinition(String name, String help, List<Double> bounds, List<String> labels) {
    this.name = name;
    this.help = help;
    this.bounds = bounds;
    this.labels = labels;
  }

  private static List<Double> doubling(int bounds) {
    return DoubleStream.concat(
            DoubleStream.of(1), DoubleStream.iterate(2.5, it -> 2 * it).limit(bounds - 1L))
        .boxed()
        .toList();
  }

  /** A number that is so now, by these labels and the role of the replica. */
  static MetricDefinition gauge(String name, String help, String... labels) {
    return new MetricDefinition(name, help, List.of(), withRole(labels));
  }

  /** A number that only grows; its name ends with {@code _total}. */
  static MetricDefinition counter(String name, String help, String... labels) {
    return new MetricDefinition(name, help, List.of(), withRole(labels));
  }

  /** A histogram of seconds with these bounds. */
  static MetricDefinition times(String name, String help, List<Double> bounds, String... labels) {
    return new MetricDefinition(name, help, bounds, withRole(labels));
  }

  /** A number that is the same for every role. */
  static MetricDefinition constant(String name, String help, String... labels) {
    return new MetricDefinition(name, help, List.of(), List.of(labels));
  }

  private static List<String> withRole(String... labels) {
    return Stream.concat(Stream.of(ROLE), Arrays.stream(labels)).toList();
  }

  String name() {
    return name;
  }

  String help() {
    return help;
  }

  /** Its labels, the role first where it has one. */
  List<String> labels() {
    return labels;
  }

  /** The bounds of the histogram; empty for a single number. */
  List<Double> bounds() {
    return bounds;
  }

  /** Which of its labels has that name; -1 for none. */
  int index(String label) {
    return labels.indexOf(label);
  }
}
