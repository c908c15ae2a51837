package dev.sluice.multicluster.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.sluice.api.meta.Conditions;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.testkit.FullTier;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Credentials of workers: they change under load, and nobody ever reads them. */
@Timeout(240)
class CredentialsTest {
  private static final int ROTATIONS = 20;

  /** What every secret here begins with. */
  private static final String PLANTED = "planted-";

  @TempDir private Path folder;
  private InMemoryFleet fleet;

  @BeforeEach
  void aManagerWithAWorker() {
    fleet = new InMemoryFleet(folder);
    fleet.start("a");
    fleet.connect("a");
    fleet.awaitActive("a", "Connected");
  }

  @AfterEach
  void itEnds() {
    fleet.close();
  }

  @FullTier
  @Test
  void twentyNewTokensUnderLoadLoseNoLinkAndListNothingAgain() {
    String since = fleet.active("a").path("lastTransitionTime").asText();
    int lists = fleet.worker("a").calls(InMemoryFleet.LISTS).size();

    for (int i = 0; i < ROTATIONS; i++) {
      fleet.job("before-" + i);
      fleet.login("a", "token-" + i);
      fleet.worker("a").endWatches();
      fleet.job("after-" + i);
    }
    for (int i = 0; i < ROTATIONS; i++) {
      fleet.awaitCopy("a", "before-" + i);
      fleet.awaitCopy("a", "after-" + i);
    }

    assertThat(fleet.active("a").path("lastTransitionTime").asText()).isEqualTo(since);
    assertThat(Conditions.isTrue(fleet.active("a"))).isTrue();
    assertThat(fleet.worker("a").calls(InMemoryFleet.LISTS)).as("lists").hasSize(lists);
  }

  @Test
  void aRefusedLoginReadsTheSecretAtOnceThoughItsWatchIsBehind() {
    MemoryApiServer manager = fleet.clusters.manager;
    String since = fleet.active("a").path("lastTransitionTime").asText();
    AtomicInteger refused = new AtomicInteger();
    manager.with(
        call -> {
          boolean isOfWatch = call.contains("/secrets") && !call.contains("fieldSelector");
          return isOfWatch && refused.incrementAndGet() > 0
              ? Optional.of(MemoryApiServer.Answer.of(503, "the watch is behind"))
              : Optional.empty();
        });
    manager.endWatches();
    await().atMost(InMemoryFleet.AMPLE).until(() -> refused.get() > 0);

    fleet.login("a", "second");
    fleet.job("j");

    fleet.awaitCopy("a", "j");
    assertThat(Conditions.isTrue(fleet.active("a"))).isTrue();
    assertThat(fleet.active("a").path("lastTransitionTime").asText()).isEqualTo(since);
  }

  @Test
  void aLoginThatIsRefusedAgainEndsTheLinkThoughItsWatchesGoOn() {
    fleet.worker("a").demand("another");

    fleet.job("j");

    await()
        .atMost(InMemoryFleet.AMPLE)
        .until(
            () ->
                fleet.active("a").path("reason").asText().equals("ClientConnectionFailed")
                    && fleet.active("a").path("message").asText().startsWith("Unauthorized"));
    fleet.login("a", "second");
    fleet.awaitCopy("a", "j");
  }

  /** Keeps what is logged, with all causes. */
  private static final class Log extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      IThrowableProxy thrown = event.getThrowableProxy();
      lines.add(
          event.getFormattedMessage()
              + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown)));
    }
  }

  /** A kubeconfig of the worker's server with this user, and this more in its cluster. */
  private String kubeconfig(String user, String cluster) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d"%s}}]
    users: [{name: u, user: %s}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(fleet.worker("a").port(), cluster, user);
  }

  private List<String> refused() {
    String broken = Base64.getEncoder().encodeToString((PLANTED + "key").getBytes(UTF_8));
    String pem =
        Base64.getEncoder()
            .encodeToString(
                ("-----BEGIN PRIVATE KEY-----\n" + PLANTED + "pem\n-----END PRIVATE KEY-----\n")
                    .getBytes(UTF_8));
    return List.of(
        kubeconfig("{username: admin, password: planted-password}", ""),
        kubeconfig("{exec: {command: planted-command, args: [planted-argument]}}", ""),
        kubeconfig("{exec: {command: c, env: [{name: T, value: planted-environment}]}}", ""),
        kubeconfig("{auth-provider: {name: p, config: {access-token: planted-access}}}", ""),
        kubeconfig("{token: planted-insecure}", ", insecure-skip-tls-verify: true"),
        kubeconfig("{tokenFile: /etc/planted-file, token: planted-beside}", ""),
        kubeconfig("{client-certificate: /etc/planted-certificate}", ""),
        kubeconfig("{client-certificate-data: %1$s, client-key-data: %1$s}".formatted(broken), ""),
        kubeconfig("{client-certificate-data: %1$s, client-key-data: %1$s}".formatted(pem), ""),
        kubeconfig("{token: planted-twice, token: planted-again}", ""),
        kubeconfig("{token: [planted-list]}", ""),
        kubeconfig("{token: planted-open", ""),
        kubeconfig("{token: planted-line\nx", ""),
        kubeconfig("{token: \"planted-\\u0001control\"}", ""),
        kubeconfig("{token: \"planted-\\u00fcmlaut\"}", ""),
        kubeconfig("{token: planted-t}", ", proxy-url: \"ftp://u:planted-ftp@127.0.0.1:1\""),
        kubeconfig("{token: planted-u}", ", proxy-url: \"http://u:planted-proxy@127.0.0.1:1\""),
        kubeconfig("{token: planted-v}", ", tls-server-name: elsewhere.example"),
        "planted-text",
        "users: [{name: u, user: {token: planted-only}}]");
  }

  private void secret(String kubeconfig) {
    String text = Base64.getEncoder().encodeToString(kubeconfig.getBytes(UTF_8));
    fleet
        .clusters
        .manager
        .objects()
        .put(
            InMemoryFleet.SECRETS,
            "{'metadata': {'name': 'a', 'namespace': 'home'}, 'data': {'kubeconfig': '%s'}}"
                .formatted(text));
  }

  @FullTier
  @Test
  void noSecretIsEverInALogAnEventAConditionOrAMetric() {
    Log log = new Log();
    log.start();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Logger ours = (Logger) LoggerFactory.getLogger("dev.sluice");
    Level before = root.getLevel();
    Level oursBefore = ours.getLevel();
    for (Logger each : List.of(root, ours)) { // libraries may log, too
      each.setLevel(Level.DEBUG);
      each.addAppender(log);
    }
    StringBuilder shown = new StringBuilder();
    try {
      for (String kubeconfig : refused()) {
        fleet.login("a", PLANTED + "token");
        fleet.awaitActive("a", "Connected");
        secret(kubeconfig);
        await()
            .atMost(InMemoryFleet.AMPLE)
            .until(() -> fleet.active("a").path("status").asText().equals("False"));
        shown.append(fleet.active("a")).append('\n');
      }
      fleet.login("a", PLANTED + "last");
      fleet.awaitActive("a", "Connected");
      fleet.worker("a").demand("another");
      fleet.worker("a").endWatches();
      fleet.job("j");
      await()
          .atMost(InMemoryFleet.AMPLE)
          .until(() -> fleet.active("a").path("message").asText().contains("Unauthorized"));
      shown.append(fleet.active("a")).append('\n').append(fleet.workload("j"));
    } finally {
      root.detachAppender(log);
      ours.detachAppender(log);
      root.setLevel(before);
      ours.setLevel(oursBefore);
    }
    fleet.clusters.events.forEach(it -> shown.append(it).append('\n'));
    fleet.clusters.registry.getMeters().forEach(it -> shown.append(it.getId()).append('\n'));

    assertThat(log.lines).isNotEmpty();
    assertThat(shown.toString().lines().filter(it -> it.contains(PLANTED))).isEmpty();
    assertThat(log.lines.stream().filter(it -> it.contains(PLANTED))).isEmpty();
  }
}
