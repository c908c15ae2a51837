package dev.sluice.bench.load;

import java.time.Duration;

/**
 * Processor time. Read from the operating system in steps of 10 ms.
 *
 * @param server of the measured process
 * @param client of the process that sends; zero if it is the measured one
 * @param others of everything else on the machine: what disturbs a measurement
 */
public record Usage(Duration server, Duration client, Duration others) {
  /** What was used so far, with this process measured. */
  static Usage ofThisProcess() {
    Duration own = ProcessorTime.of(ProcessHandle.current());
    return new Usage(own, Duration.ZERO, ProcessorTime.ofTheMachine().minus(own));
  }

  /** What was used so far, with another process measured. */
  static Usage of(ProcessHandle server) {
    if (server.equals(ProcessHandle.current())) {
      return ofThisProcess();
    }
    Duration own = ProcessorTime.of(ProcessHandle.current());
    Duration its = ProcessorTime.of(server);
    return new Usage(its, own, ProcessorTime.ofTheMachine().minus(own).minus(its));
  }

  Usage since(Usage before) {
    return new Usage(
        server.minus(before.server), client.minus(before.client), others.minus(before.others));
  }
}
