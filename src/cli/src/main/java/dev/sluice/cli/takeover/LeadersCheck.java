package dev.sluice.cli.takeover;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Whether two leaders write at the same time. Their Leases have one name, in two namespaces, so
 * neither waits for the other.
 */
final class LeadersCheck implements Check {
  private static final String DEFAULT_LEASE = "c1f6bfd2.kueue.x-k8s.io";

  private final Cluster cluster;
  private final Side from;
  private final Side to;
  private final String lease;
  private final InstantSource clock;

  /** What a Lease says. */
  private enum State {
    MISSING,
    UNKNOWN,
    GIVEN_UP,
    HELD
  }

  /**
   * A check.
   *
   * @param from who leads until the switch
   * @param lease the name of both Leases; empty for the usual one
   */
  LeadersCheck(Cluster cluster, Side from, Side to, String lease, InstantSource clock) {
    this.cluster = cluster;
    this.from = from;
    this.to = to;
    this.lease = lease.isEmpty() ? DEFAULT_LEASE : lease;
    this.clock = clock;
  }

  @Override
  public void check(Findings findings) {
    State old = state(from, findings);
    State next = state(to, findings);
    if (old == State.HELD && next == State.HELD) {
      findings.error(
          "leaders",
          "%s and %s both lead, and both write: quota is given twice"
              .formatted(from.name(), to.name()),
          "stop one of them at once: " + to.stop());
    } else if (old == State.HELD) {
      findings.ok(
          "leaders",
          "only %s leads; stop it before %s starts, since no Lease keeps them apart"
              .formatted(from.name(), to.name()));
    } else if (next == State.HELD) {
      findings.ok("leaders", "only " + to.name() + " leads");
    } else if (old != State.UNKNOWN && next != State.UNKNOWN) {
      findings.ok("leaders", "nobody leads, so nothing is admitted at present");
    }
  }

  private State state(Side side, Findings findings) {
    String object = "lease %s/%s".formatted(side.namespace(), lease);
    Answer answer =
        cluster.get(
            "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s"
                .formatted(side.namespace(), lease));
    if (answer.status() == 404) {
      findings.ok(object, "is not there: %s has not led here".formatted(side.name()));
      return State.MISSING;
    }
    if (!answer.isSuccess()) {
      findings.warning(object, "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return State.UNKNOWN;
    }
    JsonNode spec = answer.json().path("spec");
    String holder = spec.path("holderIdentity").asText();
    try {
      Instant last = Instant.parse(spec.path("renewTime").asText());
      Duration age = Duration.between(last, clock.instant());
      boolean isHeld =
          !holder.isEmpty() && age.toSeconds() <= spec.path("leaseDurationSeconds").asInt();
      findings.ok(
          object,
          isHeld
              ? "%s leads for %s".formatted(holder, side.name())
              : "nobody renews it (%s, %d s ago)"
                  .formatted(holder.isEmpty() ? "given up" : holder, age.toSeconds()));
      return isHeld ? State.HELD : State.GIVEN_UP;
    } catch (DateTimeException _) {
      findings.warning(
          object,
          "does not say when it was renewed",
          "kubectl -n %s get lease %s -o yaml".formatted(side.namespace(), lease));
      return State.UNKNOWN;
    }
  }
}
