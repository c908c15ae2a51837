package dev.sluice.cluster.access;

import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The HTTP client, with our TLS in place of the library's, which knows few kinds of keys. */
final class AccessHttpClient {
  private static final int CONNECT_MILLIS = 5_000;

  private AccessHttpClient() {}

  /** Never follows a redirect, and never repeats a request: callers know better what may be. */
  static HttpClient open(SSLContext tls, LoginInterceptor login, Optional<Proxy> proxy) {
    HttpClient.Builder builder = new Factory(tls).newBuilder();
    builder.connectTimeout(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    builder.preferHttp11(); // costs both sides less: docs/contributing/decisions/0010-http.md
    builder.tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build());
    builder.addOrReplaceInterceptor("LOGIN", login);
    proxy.ifPresent(
        it -> {
          builder.proxyAddress(it.address());
          it.authorization().ifPresent(builder::proxyAuthorization);
        });
    return builder.build();
  }

  private static final class Factory extends JdkHttpClientFactory {
    private final SSLContext tls;
    private volatile @Nullable OwnedClient owned;

    Factory(SSLContext tls) {
      this.tls = tls;
    }

    @Override
    protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
      OwnedClient created = new OwnedClient(super.createNewHttpClientBuilder());
      owned = created;
      return created;
    }

    @Override
    protected void closeHttpClient(JdkHttpClientImpl closed) {
      super.closeHttpClient(closed);
      OwnedClient client = owned;
      if (client != null) {
        client.end();
      }
    }

    @Override
    protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
      builder.sslContext(tls);
    }
  }
}
