package dev.sluice.quota.device;

import dev.sluice.api.meta.Copies;
import java.util.List;
import java.util.Map;

/** What the claims of one pod count as. */
public sealed interface DeviceCount {
  /** A pod that claims nothing. */
  DeviceCount NOTHING = new Counted(Map.of());

  /** These amounts by resource. */
  record Counted(Map<String, Long> amounts) implements DeviceCount {
    public Counted {
      amounts = Copies.of(amounts);
    }
  }

  /** They cannot be counted, for these reasons: each a path below the pod's spec and a sentence. */
  record Uncountable(List<String> problems) implements DeviceCount {
    public Uncountable {
      problems = List.copyOf(problems);
    }
  }
}
