package dev.sluice.quota.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The domains that the pods of one PodSet run in, in the order of their values.
 *
 * @param levels the node labels whose values name a domain, widest first; the hostname alone where
 *     domains are nodes
 */
public record PodPlacement(List<String> levels, List<Domain> domains) {
  public PodPlacement {
    levels = List.copyOf(levels);
    domains = List.copyOf(domains);
  }

  /**
   * So many pods in one domain.
   *
   * @param values one for each level
   */
  public record Domain(List<String> values, int pods) {
    public Domain {
      values = List.copyOf(values);
    }
  }

  /** The pods of all domains. */
  public long pods() {
    return domains.stream().mapToLong(Domain::pods).sum();
  }

  /** The places of so many pods, without the last ones; all where there are no more. */
  public PodPlacement first(long pods) {
    List<Domain> first = new ArrayList<>();
    long rest = pods;
    for (Domain domain : domains) {
      int part = (int) Math.min(rest, domain.pods());
      if (part > 0) {
        first.add(new Domain(domain.values(), part));
        rest -= part;
      }
    }
    return new PodPlacement(levels, first);
  }

  /** What of this is more than the other one has. */
  public PodPlacement beyond(PodPlacement other) {
    Map<List<String>, Integer> there = new HashMap<>();
    other.domains().forEach(d -> there.merge(d.values(), d.pods(), Integer::sum));
    List<Domain> more = new ArrayList<>();
    for (Domain domain : domains) {
      int pods = domain.pods() - there.getOrDefault(domain.values(), 0);
      if (pods > 0) {
        more.add(new Domain(domain.values(), pods));
      }
    }
    return new PodPlacement(levels, more);
  }

  /** Whether domains are nodes, named by their hostname. */
  public boolean onHosts() {
    return !levels.isEmpty() && levels.getLast().equals(Levels.HOSTNAME);
  }
}
