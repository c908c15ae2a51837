package dev.sluice.cli.doctor.check;

/** Suggested fixes of findings. */
public final class Remedies {
  public static final String INSTALL =
      "sluice install | kubectl apply -f -   (with --url if the server runs outside the cluster)";
  public static final String REGISTER =
      "a server in the cluster creates it once it is ready: kubectl -n sluice-system get pods; for"
          + " one outside: sluice serve --register --url, or "
          + INSTALL;
  public static final String CA_BUNDLE =
      "let `sluice serve` write its own (without --no-inject, with the rights it needs), or:"
          + " sluice install --ca-file ca.crt | kubectl apply -f -";
  public static final String CERTIFICATE =
      "`sluice serve` renews its own; with --cert-dir put a new tls.crt and tls.key there";
  public static final String START =
      "check that `sluice serve` runs and is ready, and that address, Service and network policies"
          + " are correct";
  public static final String CONFIGURATION =
      "mend the file and hand it on: sluice install --config FILE | kubectl apply -f -";
  public static final String RIGHTS =
      "ask for the rights, or use another --kubeconfig or --context";

  private Remedies() {}
}
