package dev.sluice.cluster.access;

import java.net.URI;

/**
 * An API server and a user of it, as values that name no file and no program. Nothing of it is
 * checked before {@link TargetAccess} is made of it.
 *
 * @param server the address, without a slash at its end
 * @param authorities the trusted certificates as PEM; empty for those that the Java runtime knows
 * @param serverName the name that the server's certificate must have; empty for that of the address
 * @param proxy the URL of an HTTP proxy; empty for none, whatever the environment says
 * @param login who we are there
 */
public record Target(URI server, String authorities, String serverName, String proxy, Login login) {
  /**
   * What a user shows; each part is empty if it is not used.
   *
   * @param token a bearer token
   * @param certificate a client certificate and its chain as PEM
   * @param key the private key of the certificate as PEM: RSA, EC or Ed25519
   */
  public record Login(String token, String certificate, String key) {
    /** Names no secret. */
    @Override
    public String toString() {
      return "Login[%s, %s]"
          .formatted(
              token.isEmpty() ? "no token" : "a token",
              certificate.isEmpty() ? "no certificate" : "a certificate");
    }
  }

  /** Names no secret; the URL of a proxy may hold a password. */
  @Override
  public String toString() {
    return "Target[%s, %s]".formatted(server, login);
  }

  /** Whether another target differs in nothing but its login. */
  public boolean isSameServer(Target other) {
    return server.equals(other.server)
        && authorities.equals(other.authorities)
        && serverName.equals(other.serverName)
        && proxy.equals(other.proxy);
  }
}
