package dev.sluice.supervision;

import io.micrometer.core.instrument.MeterRegistry;

/** Something the answers rest on that has to be there before requests should come. Thread-safe. */
public interface Dependency {
  /** Nothing is needed. */
  Dependency NONE =
      new Dependency() {
        @Override
        public Readiness readiness() {
          return Readiness.READY;
        }

        @Override
        public void bindTo(MeterRegistry registry) {}
      };

  /** Whether it is there, and a sentence about it. Does not wait. */
  Readiness readiness();

  /** Measures it. */
  void bindTo(MeterRegistry registry);
}
