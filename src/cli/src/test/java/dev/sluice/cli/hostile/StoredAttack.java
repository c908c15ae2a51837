package dev.sluice.cli.hostile;

import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Aims at what watches bring: objects in the API server, each as far from sense as its schema lets
 * it be. What our own webhooks refuse is refused; what they let pass must do no harm.
 */
final class StoredAttack implements Attack {
  private static final int ATTACKERS = 2;

  private final String name;
  private final Supplier<ApiClient> api;
  private final Step step;

  /** Stores one thing after the other. */
  interface Step {
    /** Does something once. */
    void run(HostileObjects objects, RandomGenerator random, String name);
  }

  StoredAttack(String name, Supplier<ApiClient> api, Step step) {
    this.name = name;
    this.api = api;
    this.step = step;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String run(Target target, Breaches breaches) throws Exception {
    HostileObjects objects = new HostileObjects(api.get(), name);
    Attackers.run(
        ATTACKERS,
        attacker -> {
          RandomGenerator random = target.random(name, attacker);
          for (int i = 0; target.goesOn(); i++) {
            store(objects, random, "%s-%d-%d".formatted(name, attacker, i), breaches);
          }
        });
    String told = objects.toString();
    objects.checkAtTheEnd(breaches);
    objects.removeAll();
    return told;
  }

  private void store(
      HostileObjects objects, RandomGenerator random, String object, Breaches breaches) {
    try {
      step.run(objects, random, object);
    } catch (ControlPlaneException e) {
      if (e.reason() != ControlPlaneException.Reason.INTERRUPTED) {
        breaches.add(object + ": the API server did not answer: " + e.getMessage());
      }
    }
  }
}
