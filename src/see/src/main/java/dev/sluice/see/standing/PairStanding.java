package dev.sluice.see.standing;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;

/**
 * What a node has of one resource of one flavor, in the units of {@link Amount}.
 *
 * @param nominal what its own object grants
 * @param quota what it and all below it own, less what those below keep for themselves
 * @param used by the workloads below it, as far as those below do not own it themselves
 * @param borrowed what it uses beyond its quota
 * @param lent what of its quota it does not use and cannot use, because others do
 * @param available what could be used at it now; negative after quota was lowered below its use
 */
public record PairStanding(
    FlavorResource pair,
    Amount nominal,
    Amount quota,
    Amount used,
    Amount borrowed,
    Amount lent,
    Amount available) {}
