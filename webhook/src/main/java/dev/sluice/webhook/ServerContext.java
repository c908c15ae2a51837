package dev.sluice.webhook;

import static java.util.Objects.requireNonNull;

import dev.sluice.conversion.Converter;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.view.JobSource;
import dev.sluice.supervision.Dependency;
import dev.sluice.webhook.server.Page;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The rules, the view of the cluster and the pages of a server.
 *
 * @param rules the kinds it serves and their rules
 * @param world the cluster as far as it is known, and what the operator chose
 * @param jobs where the pod guard reads a Job again before it refuses a pod
 * @param dependency what the server needs before it is ready
 * @param pages pages of the plain port beside health and metrics
 * @param registry takes the metrics and shows them; empty for one of the server's own
 * @param ownKinds converts the kinds of another operator; the server then converts no kind of Kueue
 *     and guards no pods. Empty in Sluice itself
 */
public record ServerContext(
    RuleBook rules,
    ReviewContext world,
    JobSource jobs,
    Dependency dependency,
    List<Page> pages,
    Optional<PrometheusMeterRegistry> registry,
    Optional<Converter> ownKinds) {
  public ServerContext {
    requireNonNull(rules, "rules");
    requireNonNull(world, "world");
    requireNonNull(jobs, "jobs");
    requireNonNull(dependency, "dependency");
    pages = List.copyOf(pages);
    requireNonNull(registry, "registry");
    requireNonNull(ownKinds, "ownKinds");
  }

  /** The same without pages of its own. */
  public ServerContext(RuleBook rules, ReviewContext world, JobSource jobs, Dependency dependency) {
    this(rules, world, jobs, dependency, List.of(), Optional.empty(), Optional.empty());
  }

  /** The same with these pages. */
  public ServerContext withPages(List<Page> shown) {
    return new ServerContext(rules, world, jobs, dependency, shown, registry, ownKinds);
  }

  /** The same with metrics in that registry, in which others may measure, too. */
  public ServerContext withRegistry(PrometheusMeterRegistry shown) {
    return new ServerContext(rules, world, jobs, dependency, pages, Optional.of(shown), ownKinds);
  }

  /** The standard rules in this world, which nothing needs to be waited for. */
  public static ServerContext of(ReviewContext world) {
    return new ServerContext(StandardRules.book(), world, JobSource.NONE, Dependency.NONE);
  }

  /**
   * What an operator of its own serves: its rules and its conversions, and nothing of Kueue. Its
   * rules see the object and the request, and nothing of the cluster.
   *
   * @param rules the rules of its kinds
   * @param conversions converts its kinds; kinds with one version belong to it, too
   */
  public static ServerContext ofOperator(Collection<KindRules> rules, Converter conversions) {
    return new ServerContext(
        new RuleBook(rules),
        ReviewContext.UNKNOWN,
        JobSource.NONE,
        Dependency.NONE,
        List.of(),
        Optional.empty(),
        Optional.of(conversions));
  }
}
