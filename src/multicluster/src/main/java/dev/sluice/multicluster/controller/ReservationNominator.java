package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.protocol.Planner;
import dev.sluice.scheduler.workload.Nominations.Nomination;
import dev.sluice.scheduler.workload.Nominations.Nominator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers which workers a Workload is offered to as soon as it has quota, from the plan that would
 * be made then. What that plan remembers is dropped: the next one finds the nomination stored.
 */
final class ReservationNominator implements Nominator {
  private final Supplier<Optional<Identity>> identity;
  private final Situations situations;
  private final Function<ObjectKey, Memory> memory;
  private final Function<Identity, Planner> planner;
  private final Consumer<JsonNode> stored;

  /**
   * Answers from now on.
   *
   * @param stored receives each Workload whose nomination was stored, as it was before
   */
  ReservationNominator(
      Supplier<Optional<Identity>> identity,
      Situations situations,
      Function<ObjectKey, Memory> memory,
      Function<Identity, Planner> planner,
      Consumer<JsonNode> stored) {
    this.identity = identity;
    this.situations = situations;
    this.memory = memory;
    this.planner = planner;
    this.stored = stored;
  }

  @Override
  public Nomination nominate(JsonNode reserved) {
    Optional<Identity> us = identity.get();
    if (us.isEmpty() || situations.isOfNoConcern(reserved)) {
      return Nomination.NONE;
    }
    Plan plan =
        planner
            .apply(us.get())
            .plan(
                situations.of(
                    reserved, us.get().manager(), false, memory.apply(ObjectKey.of(reserved))));
    return plan.isLocal() && !plan.nominated().isEmpty()
        ? new Nomination(plan.nominated(), plan.events(), () -> stored.accept(reserved))
        : Nomination.NONE;
  }
}
