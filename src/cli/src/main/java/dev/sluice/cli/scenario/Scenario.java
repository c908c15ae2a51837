package dev.sluice.cli.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.workload.CheckState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects, a clock and a configuration, what happens then, and what is expected of it. */
public record Scenario(@Default("{}") ObjectMeta metadata, Spec spec) {
  /** The value of {@code apiVersion}. */
  static final String API_VERSION = "sluice.dev/v1alpha1";

  /** The value of {@code kind}. */
  static final String KIND = "Scenario";

  /**
   * What is played.
   *
   * @param now the time at the beginning
   * @param cycles the cycles that run before the first expectation
   * @param untilQuiet whether, instead, everything happens that happens by itself
   * @param configuration a Configuration of Kueue
   * @param extensions an Extensions document, such as one with custom kinds
   * @param objects what there is at the beginning
   * @param expect what is expected before any step
   * @param steps what happens next, in the order of time
   */
  public record Spec(
      @Default("2026-01-01T00:00:00Z") Instant now,
      @Default("1") int cycles,
      @Default("false") boolean untilQuiet,
      @Default("{}") JsonNode configuration,
      @Default("{}") JsonNode extensions,
      List<JsonNode> objects,
      @Default("{}") Expectation expect,
      List<Step> steps) {
    /** Copies what is given. */
    public Spec {
      objects = List.copyOf(objects);
      steps = List.copyOf(steps);
    }
  }

  /**
   * What happens at a later time: jobs end and nodes fail, checks answer, objects go and come, in
   * this order; and then cycles run.
   *
   * @param at {@code +30s} from the beginning, or a time
   * @param name what the step is called in a report
   * @param finish jobs that end, as {@code namespace/name} of the workload
   */
  public record Step(
      String at,
      @Nullable String name,
      List<String> finish,
      List<String> failNodes,
      List<CheckAnswer> checks,
      List<Deletion> delete,
      List<JsonNode> apply,
      @Default("1") int cycles,
      @Default("false") boolean untilQuiet,
      @Default("{}") Expectation expect) {
    /** Copies what is given. */
    public Step {
      finish = List.copyOf(finish);
      failNodes = List.copyOf(failNodes);
      checks = List.copyOf(checks);
      delete = List.copyOf(delete);
      apply = List.copyOf(apply);
    }
  }

  /** What an admission check says of a workload, named {@code namespace/name}. */
  public record CheckAnswer(String workload, String check, CheckState state) {}

  /** An object that goes. */
  public record Deletion(String kind, @Default("") String namespace, String name) {}
}
