package dev.sluice.see.history;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A PodSet without its pods' specification.
 *
 * @param count of pods, at least 0
 * @param requests of one pod, in the units of {@link dev.sluice.quota.amount.Amount}
 * @param topology required, preferred or unconstrained; empty where it asks for no topology
 * @param level of the topology; empty where it names none
 */
public record PodShape(int count, Map<String, Long> requests, String topology, String level) {
  public PodShape {
    requests = Collections.unmodifiableMap(new TreeMap<>(requests));
  }
}
