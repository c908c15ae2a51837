package dev.sluice.cluster.access;

import dev.sluice.cluster.access.ClusterAccess.Header;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Puts the credential into each request; once more with a new one where the server refused it. */
final class LoginInterceptor implements Interceptor {
  private static final String AUTHORIZATION = "Authorization";
  private static final int UNAUTHORIZED = 401;

  private final Renewed<Credential> credential;
  private final List<Header> headers;

  LoginInterceptor(Renewed<Credential> credential, List<Header> headers) {
    this.credential = credential;
    this.headers = headers;
  }

  @Override
  public void before(BasicBuilder request, HttpRequest original, RequestTags tags) {
    credential.get().authorization().ifPresent(it -> request.setHeader(AUTHORIZATION, it));
    request.setHeader("User-Agent", "sluice");
    headers.forEach(header -> request.header(header.name(), header.value()));
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder request, HttpResponse<?> response, RequestTags tags) {
    Optional<String> used = Optional.ofNullable(response.request().header(AUTHORIZATION));
    if (response.code() != UNAUTHORIZED || used.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    return CompletableFuture.supplyAsync(() -> renew(request, used), LoginInterceptor::startThread);
  }

  private boolean renew(BasicBuilder request, Optional<String> used) {
    Optional<String> now =
        credential.afterRefusal(it -> it.authorization().equals(used)).authorization();
    now.ifPresent(it -> request.setHeader(AUTHORIZATION, it));
    return now.isPresent() && !now.equals(used);
  }

  /** Reading again may run a program, which the threads of the client must not wait for. */
  private static void startThread(Runnable task) {
    Thread.ofVirtual().name("sluice-credential").start(task);
  }
}
