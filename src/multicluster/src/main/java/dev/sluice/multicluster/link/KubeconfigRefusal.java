package dev.sluice.multicluster.link;

import dev.sluice.multicluster.link.LinkSource.Unusable;

/** A kubeconfig that is not accepted; never leaves {@link KubeconfigReader}. */
final class KubeconfigRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Unusable source;

  KubeconfigRefusal(Unusable source) {
    super(source.message());
    this.source = source;
  }

  Unusable source() {
    return source;
  }
}
