package dev.sluice.see.nodes;

import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.topology.capacity.DomainRoom;
import dev.sluice.quota.topology.capacity.FlavorDomains;
import dev.sluice.quota.world.WorkloadState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Some of the domains of one level of a flavor, in the order of their values.
 *
 * @param levels the labels of all levels, the widest first
 * @param level the index of theirs
 * @param total how many domains there are, of which these are a part
 * @param offset how many are before these
 * @param sum all of them together
 */
public record DomainPage(
    List<String> levels,
    int level,
    int total,
    int offset,
    DomainRoom sum,
    List<DomainRoom> domains) {
  public DomainPage {
    levels = List.copyOf(levels);
    domains = List.copyOf(domains);
  }

  /**
   * The part that is asked for.
   *
   * @param failed the names of failed nodes
   * @throws IllegalArgumentException with the parameter, its value, and what was expected
   */
  public static DomainPage of(FlavorDomains domains, DomainQuestion question, Set<String> failed) {
    List<String> levels = domains.levels();
    int above = question.under().size();
    if (above >= levels.size()) {
      throw new IllegalArgumentException(
          "under: '%s' has no level below it (expected: at most %d values)"
              .formatted(String.join("/", question.under()), levels.size() - 1));
    }
    int level = question.level().isEmpty() ? above : levels.indexOf(question.level());
    if (level < above) {
      throw new IllegalArgumentException(
          "level: '%s' (expected: one of %s)"
              .formatted(question.level(), levels.subList(above, levels.size())));
    }
    List<DomainRoom> all =
        domains.below(level, question.under(), question.gang().orElse(null), failed);
    return new DomainPage(
        levels,
        level,
        all.size(),
        question.page().offset(),
        DomainRoom.sum(question.under(), all),
        all.stream().skip(question.page().offset()).limit(question.page().limit()).toList());
  }

  /** The nodes that a Workload with quota had to leave because they failed. */
  public static Set<String> failedNodes(Snapshot snapshot) {
    Set<String> failed = new HashSet<>();
    for (WorkloadState state : snapshot.workloads()) {
      for (UnhealthyNode node : state.workload().status().unhealthyNodes()) {
        failed.add(node.name());
      }
    }
    return failed;
  }
}
