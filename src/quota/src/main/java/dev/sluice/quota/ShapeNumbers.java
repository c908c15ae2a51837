package dev.sluice.quota;

import dev.sluice.quota.world.Shape;
import java.util.HashMap;
import java.util.Map;

/** A small number for each shape that waiting workloads have. For one thread. */
final class ShapeNumbers {
  private static final class Use {
    private final int number;
    private int count;

    private Use(int number) {
      this.number = number;
    }
  }

  private final Map<Shape, Use> uses = new HashMap<>();
  private int next;

  /** The number of the shape, which has one more user now. */
  int acquire(Shape shape) {
    Use use = uses.computeIfAbsent(shape, _ -> new Use(next++));
    use.count++;
    return use.number;
  }

  /** One user less; without any, the shape is forgotten. */
  void release(Shape shape) {
    Use use = uses.get(shape);
    if (use != null && --use.count == 0) {
      uses.remove(shape);
    }
  }
}
