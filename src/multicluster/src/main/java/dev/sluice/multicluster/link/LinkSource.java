package dev.sluice.multicluster.link;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.cluster.access.Target;

/** The source of a MultiKueueCluster, as a target or a refusal. */
public sealed interface LinkSource {
  /** A kubeconfig, as a target or a refusal. */
  static LinkSource of(byte[] kubeconfig) {
    return KubeconfigReader.read(kubeconfig);
  }

  /** It names a cluster. */
  record Usable(Target target) implements LinkSource {
    public Usable {
      requireNonNull(target, "target");
    }
  }

  /**
   * It names no usable cluster.
   *
   * @param reason of the condition Active
   * @param message of it; holds no secret
   */
  record Unusable(String reason, String message) implements LinkSource {
    private static final String FAILED = "load client config failed: ";

    public Unusable {
      requireNonNull(reason, "reason");
      requireNonNull(message, "message");
    }

    /** There is no kubeconfig where it should be. */
    static Unusable missing(String why) {
      return new Unusable(Reasons.BAD_KUBE_CONFIG, FAILED + why);
    }

    /** The kubeconfig asks for what is not allowed, or is none. */
    static Unusable insecure(String why) {
      return new Unusable(Reasons.INSECURE_KUBE_CONFIG, FAILED + why);
    }

    /** No client can be made of the kubeconfig. */
    static Unusable noClient(String why) {
      return new Unusable(Reasons.BAD_REST_CONFIG, FAILED + why);
    }
  }
}
