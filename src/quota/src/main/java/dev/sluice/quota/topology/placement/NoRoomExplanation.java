package dev.sluice.quota.topology.placement;

import dev.sluice.quota.topology.capacity.DomainCapacity;
import dev.sluice.quota.topology.domain.DomainForest;
import dev.sluice.quota.topology.placement.Demand.Manner;

/** Why there is no room, as a part of a sentence with counts. */
final class NoRoomExplanation {
  private NoRoomExplanation() {}

  static String of(Demand demand, DomainCapacity counts) {
    DomainForest forest = demand.site().forest();
    int leaves = demand.to() - demand.from();
    if (leaves <= 0) {
      return "no node has all its levels and the labels of ResourceFlavor " + demand.site().name();
    }
    String unit = demand.profile().slices().size() > 1 ? "slices" : "pods";
    StringBuilder text = new StringBuilder();
    int level = demand.level();
    int best = best(counts, level);
    text.append(
        "%s %s holds %d of %d %s"
            .formatted(
                forest.levels().label(level),
                forest.name(level, best),
                counts.slicesWithLeader(level, best),
                demand.need(),
                unit));
    if (demand.led() && !counts.takesLeader(level, best)) {
      text.append(" and not their leader");
    }
    if (demand.manner() != Manner.REQUIRED) {
      long all = 0;
      for (int d = counts.first(0); d < counts.end(0); d++) {
        all += counts.slicesWithLeader(0, d);
      }
      text.append(", all domains hold ").append(all);
    }
    return text.append("; ").append(counts.exclusions()).toString();
  }

  private static int best(DomainCapacity counts, int level) {
    int best = counts.first(level);
    for (int d = best; d < counts.end(level); d++) {
      boolean leads = counts.takesLeader(level, d);
      boolean bestLeads = counts.takesLeader(level, best);
      boolean more = counts.slicesWithLeader(level, d) > counts.slicesWithLeader(level, best);
      best = (leads && !bestLeads) || (leads == bestLeads && more) ? d : best;
    }
    return best;
  }
}
