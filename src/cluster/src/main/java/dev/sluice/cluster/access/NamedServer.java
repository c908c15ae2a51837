package dev.sluice.cluster.access;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** A context whose engines ask for and expect one name, whatever address they connect to. */
final class NamedServer extends SSLContextSpi {
  private final SSLContext context;
  private final String name;

  private NamedServer(SSLContext context, String name) {
    this.context = context;
    this.name = name;
  }

  static SSLContext context(SSLContext context, String name) {
    return new SSLContext(
        new NamedServer(context, name), context.getProvider(), context.getProtocol()) {};
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return engineCreateSSLEngine(name, -1);
  }

  /** The name of the server is what the trust manager compares with the certificate. */
  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return new NamedEngine(context.createSSLEngine(name, port), name);
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    return context.getDefaultSSLParameters();
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return context.getSupportedSSLParameters();
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return context.getServerSessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return context.getClientSessionContext();
  }

  @Override
  protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
      throws KeyManagementException {
    throw new KeyManagementException("is initialized already");
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    throw new UnsupportedOperationException("for engines only");
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    throw new UnsupportedOperationException("for engines only");
  }

  /** The HTTP client sets the name of the address into the parameters: ours takes its place. */
  static SSLParameters named(SSLParameters parameters, String name) {
    parameters.setServerNames(List.of(new SNIHostName(name)));
    return parameters;
  }
}
