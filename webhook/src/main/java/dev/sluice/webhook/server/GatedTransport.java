package dev.sluice.webhook.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.transport.Transport;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes servers of Vert.x ask a {@link ConnectionGate} for each connection that the system has
 * accepted, before the TLS handshake. Vert.x reports a connection only once it speaks HTTP, so a
 * caller that never gets that far would not count.
 */
public final class GatedTransport extends NioTransport {
  private final Map<Integer, ConnectionGate> gates = new ConcurrentHashMap<>();
  private final Door door = new Door();

  private GatedTransport() {}

  /** A Vert.x whose servers can have gates; {@link HttpsListener} and {@link PagesServer} need. */
  public static Vertx vertx(VertxOptions options) {
    GatedTransport gated = new GatedTransport();
    return Vertx.builder().with(options).withTransport(gated.named()).build();
  }

  private Transport named() {
    return new Transport() {
      @Override
      public String name() {
        return "nio";
      }

      @Override
      public boolean available() {
        return true;
      }

      @Override
      public @Nullable Throwable unavailabilityCause() {
        return null;
      }

      @Override
      public io.vertx.core.spi.transport.Transport implementation() {
        return GatedTransport.this;
      }
    };
  }

  /**
   * The gates of this Vert.x.
   *
   * @throws IllegalArgumentException if it was not made by {@link #vertx}
   */
  static GatedTransport of(Vertx vertx) {
    if (((VertxInternal) vertx).transport() instanceof GatedTransport gated) {
      return gated;
    }
    throw new IllegalArgumentException("vertx: has no gates (expected: one of GatedTransport)");
  }

  /**
   * Listens, with this gate before the port from the first connection on; where any free port is
   * asked for, from the moment its number is known.
   */
  <T> Future<T> guarding(
      ConnectionGate gate, int port, Supplier<Future<T>> listen, ToIntFunction<T> actualPort) {
    boolean isKnown = port != 0;
    if (isKnown && gates.putIfAbsent(port, gate) != null) {
      return Future.failedFuture(new BindException("Address already in use: port " + port));
    }
    return listen
        .get()
        .onSuccess(server -> gates.put(actualPort.applyAsInt(server), gate))
        .onFailure(_ -> forget(gate));
  }

  /** Removes this gate. */
  void forget(ConnectionGate gate) {
    gates.values().remove(gate);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    ChannelFactory<? extends ServerChannel> factory = super.serverChannelFactory(domainSocket);
    return () -> {
      ServerChannel server = factory.newChannel();
      server.pipeline().addLast(door);
      return server;
    };
  }

  private Optional<ConnectionGate> gate(Channel server) {
    return server.localAddress() instanceof InetSocketAddress local
        ? Optional.ofNullable(gates.get(local.getPort()))
        : Optional.empty();
  }

  /** Sees each connection right after it was accepted, before any of its event loop's code. */
  @Sharable
  private final class Door extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      Optional<ConnectionGate> gate = gate(context.channel());
      if (gate.isPresent() && accepted instanceof Channel connection) {
        Optional<OpenConnection> open = gate.get().admit(connection);
        if (open.isEmpty()) {
          connection.unsafe().closeForcibly();
          return;
        }
        connection
            .pipeline()
            .addLast(new HeadWatch.Start(open.get(), gate.get().bounds().headTimeout()));
      }
      context.fireChannelRead(accepted);
    }
  }
}
