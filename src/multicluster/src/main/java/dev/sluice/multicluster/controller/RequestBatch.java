package dev.sluice.multicluster.controller;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.protocol.Plan;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Reads and then writes on one worker for one object, in order; the first that fails ends the
 * batch.
 *
 * @param isValid whether the plan that it comes from still holds; asked before each write
 * @param sent called after each write that was done
 * @param ended called at the end, with or without success; plans the next step
 */
record RequestBatch(
    TypedObjectKey key,
    Set<Plan.Ask> asks,
    List<Write> writes,
    BooleanSupplier isValid,
    Consumer<Write> sent,
    Runnable ended) {
  RequestBatch {
    requireNonNull(key, "key");
    asks = Set.copyOf(asks);
    writes = List.copyOf(writes);
    requireNonNull(isValid, "isValid");
    requireNonNull(sent, "sent");
    requireNonNull(ended, "ended");
  }
}
