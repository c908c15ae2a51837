package dev.sluice.scheduler.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.ApiKind;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write that is under way, or whose thread is interrupted, may still be carried out. */
@Timeout(60)
class CutOffWriteIT {
  private static final Write WRITE =
      new Write.MergePatch(
          new ObjectRef(ApiKind.WORKLOAD.hub(), "n", "w", "u"),
          "status",
          JsonNodeFactory.instance.objectNode(),
          "manager",
          "1");

  @TempDir private Path folder;

  @Test
  void aWriteThatIsInterruptedWhileTheApiServerHasItIsRemembered() throws Exception {
    try (ServerSocket apiServer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Connection connection =
            Connection.to(Kubeconfigs.plain(folder, apiServer.getLocalPort()))) {
      Sender sender = Sender.ofSingleAttempts(connection, () -> true);
      CompletableFuture<WriteResult> sent = new CompletableFuture<>();
      Thread writer = Thread.ofVirtual().start(() -> sent.complete(sender.send(WRITE)));
      try (Socket call = apiServer.accept()) {
        assertThat(call.getInputStream().read()).as("the first byte of the call").isPositive();
        assertThat(sender.mayStillWrite()).as("while it is under way").isTrue();

        writer.interrupt();

        assertThat(sent.get(30, TimeUnit.SECONDS)).isInstanceOf(WriteResult.Unanswered.class);
        assertThat(sender.mayStillWrite()).as("for good").isTrue();
      }
    }
  }

  @Test
  void oneThatIsNotAnsweredForAnotherReasonIsNoCutOff() throws IOException {
    int port;
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    try (Connection connection = Connection.to(Kubeconfigs.plain(folder, port))) {
      Sender sender = Sender.ofSingleAttempts(connection, () -> true);

      assertThat(sender.send(WRITE)).isInstanceOf(WriteResult.Unanswered.class);
      assertThat(sender.mayStillWrite()).isFalse();
    }
  }

  /** Or a call could begin unseen when the lead ends. */
  @Test
  void aWriteIsUnderWayBeforeItAsksWhetherThisReplicaLeads() throws IOException {
    try (Connection connection = Connection.to(Kubeconfigs.plain(folder, 1))) {
      AtomicReference<Sender> asked = new AtomicReference<>();
      AtomicBoolean wasUnderWay = new AtomicBoolean();
      BooleanSupplier leads =
          () -> {
            wasUnderWay.set(asked.get().mayStillWrite());
            return false;
          };
      Sender sender = Sender.ofSingleAttempts(connection, leads);
      asked.set(sender);

      assertThat(sender.send(WRITE)).isInstanceOf(WriteResult.NotLeading.class);
      assertThat(wasUnderWay).isTrue();
      assertThat(sender.mayStillWrite()).isFalse();
    }
  }
}
