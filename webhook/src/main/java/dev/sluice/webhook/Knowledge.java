package dev.sluice.webhook;

import static java.util.Objects.requireNonNull;

import dev.sluice.webhook.guard.JobSource;
import dev.sluice.webhook.rules.RuleBook;
import dev.sluice.webhook.rules.World;

/**
 * What a server answers from.
 *
 * @param rules the kinds it serves and their rules
 * @param world the cluster as far as it is known, and what the operator chose
 * @param jobs where the pod guard looks Jobs up once more before it refuses a pod
 * @param dependency what must be there before it is ready
 */
public record Knowledge(RuleBook rules, World world, JobSource jobs, Dependency dependency) {
  public Knowledge {
    requireNonNull(rules, "rules");
    requireNonNull(world, "world");
    requireNonNull(jobs, "jobs");
    requireNonNull(dependency, "dependency");
  }

  /** The standard rules in this world, which nothing needs to be waited for. */
  public static Knowledge of(World world) {
    return new Knowledge(StandardRules.book(), world, JobSource.NONE, Dependency.NONE);
  }
}
