package dev.sluice.cluster.access;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One API server and how to log in there. An instance is proof that all that was named could be
 * read; tokens, certificates and authorities in files, and credentials of exec plugins, are read
 * again when they change. Safe for many threads.
 */
public final class ClusterAccess {
  private static final String EXPECTED =
      "no cluster is named (expected: --kubeconfig, $KUBECONFIG, ~/.kube/config with a current"
          + " context, or a Pod with a service account)";

  private final URI server;
  private final Renewed<Credential> credential;
  private final List<Header> impersonation;
  private final Renewed<X509ExtendedTrustManager> trust;
  private final boolean isTrustOwn;
  private final Optional<String> serverName;
  private final Optional<Proxy> proxy;

  /** A header of every request. */
  record Header(String name, String value) {}

  ClusterAccess(
      URI server,
      Renewed<Credential> credential,
      List<Header> impersonation,
      Renewed<X509ExtendedTrustManager> trust,
      boolean isTrustOwn,
      Optional<String> serverName,
      Optional<Proxy> proxy) {
    this.server = server;
    this.credential = credential;
    this.impersonation = List.copyOf(impersonation);
    this.trust = trust;
    this.isTrustOwn = isTrustOwn;
    this.serverName = serverName;
    this.proxy = proxy;
  }

  /**
   * Access to the cluster of this kubeconfig; without one, of the files of {@code $KUBECONFIG},
   * else of {@code ~/.kube/config}, else to the cluster around this Pod. Reads files and may run an
   * exec plugin, but calls no server.
   *
   * @throws AccessException if something that is named cannot be used
   */
  public static ClusterAccess of(@Nullable Path kubeconfig) {
    return of(kubeconfig, null, AccessEnvironment.ofThisProcess());
  }

  /**
   * Like {@link #of(Path)}.
   *
   * @param context the name of a context of the kubeconfig; null for its current one
   * @param environment used if no kubeconfig is given
   */
  public static ClusterAccess of(
      @Nullable Path kubeconfig, @Nullable String context, AccessEnvironment environment) {
    List<Path> files = files(kubeconfig, environment);
    if (!files.isEmpty()) {
      return of(files, context, environment);
    }
    if (context != null) {
      throw new AccessException("--context: there is no kubeconfig (expected: --kubeconfig)");
    }
    return ServiceAccount.access(environment).orElseThrow(() -> new AccessException(EXPECTED));
  }

  /**
   * The namespace that the context names, for commands that name none; empty if it names none, or
   * there is no kubeconfig. Parameters and errors are those of {@link #of(Path, String,
   * AccessEnvironment)}; only the kubeconfig is read.
   */
  public static Optional<String> namespace(
      @Nullable Path kubeconfig, @Nullable String context, AccessEnvironment environment) {
    List<Path> files = files(kubeconfig, environment);
    return files.isEmpty() ? Optional.empty() : Kubeconfig.read(files).context(context).namespace();
  }

  /** The kubeconfig files that count; empty if there is none. */
  private static List<Path> files(@Nullable Path kubeconfig, AccessEnvironment environment) {
    if (kubeconfig != null) {
      return List.of(kubeconfig);
    }
    Optional<String> named = environment.variable("KUBECONFIG");
    if (named.isPresent()) {
      return existing(named.get());
    }
    Path usual = environment.home().resolve(".kube").resolve("config");
    return Files.exists(usual) ? List.of(usual) : List.of();
  }

  /** Of several files some may be missing, but not all. */
  private static List<Path> existing(String list) {
    List<Path> files =
        Stream.of(list.split(File.pathSeparator, -1))
            .filter(name -> !name.isBlank())
            .map(Path::of)
            .toList();
    List<Path> there = files.stream().filter(Files::exists).toList();
    if (there.isEmpty()) {
      throw new AccessException("$KUBECONFIG: " + list + ": there is no such file");
    }
    return there;
  }

  private static ClusterAccess of(
      List<Path> files, @Nullable String context, AccessEnvironment environment) {
    Kubeconfig.Context chosen = Kubeconfig.read(files).context(context);
    ClusterSection cluster = new ClusterSection(chosen.cluster(), environment);
    URI server = cluster.server();
    return new ClusterAccess(
        server,
        new UserSection(chosen.user(), chosen.cluster(), environment).credential(),
        Impersonation.headers(chosen.user()),
        cluster.trust(),
        cluster.namesAuthority(),
        cluster.serverName(),
        cluster.proxy(server));
  }

  /**
   * The same cluster and login, acting as somebody else; what the kubeconfig says of that does not
   * count.
   *
   * @param user the name of the user to act as
   * @param groups the groups of that user; empty for those that every user has
   * @throws AccessException if there is no user, or a name cannot stand in a header
   */
  public ClusterAccess actingAs(@Nullable String user, List<String> groups) {
    return new ClusterAccess(
        server,
        credential,
        Impersonation.headers(user, groups),
        trust,
        isTrustOwn,
        serverName,
        proxy);
  }

  /** Scheme, host, port and maybe a path, without a slash at its end. */
  public URI server() {
    return server;
  }

  /**
   * The authorities that are named for this server; empty if those of the system are trusted, or
   * anybody is.
   */
  public List<X509Certificate> authorities() {
    return isTrustOwn ? List.of(trust.get().getAcceptedIssuers()) : List.of();
  }

  /** The name that the server's certificate has, where it is not the one of the address. */
  public Optional<String> serverName() {
    return serverName;
  }

  /**
   * A client that logs in with each request; to be closed by the caller. Sends nothing by itself.
   */
  public ApiHttpClient httpClient() {
    return new ApiHttpClient(
        server, credential, impersonation, new ClientTls(credential, trust, serverName), proxy);
  }

  /** Names no secret. */
  @Override
  public String toString() {
    return "ClusterAccess[" + server + "]";
  }
}
