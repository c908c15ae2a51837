package dev.sluice.quota.world;

import dev.sluice.api.flavor.Taint;
import dev.sluice.api.flavor.Toleration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether pods put up with taints, as Kubernetes decides it. */
public final class Taints {
  private Taints() {}

  /** The first taint that keeps pods with these tolerations away, or null. */
  public static @Nullable Taint firstRepelling(List<Taint> taints, List<Toleration> tolerations) {
    for (Taint taint : taints) {
      if (repels(taint) && !tolerated(taint, tolerations)) {
        return taint;
      }
    }
    return null;
  }

  private static boolean repels(Taint taint) {
    return taint.effect().equals("NoSchedule") || taint.effect().equals("NoExecute");
  }

  private static boolean tolerated(Taint taint, List<Toleration> tolerations) {
    for (Toleration toleration : tolerations) {
      if (tolerates(toleration, taint)) {
        return true;
      }
    }
    return false;
  }

  private static boolean tolerates(Toleration toleration, Taint taint) {
    String effect = text(toleration.effect());
    String key = text(toleration.key());
    if (!effect.isEmpty() && !effect.equals(taint.effect())) {
      return false;
    }
    boolean exists = text(toleration.operator()).equals("Exists");
    if (key.isEmpty()) {
      return exists;
    }
    return key.equals(taint.key())
        && (exists || text(toleration.value()).equals(text(taint.value())));
  }

  private static String text(@Nullable String optional) {
    return optional == null ? "" : optional;
  }

  /** The taint as text for users. */
  public static String text(Taint taint) {
    String value = taint.value() == null ? "" : "=" + taint.value();
    return "{" + taint.key() + value + ":" + taint.effect() + "}";
  }
}
