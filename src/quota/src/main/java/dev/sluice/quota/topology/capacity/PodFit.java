package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.domain.Leaf;
import dev.sluice.quota.topology.node.ResourceNumbers;
import org.jspecify.annotations.Nullable;

/** How many pods of a profile fit into what is left of a leaf. Immutable. */
final class PodFit {
  private final Requests worker;
  private final int[] workerNumbers;
  private final long[] workerAmounts;
  private final int[] leaderNumbers;
  private final long[] leaderAmounts;

  PodFit(Profile profile, ResourceNumbers resources) {
    this.worker = profile.worker();
    this.workerNumbers = numbers(profile.worker(), resources);
    this.workerAmounts = amounts(profile.worker());
    this.leaderNumbers = numbers(profile.leader(), resources);
    this.leaderAmounts = amounts(profile.leader());
  }

  private static int[] numbers(@Nullable Requests requests, ResourceNumbers resources) {
    int[] numbers = new int[requests == null ? 0 : requests.size()];
    for (int i = 0; requests != null && i < numbers.length; i++) {
      numbers[i] = resources.number(requests.resource(i));
    }
    return numbers;
  }

  private static long[] amounts(@Nullable Requests requests) {
    long[] amounts = new long[requests == null ? 0 : requests.size()];
    for (int i = 0; requests != null && i < amounts.length; i++) {
      amounts[i] = requests.amount(i);
    }
    return amounts;
  }

  /**
   * How many workers fit.
   *
   * @param besideLeader whether the leader is there, too
   */
  long workers(Leaf leaf, long[] taken, boolean besideLeader) {
    return fitting(workerNumbers, workerAmounts, leaf.free(), taken, besideLeader);
  }

  /** Whether the leader fits. */
  boolean takesLeader(Leaf leaf, long[] taken) {
    return fitting(leaderNumbers, leaderAmounts, leaf.free(), taken, false) > 0;
  }

  /** How many pods fit in what is left: the scarcest resource decides. */
  private long fitting(
      int[] numbers, long[] amounts, long[] free, long[] taken, boolean besideLeader) {
    long fewest = Integer.MAX_VALUE;
    for (int i = 0; i < numbers.length; i++) {
      if (amounts[i] > 0) {
        long left = left(numbers[i], free, taken) - (besideLeader ? leaderTakes(numbers[i]) : 0);
        fewest = Math.min(fewest, Math.max(0, left / amounts[i]));
      }
    }
    return fewest;
  }

  private static long left(int number, long[] free, long[] taken) {
    return Math.max(0, ResourceNumbers.at(free, number)) - ResourceNumbers.at(taken, number);
  }

  private long leaderTakes(int number) {
    for (int i = 0; i < leaderNumbers.length; i++) {
      if (leaderNumbers[i] == number) {
        return leaderAmounts[i];
      }
    }
    return 0;
  }

  /** The first resource of which there is too little for one worker. */
  String scarcest(Leaf leaf, long[] taken) {
    for (int i = 0; i < workerNumbers.length; i++) {
      if (workerAmounts[i] > left(workerNumbers[i], leaf.free(), taken)) {
        return worker.resource(i);
      }
    }
    return worker.resource(0);
  }
}
