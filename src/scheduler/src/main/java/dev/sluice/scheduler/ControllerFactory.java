package dev.sluice.scheduler;

import dev.sluice.scheduler.work.Controller;
import java.util.List;

/** Makes controllers that run beside those of the scheduler. */
@FunctionalInterface
public interface ControllerFactory {
  /** No more controllers. */
  ControllerFactory NONE = _ -> List.of();

  /** Makes them; the scheduler tells them each change and closes them. */
  List<Controller> create(ControllerPorts ports);
}
