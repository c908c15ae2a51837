package dev.sluice.cluster.access;

import dev.sluice.cluster.access.ClusterAccess.Header;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.auth.BasicScheme;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultProxyRoutePlanner;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.routing.HttpRoutePlanner;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.HttpClientResponseHandler;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends requests to one API server over HTTP/1.1 connections that are kept, and logs in with each.
 * A call blocks its thread, which should be a virtual one, and has no bound of its own: {@link
 * HttpUriRequestBase#cancel} ends it. Never follows a redirect. Repeats a request only after 401,
 * once, if the token has changed since, or with the client certificate on a new connection. Safe
 * for many threads.
 */
public final class ApiHttpClient implements AutoCloseable {
  private static final String AUTHORIZATION = "Authorization";
  private static final int UNAUTHORIZED = 401;
  private static final int CONNECT_SECONDS = 5;

  /** Shorter than API servers and proxies keep an idle connection. */
  private static final Duration KEPT = Duration.ofSeconds(30);

  /** An older connection may have been closed by the server. The check takes a millisecond. */
  private static final Duration EXAMINED_AFTER = Duration.ofMillis(200);

  private static final int MOST_CONNECTIONS = 10_000;

  private final HttpHost server;
  private final Renewed<Credential> credential;
  private final List<Header> headers;
  private final Optional<Proxy> proxy;
  private final ClientTls tls;
  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient client;
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong swept = new AtomicLong(System.nanoTime());

  ApiHttpClient(
      URI server,
      Renewed<Credential> credential,
      List<Header> headers,
      ClientTls tls,
      Optional<Proxy> proxy) {
    this.server = HttpHost.create(server);
    this.credential = credential;
    this.headers = headers;
    this.proxy = proxy;
    this.tls = tls;
    this.connections = connections(tls);
    this.client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setRoutePlanner(route(proxy))
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setDefaultKeepAlive(KEPT.toSeconds(), TimeUnit.SECONDS)
                    .setProtocolUpgradeEnabled(false)
                    .build())
            .setUserAgent("sluice")
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableContentCompression()
            .disableAuthCaching()
            .disableConnectionState() // else one with a client certificate would not be used again
            .build();
  }

  private PoolingHttpClientConnectionManager connections(ClientTls tls) {
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setConnectionFactory(_ -> new UnloggedConnection("connection-" + opened.incrementAndGet()))
        .setTlsSocketStrategy(tls)
        .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(Timeout.ofSeconds(CONNECT_SECONDS))
                .setValidateAfterInactivity(TimeValue.of(EXAMINED_AFTER))
                .build())
        .setMaxConnTotal(MOST_CONNECTIONS)
        .setMaxConnPerRoute(MOST_CONNECTIONS)
        .build();
  }

  private static HttpRoutePlanner route(Optional<Proxy> proxy) {
    return proxy
        .<HttpRoutePlanner>map(it -> new DefaultProxyRoutePlanner(it.host()))
        .orElseGet(() -> new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE));
  }

  /**
   * Sends the request and hands the response to the handler. A connection is closed if the handler
   * fails.
   *
   * @throws IOException if there is no response, or the handler cannot read it
   */
  public <T> T send(HttpUriRequestBase request, HttpClientResponseHandler<T> handler)
      throws IOException {
    sweep();
    headers.forEach(header -> request.addHeader(header.name(), header.value()));
    Credential used = credential.get();
    Credential now;
    try (ClassicHttpResponse response = execute(request, used.authorization())) {
      if (response.getCode() != UNAUTHORIZED) {
        return handle(request, response, handler);
      }
      now = credential.afterRefusal(used::equals);
      boolean isTokenOther =
          now.authorization().isPresent() && !now.authorization().equals(used.authorization());
      if (!isTokenOther && now.certificate().isEmpty()) {
        return handle(request, response, handler);
      }
    }
    if (now.certificate().isPresent()) {
      tls.forgetSessions();
      connections.closeIdle(TimeValue.ZERO_MILLISECONDS); // they may have shown an old one
    }
    try (ClassicHttpResponse second = execute(request, now.authorization())) {
      return handle(request, second, handler);
    }
  }

  private static <T> T handle(
      HttpUriRequestBase request,
      ClassicHttpResponse response,
      HttpClientResponseHandler<T> handler)
      throws IOException {
    try {
      return handler.handleResponse(response);
    } catch (HttpException e) {
      request.cancel();
      throw new IOException(e);
    } catch (IOException | RuntimeException | Error e) {
      request.cancel(); // to close a response is to read the rest of it, of a watch for ever
      throw e;
    }
  }

  private ClassicHttpResponse execute(HttpUriRequestBase request, Optional<String> authorization)
      throws IOException {
    authorization.ifPresent(it -> request.setHeader(AUTHORIZATION, it));
    try {
      return client.executeOpen(server, request, context());
    } catch (IllegalStateException e) { // of the pool, if it was closed in the meantime
      throw new IOException("the connection was closed", e);
    }
  }

  private HttpClientContext context() {
    HttpClientContext context = HttpClientContext.create();
    proxy.ifPresent(
        it ->
            it.login().ifPresent(login -> context.resetAuthExchange(it.host(), preemptive(login))));
    return context;
  }

  /** Logs in at the proxy with the first request: some proxies do not ask. */
  private static BasicScheme preemptive(UsernamePasswordCredentials login) {
    BasicScheme scheme = new BasicScheme();
    scheme.initPreemptive(login);
    return scheme;
  }

  /** Closes connections that were idle for long: the server closes only its own side. */
  private void sweep() {
    long last = swept.get();
    long now = System.nanoTime();
    if (now - last > KEPT.toNanos() && swept.compareAndSet(last, now)) {
      connections.closeIdle(TimeValue.of(KEPT));
    }
  }

  /** Ends all calls, and closes all connections. */
  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
