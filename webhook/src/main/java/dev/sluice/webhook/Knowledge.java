package dev.sluice.webhook;

import static java.util.Objects.requireNonNull;

import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.view.JobSource;
import dev.sluice.supervision.Dependency;
import dev.sluice.webhook.server.Page;
import java.util.List;

/**
 * What a server answers from.
 *
 * @param rules the kinds it serves and their rules
 * @param world the cluster as far as it is known, and what the operator chose
 * @param jobs where the pod guard looks Jobs up once more before it refuses a pod
 * @param dependency what must be there before it is ready
 * @param pages what the plain port shows beside health and metrics
 */
public record Knowledge(
    RuleBook rules, ReviewContext world, JobSource jobs, Dependency dependency, List<Page> pages) {
  public Knowledge {
    requireNonNull(rules, "rules");
    requireNonNull(world, "world");
    requireNonNull(jobs, "jobs");
    requireNonNull(dependency, "dependency");
    pages = List.copyOf(pages);
  }

  /** The same without pages of its own. */
  public Knowledge(RuleBook rules, ReviewContext world, JobSource jobs, Dependency dependency) {
    this(rules, world, jobs, dependency, List.of());
  }

  /** The same with these pages. */
  public Knowledge withPages(List<Page> shown) {
    return new Knowledge(rules, world, jobs, dependency, shown);
  }

  /** The standard rules in this world, which nothing needs to be waited for. */
  public static Knowledge of(ReviewContext world) {
    return new Knowledge(StandardRules.book(), world, JobSource.NONE, Dependency.NONE);
  }
}
