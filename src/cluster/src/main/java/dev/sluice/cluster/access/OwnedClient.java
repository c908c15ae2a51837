package dev.sluice.cluster.access;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A builder that keeps the client it has built, so that the client can be ended: the library that
 * uses it ends only the executor. A thread of the client would stay in native code, and a JVM that
 * ends waits 300 ms for such a thread.
 */
final class OwnedClient implements HttpClient.Builder {
  /** As long as the JVM would wait. */
  private static final Duration ENDING = Duration.ofMillis(300);

  private final HttpClient.Builder builder;
  private volatile @Nullable HttpClient client;

  OwnedClient(HttpClient.Builder builder) {
    this.builder = builder;
  }

  @Override
  public HttpClient build() {
    HttpClient built = builder.build();
    client = built;
    return built;
  }

  /** Ends the client with all that is under way, and waits until its thread has ended. */
  void end() {
    HttpClient ending = client;
    if (ending == null) {
      return;
    }
    ending.shutdownNow();
    try {
      ending.awaitTermination(ENDING);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public HttpClient.Builder cookieHandler(CookieHandler cookieHandler) {
    builder.cookieHandler(cookieHandler);
    return this;
  }

  @Override
  public HttpClient.Builder connectTimeout(Duration duration) {
    builder.connectTimeout(duration);
    return this;
  }

  @Override
  public HttpClient.Builder sslContext(SSLContext sslContext) {
    builder.sslContext(sslContext);
    return this;
  }

  @Override
  public HttpClient.Builder sslParameters(SSLParameters sslParameters) {
    builder.sslParameters(sslParameters);
    return this;
  }

  @Override
  public HttpClient.Builder executor(Executor executor) {
    builder.executor(executor);
    return this;
  }

  @Override
  public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
    builder.followRedirects(policy);
    return this;
  }

  @Override
  public HttpClient.Builder version(HttpClient.Version version) {
    builder.version(version);
    return this;
  }

  @Override
  public HttpClient.Builder priority(int priority) {
    builder.priority(priority);
    return this;
  }

  @Override
  public HttpClient.Builder proxy(ProxySelector proxySelector) {
    builder.proxy(proxySelector);
    return this;
  }

  @Override
  public HttpClient.Builder authenticator(Authenticator authenticator) {
    builder.authenticator(authenticator);
    return this;
  }

  @Override
  public HttpClient.Builder localAddress(@Nullable InetAddress localAddress) {
    builder.localAddress(localAddress);
    return this;
  }
}
