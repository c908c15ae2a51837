package dev.sluice.quota.assign;

import dev.sluice.api.queue.FlavorFungibility;
import dev.sluice.api.queue.FlavorFungibilityPolicy;
import dev.sluice.api.queue.FlavorFungibilityPreference;
import dev.sluice.quota.decision.FlavorMode;

/**
 * Which of two flavors serves a request better, and when the search stops. The {@code
 * flavorFungibility} of the ClusterQueue decides.
 */
final class FlavorPreference {
  /** How a flavor can serve, and the height of the subtree that has to lend for it. */
  record Grade(FlavorMode mode, int level) {
    static final Grade BEST = new Grade(FlavorMode.FIT, 0);
    static final Grade NO_FIT = new Grade(FlavorMode.NO_FIT, 0);
  }

  private final FlavorFungibility fungibility;
  private final boolean fungible;

  FlavorPreference(FlavorFungibility fungibility, boolean fungible) {
    this.fungibility = fungibility;
    this.fungible = fungible;
  }

  boolean better(Grade a, Grade b) {
    if (a.mode() == FlavorMode.NO_FIT || b.mode() == FlavorMode.NO_FIT) {
      return a.mode() != FlavorMode.NO_FIT;
    }
    boolean stuckA = a.mode() == FlavorMode.NO_CANDIDATES;
    boolean stuckB = b.mode() == FlavorMode.NO_CANDIDATES;
    if (stuckA != stuckB) {
      return stuckB;
    }
    int byMode = a.mode().compareTo(b.mode());
    int byLevel = Integer.compare(b.level(), a.level());
    boolean levelFirst =
        fungibility.preference() == FlavorFungibilityPreference.PREEMPTION_OVER_BORROWING;
    int first = levelFirst ? byLevel : byMode;
    return first != 0 ? first > 0 : (levelFirst ? byMode : byLevel) > 0;
  }

  /** The worse of the two; one that does not fit is the worst. */
  Grade worse(Grade a, Grade b) {
    return better(a, b) ? b : a;
  }

  boolean keepsLooking(Grade grade) {
    if (!fungible) {
      return grade.mode() != FlavorMode.FIT;
    }
    return switch (grade.mode()) {
      case NO_FIT, NO_CANDIDATES -> true;
      case PREEMPT, RECLAIM ->
          fungibility.whenCanPreempt() == FlavorFungibilityPolicy.TRY_NEXT_FLAVOR
              || borrowsReluctantly(grade);
      case FIT -> borrowsReluctantly(grade);
    };
  }

  private boolean borrowsReluctantly(Grade grade) {
    return grade.level() > 0
        && fungibility.whenCanBorrow() == FlavorFungibilityPolicy.TRY_NEXT_FLAVOR;
  }
}
