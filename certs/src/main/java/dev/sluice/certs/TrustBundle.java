package dev.sluice.certs;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The certificates that clients of several servers trust. A server adds its own and leaves those of
 * the others, or it would cut the others off. Pure.
 */
public final class TrustBundle {
  /** The largest number of certificates, because servers that come and go may each add one. */
  static final int LARGEST = 8;

  private TrustBundle() {}

  /**
   * The bundle with all of ours in it. What is there is left as it is, if ours are among it.
   * Expired certificates of others go, and the oldest beyond {@value #LARGEST}; a text that is no
   * bundle is replaced.
   *
   * @param ours certificates as PEM
   * @param published what clients trust now, as PEM; empty for none
   */
  public static String adding(String ours, String published, Instant now) {
    return adding(ours, "", published, now);
  }

  /**
   * The same, without some that nobody needs any more.
   *
   * @param withdrawn certificates as PEM; empty for none
   */
  public static String adding(String ours, String withdrawn, String published, Instant now) {
    List<X509Certificate> own = Pem.parse(ours).certificates();
    List<X509Certificate> there = certificates(published);
    List<X509Certificate> others = new ArrayList<>(there);
    others.removeAll(own);
    others.removeAll(Pem.parse(withdrawn).certificates());
    others.removeIf(certificate -> Validity.of(certificate).isOver(now));
    others.sort(Comparator.comparing(X509Certificate::getNotBefore).reversed());
    List<X509Certificate> kept =
        others.subList(0, Math.max(0, Math.min(others.size(), LARGEST - own.size())));
    List<X509Certificate> wanted = new ArrayList<>(own);
    wanted.addAll(kept);
    boolean isThere = there.size() == wanted.size() && there.containsAll(wanted);
    return isThere ? published : kept.isEmpty() ? ours : Pem.ofCertificates(wanted);
  }

  /**
   * Whether clients with that bundle trust all of ours.
   *
   * @param ours certificates as PEM
   * @param published what clients trust now, as PEM
   */
  public static boolean hasAll(String ours, String published) {
    return certificates(published).containsAll(Pem.parse(ours).certificates());
  }

  private static List<X509Certificate> certificates(String pem) {
    try {
      return Pem.parse(pem).certificates();
    } catch (CertificateProblem _) {
      return List.of(); // it verifies no certificate
    }
  }
}
