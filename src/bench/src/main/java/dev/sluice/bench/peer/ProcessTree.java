package dev.sluice.bench.peer;

import dev.sluice.bench.load.PeakMemory;
import dev.sluice.bench.load.ProcessorTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * What a runner and all processes below it use, by part. A process counts from the first look at it
 * to the last, so what one uses between its last look and its end is missed. For one thread.
 */
final class ProcessTree {
  /** Which process it is. */
  enum Part {
    PROGRAM,
    API_SERVER,
    ETCD,
    /** The runner itself, and what else it started. */
    RUNNER
  }

  /**
   * What the processes of a part used.
   *
   * @param cpu of all of them
   * @param mostBytes the most resident memory of one of them
   */
  record Use(Duration cpu, long mostBytes) {
    /** Whatever is more: a process that is over tells zero. */
    Use or(Use earlier) {
      return new Use(
          cpu.compareTo(earlier.cpu) > 0 ? cpu : earlier.cpu,
          Math.max(mostBytes, earlier.mostBytes));
    }

    Use plus(Use other) {
      return new Use(cpu.plus(other.cpu), Math.max(mostBytes, other.mostBytes));
    }
  }

  private record Seen(Part part, Use use) {}

  private final ProcessHandle runner;
  private final LongSupplier program;

  private final Map<ProcessHandle, Seen> seen = new HashMap<>();

  /**
   * A tree that nobody has looked at.
   *
   * @param program the process id of the program, or 0 before it starts
   */
  ProcessTree(ProcessHandle runner, LongSupplier program) {
    this.runner = runner;
    this.program = program;
  }

  /** Notes what all have used so far. */
  void look() {
    long started = program.getAsLong();
    Stream.concat(Stream.of(runner), runner.descendants()).forEach(it -> look(it, started));
  }

  private void look(ProcessHandle process, long started) {
    Use now = new Use(ProcessorTime.of(process), PeakMemory.of(process));
    Seen before = seen.get(process);
    seen.put(
        process, new Seen(part(process, started), before == null ? now : now.or(before.use())));
  }

  private Part part(ProcessHandle process, long started) {
    for (Optional<ProcessHandle> it = Optional.of(process);
        it.isPresent() && !it.get().equals(runner);
        it = it.get().parent()) {
      if (it.get().pid() == started) {
        return Part.PROGRAM;
      }
    }
    String command = process.info().command().map(it -> file(it)).orElse("");
    return switch (command) {
      case "kube-apiserver" -> Part.API_SERVER;
      case "etcd" -> Part.ETCD;
      default -> known(process);
    };
  }

  private static String file(String command) {
    return String.valueOf(Path.of(command).getFileName());
  }

  /** A process that is over has neither parent nor command, but was looked at before. */
  private Part known(ProcessHandle process) {
    Seen before = seen.get(process);
    return before == null ? Part.RUNNER : before.part();
  }

  /** Ends what the runner left. */
  void end() {
    seen.keySet().stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
  }

  /** What that part used; empty if no process of it was seen. */
  Optional<Use> use(Part part) {
    return seen.values().stream().filter(it -> it.part() == part).map(Seen::use).reduce(Use::plus);
  }
}
