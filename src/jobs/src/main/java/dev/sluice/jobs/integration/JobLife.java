package dev.sluice.jobs.integration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How the scheduler runs jobs of a kind. */
public sealed interface JobLife {
  /** Reads one object of the kind. */
  @FunctionalInterface
  interface Reader {
    /** The job; empty if the object is not queued by itself. */
    Optional<Job> read(JsonNode object, PlanContext context);
  }

  /** Plans one object of the kind. */
  @FunctionalInterface
  interface Planner {
    /**
     * Adds the next writes.
     *
     * @return when to plan the object again though nothing changed
     */
    Optional<Instant> plan(JsonNode object, PlanContext context, Writes writes);
  }

  /** Plans the cleanup after an object of the kind. */
  @FunctionalInterface
  interface Leftovers {
    /** Adds the next writes for an object of that key, which is not there. */
    void plan(JobKey gone, PlanContext context, Writes writes);
  }

  /** One object has one Workload, and the generic reconciler plans it. */
  record OneWorkload(Reader reader) implements JobLife {
    public OneWorkload {
      requireNonNull(reader, "reader");
    }
  }

  /**
   * The kind has steps of its own, such as one Workload per replica.
   *
   * @param reporter the component that events are from
   * @param leftovers what is planned once an object is gone
   */
  record OwnSteps(String reporter, Planner planner, Leftovers leftovers) implements JobLife {
    public OwnSteps {
      requireNonNull(reporter, "reporter");
      requireNonNull(planner, "planner");
      requireNonNull(leftovers, "leftovers");
    }
  }

  /** Finds the Pod templates of one object of the kind. */
  @FunctionalInterface
  interface TemplateFinder {
    /** The steps to each template. Beside it, {@code replicas} is how many Pods it is for. */
    List<List<String>> find(JsonNode object);
  }

  /**
   * Each of its Pods is a job of its own; the object itself needs no plan.
   *
   * @param templates where the templates of these Pods are
   */
  record ByItsPods(TemplateFinder templates) implements JobLife {
    public ByItsPods {
      requireNonNull(templates, "templates");
    }
  }

  /** Jobs of one object and one Workload that nothing else decides. */
  static JobLife of(java.util.function.Function<JsonNode, Job> reader) {
    return new OneWorkload((object, _) -> Optional.of(reader.apply(object)));
  }
}
