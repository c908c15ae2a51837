package dev.sluice.cluster.view;

import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.supervision.Part;
import java.util.function.Consumer;

/**
 * Delivers changes to a listener, several times if it fails: a failure that happens once loses
 * nothing. A change that fails each time is left out, because one object must not stop the others.
 *
 * @param part notes each failure
 */
record ChangeDelivery(Consumer<ObjectChange> listener, Part part)
    implements Consumer<ObjectChange> {
  private static final int ATTEMPTS = 3;

  @Override
  public void accept(ObjectChange change) {
    for (int i = 1; i <= ATTEMPTS; i++) {
      try {
        listener.accept(change);
        return;
      } catch (Exception e) {
        ObjectKey name = ObjectKey.of(change.latest());
        part.failed(
            e,
            "%s/%s is %s"
                .formatted(
                    name.namespace(),
                    name.name(),
                    i < ATTEMPTS ? "delivered again" : "skipped until its next change"));
      }
    }
  }
}
