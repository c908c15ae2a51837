package dev.sluice.cli.doctor;

/** What to do about what was found. */
final class Remedies {
  static final String INSTALL =
      "sluice install | kubectl apply -f -   (with --url if the server runs outside the cluster)";
  static final String CA_BUNDLE =
      "let `sluice serve` put in its own (no --no-inject, and the rights it needs), or:"
          + " sluice install --ca-file ca.crt | kubectl apply -f -";
  static final String CERTIFICATE =
      "`sluice serve` renews its own; with --cert-dir put a new tls.crt and tls.key there";
  static final String START =
      "see that `sluice serve` runs, is ready, and that address, Service and network policies lead"
          + " to it";
  static final String RIGHTS = "ask for the rights, or use another --kubeconfig or --context";

  private Remedies() {}
}
