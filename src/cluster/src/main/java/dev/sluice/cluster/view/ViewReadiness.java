package dev.sluice.cluster.view;

import dev.sluice.supervision.Dependency;
import dev.sluice.supervision.Readiness;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for a view to become complete, with a bound: conversion must work when everything else is
 * down, and rules treat missing objects as unknown. So after the timeout it is ready with an
 * incomplete view, and reports what is missing. Thread-safe.
 */
public final class ViewReadiness implements Dependency {
  private static final Logger LOG = LoggerFactory.getLogger(ViewReadiness.class);

  private final WatchedView view;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final AtomicLong began = new AtomicLong(Long.MIN_VALUE);
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  private enum State {
    WAITING,
    COMPLETE,
    OVERDUE
  }

  /** Waits this long from the first call; the clock counts nanoseconds. */
  public ViewReadiness(WatchedView view, Duration patience, LongSupplier nanoTime) {
    this.view = view;
    this.patience = patience;
    this.nanoTime = nanoTime;
  }

  @Override
  public Readiness readiness() {
    if (state.get() != State.COMPLETE) {
      look(view.missing());
    }
    String detail = view.summary();
    return switch (state.get()) {
      case WAITING ->
          new Readiness(false, "the view is not complete: " + String.join("; ", view.missing()));
      case COMPLETE -> new Readiness(true, "ready; " + detail);
      case OVERDUE -> new Readiness(true, "ready without a complete view; " + detail);
    };
  }

  private void look(List<String> missing) {
    long now = nanoTime.getAsLong();
    began.compareAndSet(Long.MIN_VALUE, now);
    if (missing.isEmpty()) {
      if (state.getAndSet(State.COMPLETE) == State.OVERDUE) {
        LOG.info("the view of the cluster is complete");
      }
    } else if (now - began.get() > patience.toNanos()
        && state.compareAndSet(State.WAITING, State.OVERDUE)) {
      LOG.warn("ready with an incomplete view of the cluster: {}", String.join("; ", missing));
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    view.bindTo(registry);
  }
}
