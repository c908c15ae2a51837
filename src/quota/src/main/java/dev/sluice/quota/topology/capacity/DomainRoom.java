package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.topology.node.NodeState;
import dev.sluice.quota.topology.node.ResourceNumbers;
import java.util.List;

/** What one domain has and uses. For one thread; it does not change after it was returned. */
public final class DomainRoom {
  private final List<String> path;
  private final ResourceNumbers resources;
  private long[] capacity = new long[0];
  private long[] used = new long[0];
  private long[] free = new long[0];
  private long gangs;
  private int nodes;
  private int failed;
  private int notReady;
  private int cordoned;
  private int tainted;

  DomainRoom(List<String> path, ResourceNumbers resources) {
    this.path = List.copyOf(path);
    this.resources = resources;
  }

  /** What those have together, under that name. */
  public static DomainRoom sum(List<String> path, List<DomainRoom> parts) {
    ResourceNumbers numbers = parts.isEmpty() ? new ResourceNumbers() : parts.getFirst().resources;
    DomainRoom sum = new DomainRoom(path, numbers);
    for (DomainRoom part : parts) {
      sum.capacity = ResourceNumbers.plus(sum.capacity, part.capacity, 1);
      sum.used = ResourceNumbers.plus(sum.used, part.used, 1);
      sum.free = ResourceNumbers.plus(sum.free, part.free, 1);
      sum.gangs += part.gangs;
      sum.nodes += part.nodes;
      sum.failed += part.failed;
      sum.notReady += part.notReady;
      sum.cordoned += part.cordoned;
      sum.tainted += part.tainted;
    }
    return sum;
  }

  void addFree(long[] amounts) {
    free = ResourceNumbers.plus(free, amounts, 1);
  }

  void addUsed(long[] amounts) {
    used = ResourceNumbers.plus(used, amounts, 1);
  }

  void addNode(NodeState node, boolean isFailed, boolean isTainted) {
    nodes++;
    capacity = ResourceNumbers.plus(capacity, node.allocatable(), 1);
    used = ResourceNumbers.plus(used, node.taken(), 1);
    if (isFailed) {
      failed++;
    } else if (!node.ready()) {
      notReady++;
    } else if (node.node().spec().unschedulable()) {
      cordoned++;
    } else if (isTainted) {
      tainted++;
    }
  }

  void fits(long count) {
    gangs = count;
  }

  /** Its value of each level down to its own. */
  public List<String> path() {
    return path;
  }

  /** What its nodes have for pods, in units of the resource. */
  public long capacity(String resource) {
    return ResourceNumbers.at(capacity, resources.number(resource));
  }

  /** What pods take of that, those that are not ours included. */
  public long used(String resource) {
    return ResourceNumbers.at(used, resources.number(resource));
  }

  /** What is left on nodes on which pods may start. */
  public long free(String resource) {
    return ResourceNumbers.at(free, resources.number(resource));
  }

  /** How many of the gangs that were asked for fit beside each other; 0 where none was. */
  public long gangs() {
    return gangs;
  }

  /** How many nodes it has. */
  public int nodes() {
    return nodes;
  }

  /** How many of them count as failed, whatever else they are. */
  public int failed() {
    return failed;
  }

  /** How many of the others are not ready. */
  public int notReady() {
    return notReady;
  }

  /** How many of the others are ready, and unschedulable. */
  public int cordoned() {
    return cordoned;
  }

  /** How many of the others have a taint that the flavor does not tolerate. */
  public int tainted() {
    return tainted;
  }
}
