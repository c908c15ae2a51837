package dev.sluice.quota.decision;

import dev.sluice.api.vocabulary.PendingReason;

/** Why a flavor, or all of them, did not serve a PodSet. */
public sealed interface Refusal {
  /** The reason it amounts to. */
  PendingReason reason();

  /** No resource group of the queue covers the resource. */
  record Uncovered(String resource) implements Refusal {
    @Override
    public PendingReason reason() {
      return PendingReason.NO_MATCHING_FLAVOR;
    }
  }

  /** The flavor does not suit the pods, or does not exist. */
  record Unsuitable(String flavor, String because) implements Refusal {
    @Override
    public PendingReason reason() {
      return PendingReason.NO_MATCHING_FLAVOR;
    }
  }

  /** More than the queue could ever use, with nothing else running. */
  record TooLarge(String flavor, String resource, long requested, long potential)
      implements Refusal {
    @Override
    public PendingReason reason() {
      return PendingReason.EXCEEDS_MAX_QUOTA;
    }
  }

  /** The domains of the flavor's topology have no room; {@code because} says it with counts. */
  record NoRoom(String flavor, String because, boolean ever) implements Refusal {
    @Override
    public PendingReason reason() {
      return ever ? PendingReason.TOPOLOGY_PLACEMENT_FAILED : PendingReason.WAITING_FOR_QUOTA;
    }
  }

  /** Too little is free now; {@code scarce} names the node of the tree where it is scarcest. */
  record Lacking(String flavor, String resource, long requested, long available, String scarce)
      implements Refusal {
    @Override
    public PendingReason reason() {
      return PendingReason.WAITING_FOR_QUOTA;
    }
  }
}
