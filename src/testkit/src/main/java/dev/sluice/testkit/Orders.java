package dev.sluice.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** All orders in which things can come. */
public final class Orders {
  private Orders() {}

  /** All orders of these, which differ from each other; n! of them. */
  public static <T> List<List<T>> of(List<T> things) {
    List<List<T>> orders = new ArrayList<>();
    permute(new ArrayList<>(things), 0, orders);
    return orders;
  }

  private static <T> void permute(List<T> things, int from, List<List<T>> orders) {
    if (from == things.size()) {
      orders.add(List.copyOf(things));
      return;
    }
    for (int i = from; i < things.size(); i++) {
      Collections.swap(things, from, i);
      permute(things, from + 1, orders);
      Collections.swap(things, from, i);
    }
  }
}
