package dev.sluice.scheduler;

import dev.sluice.cluster.api.Connection;
import dev.sluice.scheduler.jobs.RemoteStops;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.workload.CheckAnswers;
import dev.sluice.scheduler.workload.Nominations;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a scheduler gives to controllers of other modules: the same objects, the same way to write,
 * so that each object has one writer.
 *
 * @param connection to the API server of the scheduler
 * @param objects all that the scheduler watches
 * @param outbox sends writes; those to a Workload one after the other
 * @param remoteStops takes what is known of Workloads that run on other clusters
 * @param nominations asks which workers a Workload is offered to, while its reservation is stored
 * @param answers completes writes that answer an admission check
 * @param leads whether this replica writes
 * @param role what this replica is, as metrics say it
 * @param writers how many objects are written at a time
 * @param registry takes what is measured
 * @param supervisor of all threads
 */
public record ControllerPorts(
    Connection connection,
    Objects objects,
    Outbox outbox,
    RemoteStops remoteStops,
    Nominations nominations,
    CheckAnswers answers,
    BooleanSupplier leads,
    Supplier<String> role,
    InstantSource clock,
    int writers,
    MeterRegistry registry,
    Supervisor supervisor) {}
