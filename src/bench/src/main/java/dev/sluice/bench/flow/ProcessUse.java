package dev.sluice.bench.flow;

import dev.sluice.bench.load.PeakMemory;
import dev.sluice.bench.load.ProcessorTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Processor time and memory of several processes, and of everything else on the machine. */
final class ProcessUse {
  private final Map<String, ProcessHandle> processes = new LinkedHashMap<>();
  private final Map<String, Duration> before = new LinkedHashMap<>();
  private Duration machineBefore = Duration.ZERO;

  /**
   * What was used.
   *
   * @param cpu by process
   * @param mostBytes the most memory that each process ever had; zero where the system does not
   *     tell
   * @param others processor time of everything else
   */
  record Used(Map<String, Duration> cpu, Map<String, Long> mostBytes, Duration others) {}

  ProcessUse watching(String name, ProcessHandle process) {
    processes.put(name, process);
    return this;
  }

  void start() {
    processes.forEach((name, process) -> before.put(name, ProcessorTime.of(process)));
    machineBefore = ProcessorTime.ofTheMachine();
  }

  Used stop() {
    Map<String, Duration> cpu = new LinkedHashMap<>();
    Map<String, Long> bytes = new LinkedHashMap<>();
    Duration others = ProcessorTime.ofTheMachine().minus(machineBefore);
    for (Map.Entry<String, ProcessHandle> entry : processes.entrySet()) {
      Duration used =
          ProcessorTime.of(entry.getValue())
              .minus(before.getOrDefault(entry.getKey(), Duration.ZERO));
      cpu.put(entry.getKey(), used);
      bytes.put(entry.getKey(), PeakMemory.of(entry.getValue()));
      others = others.minus(used);
    }
    return new Used(cpu, bytes, others.isNegative() ? Duration.ZERO : others);
  }
}
