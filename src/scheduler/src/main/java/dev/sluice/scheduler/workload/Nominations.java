package dev.sluice.scheduler.workload;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.write.Write;
import java.util.List;

/**
 * Asks the controller of MultiKueue which workers a Workload is to be offered to, while its
 * reservation is being stored: both are then one write. Thread-safe.
 */
public final class Nominations {
  /**
   * What to store with a reservation.
   *
   * @param clusters the nominated workers; none if the Workload is not to be offered yet
   * @param events to send once that is stored
   * @param stored called once that is stored; must not block
   */
  public record Nomination(List<String> clusters, List<Write.Event> events, Runnable stored) {
    /** It is not offered with its reservation. */
    public static final Nomination NONE = new Nomination(List.of(), List.of(), () -> {});

    public Nomination {
      clusters = List.copyOf(clusters);
      events = List.copyOf(events);
      requireNonNull(stored, "stored");
    }
  }

  /** Answers for one Workload, as it is once its reservation is stored. Never blocks. */
  @FunctionalInterface
  public interface Nominator {
    /** The workers that it is offered to at once. */
    Nomination nominate(JsonNode reserved);
  }

  private volatile Nominator nominator = _ -> Nomination.NONE;

  /** Lets this one answer from now on. */
  public void ask(Nominator answering) {
    nominator = answering;
  }

  /** What is nominated with the reservation of a Workload, which is given as it is after that. */
  public Nomination of(JsonNode reserved) {
    return nominator.nominate(reserved);
  }
}
