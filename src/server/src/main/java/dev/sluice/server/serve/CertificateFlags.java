package dev.sluice.server.serve;

import dev.sluice.certs.CertificateProblem;
import dev.sluice.certs.CertificateSource;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.MountedCertificate;
import dev.sluice.certs.SharedCertificate;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.manifests.Target;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.register.SecretStore;
import dev.sluice.server.wiring.DataFlags;
import dev.sluice.server.wiring.TimeConverter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags that say where the certificate of a server in a cluster comes from. */
@SuppressWarnings("NullAway.Init") // set by picocli
public final class CertificateFlags {
  /** What several servers share can be replaced by all of them, so it need not last. */
  private static final Lifetimes SHARED = new Lifetimes(Duration.ofDays(365), Duration.ofDays(30));

  /** As long as {@link #SHARED} says, in months of its serving certificates. */
  private static final int SERVING_LIFETIMES = 12;

  /** How long an API server may take to load a bundle that was written. */
  private static final Duration SETTLING = Duration.ofSeconds(15);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private DataFlags data;

  @Option(
      names = "--cert-dir",
      paramLabel = "DIR",
      description = "Serve tls.crt and tls.key from here instead of a certificate of our own.")
  private @Nullable Path certDir;

  @Option(
      names = "--shared-certificates",
      paramLabel = "SECRET",
      description =
          "Share one certificate authority with other servers through this Secret in the namespace"
              + " of --service, created if missing, instead of one in --data.")
  private @Nullable String secret;

  @Option(
      names = "--certificate-lifetime",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "With --shared-certificates: how long a serving certificate lasts, 1m or more (default:"
              + " 720h). An authority lasts twelve times as long.")
  private @Nullable Duration lifetime;

  /** Before anything is made. */
  public void requireSensible(boolean noInject) {
    if (secret != null && (noInject || certDir != null || data.given())) {
      throw new ParameterException(
          command.commandLine(),
          "--shared-certificates (expected: without --no-inject, --cert-dir, and --data)");
    }
    if (lifetime != null && secret == null) {
      throw new ParameterException(
          command.commandLine(), "--certificate-lifetime (expected: beside --shared-certificates)");
    }
    lifetimes();
  }

  private Lifetimes lifetimes() {
    try {
      return lifetime == null
          ? SHARED
          : new Lifetimes(lifetime.multipliedBy(SERVING_LIFETIMES), lifetime);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(), "--certificate-lifetime: " + e.getMessage(), e);
    }
  }

  /**
   * Opens what was chosen.
   *
   * @param access to the cluster; there is one where a Secret was named
   * @param service the Service in front of the server, in the namespace of that Secret
   * @param names what clients call the server beside the names of the Service
   * @param publishes whether the server writes its authorities where clients look
   * @throws CommandException if there is no certificate to serve
   */
  public CertificateSource open(
      Optional<ClusterAccess> access,
      Target.Service service,
      List<String> names,
      boolean publishes) {
    List<String> served = servedNames(service, names);
    try {
      if (secret != null) {
        return SharedCertificate.open(
            SecretStore.of(access.orElseThrow(), service.namespace(), secret),
            served,
            lifetimes(),
            SETTLING,
            InstantSource.system(),
            new SecureRandom());
      }
      if (certDir == null) {
        return data.certificates(served);
      }
      return publishes
          ? MountedCertificate.published(certDir, InstantSource.system(), SETTLING)
          : MountedCertificate.load(certDir, InstantSource.system());
    } catch (CertificateProblem | ConnectionException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static List<String> servedNames(Target.Service service, List<String> names) {
    String inNamespace = service.name() + "." + service.namespace();
    List<String> all = new ArrayList<>(names);
    all.addAll(
        List.of(
            inNamespace + ".svc",
            inNamespace + ".svc.cluster.local",
            inNamespace,
            "localhost",
            "127.0.0.1",
            "::1"));
    return all.stream().distinct().toList();
  }
}
