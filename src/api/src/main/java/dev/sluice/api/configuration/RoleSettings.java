package dev.sluice.api.configuration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The settings that admission and the scheduler have to share: admission suspends jobs that the
 * scheduler starts, and a feature gate may change both roles. Immutable.
 *
 * @param jobKinds the kinds of jobs that are on: frameworks by name, custom kinds as {@code
 *     Kind.version.group}
 * @param gates the feature gates that are not at their default, each as {@code Name=value}
 */
public record RoleSettings(SortedSet<String> jobKinds, SortedSet<String> gates) {
  public RoleSettings {
    jobKinds = Collections.unmodifiableSortedSet(new TreeSet<>(jobKinds));
    gates = Collections.unmodifiableSortedSet(new TreeSet<>(gates));
  }

  /** The settings of a role with these files and flags. */
  public static RoleSettings of(Configuration configuration, Extensions extensions) {
    SortedSet<String> kinds = new TreeSet<>();
    for (Framework framework : Framework.values()) {
      if (configuration.jobs().isEnabled(framework)) {
        kinds.add(framework.frameworkName());
      }
    }
    extensions.customKinds().forEach(it -> kinds.add(name(it)));
    return new RoleSettings(kinds, listed(configuration.featureGates().toString()));
  }

  private static String name(CustomKind kind) {
    return "%s.%s.%s".formatted(kind.type().kind(), kind.type().version(), kind.type().group());
  }

  /** Settings in the form of {@link #jobKindList} and {@link #gateList}. */
  public static RoleSettings parse(String jobKinds, String gates) {
    return new RoleSettings(listed(jobKinds), listed(gates));
  }

  private static SortedSet<String> listed(String text) {
    SortedSet<String> parts = new TreeSet<>(List.of(text.split(",", -1)));
    parts.remove("");
    return parts;
  }

  /** The kinds of jobs in one text. */
  public String jobKindList() {
    return String.join(",", jobKinds);
  }

  /** The gates in one text. */
  public String gateList() {
    return String.join(",", gates);
  }

  /**
   * How these settings of admission differ from those of the scheduler, a sentence for each
   * difference; none if the roles agree.
   */
  public List<String> differencesFrom(RoleSettings scheduler) {
    List<String> sentences = new ArrayList<>(heldBackFrom(scheduler));
    for (String kind : minus(scheduler.jobKinds, jobKinds)) {
      sentences.add(
          "job kind %s is on for the scheduler only: nothing suspends its jobs when they are created"
              .formatted(kind));
    }
    Stream.concat(
            minus(gates, scheduler.gates).stream().map(it -> gate(it, "admission")),
            minus(scheduler.gates, gates).stream().map(it -> gate(it, "the scheduler")))
        .sorted()
        .forEach(sentences::add);
    return sentences;
  }

  /** The kinds of jobs that admission suspends and the scheduler never starts, a sentence each. */
  public List<String> heldBackFrom(RoleSettings scheduler) {
    return minus(jobKinds, scheduler.jobKinds).stream()
        .map(
            "job kind %s is on for admission only: its jobs are suspended, and nothing starts them"
                ::formatted)
        .toList();
  }

  private static String gate(String gate, String role) {
    return "feature gate %s is set for %s only".formatted(gate, role);
  }

  private static Set<String> minus(SortedSet<String> these, SortedSet<String> those) {
    Set<String> left = new TreeSet<>(these);
    left.removeAll(those);
    return left;
  }
}
