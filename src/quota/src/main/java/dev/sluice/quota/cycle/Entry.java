package dev.sluice.quota.cycle;

import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.Nominated;
import dev.sluice.quota.tree.Vector;
import dev.sluice.quota.trial.TreeTrial;

/** A nominated head with the tree it is in. Compared by identity. */
final class Entry {
  private final Head head;
  private final TreeTrial trial;
  private final int node;
  private final Nominated nominated;
  private final Vector usage;

  Entry(Head head, TreeTrial trial, Nominated nominated) {
    this.head = head;
    this.trial = trial;
    this.node = trial.node(head.rules().name());
    this.nominated = nominated;
    this.usage = trial.shape().vector(nominated.assignment().usage());
  }

  Entry renominated(Nominated again) {
    return new Entry(head, trial, again);
  }

  Head head() {
    return head;
  }

  TreeTrial trial() {
    return trial;
  }

  /** The node of its queue. */
  int node() {
    return node;
  }

  Nominated nominated() {
    return nominated;
  }

  /** What its assignment would add to the tree. */
  Vector usage() {
    return usage;
  }
}
