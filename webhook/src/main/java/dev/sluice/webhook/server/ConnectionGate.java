package dev.sluice.webhook.server;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets connections of one port in, from the moment the system has accepted them. At the bound an
 * idle connection is closed for the next: of the addresses with the most connections, the longest
 * idle one. So a flood from a few addresses costs their own connections, not those of callers with
 * one or two. A connection with a request in hand is never closed, and if all have one the next is
 * refused. An address at its own bound is served the same way out of its own connections.
 * Thread-safe.
 */
final class ConnectionGate {
  private static final int NETWORK_BYTES = 8; // of an IPv6 address: what one host has to itself

  private final ConnectionBounds bounds;
  private final LongSupplier nanoTime;
  private final Counter retired;
  private final Counter refused;
  private final Counter cut;
  private final Set<OpenConnection> open = new HashSet<>();
  private final Map<String, Integer> perAddress = new HashMap<>();

  /**
   * A gate within these bounds.
   *
   * @param port the tag that separates the meters of several ports
   */
  ConnectionGate(
      ConnectionBounds bounds, LongSupplier nanoTime, String port, MeterRegistry registry) {
    this.bounds = bounds;
    this.nanoTime = nanoTime;
    this.retired = counter("idle", port, registry);
    this.refused = counter("refused", port, registry);
    this.cut = counter("slow", port, registry);
  }

  private static Counter counter(String reason, String port, MeterRegistry registry) {
    return Counter.builder("sluice.connections.closed")
        .description("Connections that the server closed: idle ones for new ones, slow or too many")
        .tags("port", port, "reason", reason)
        .register(registry);
  }

  ConnectionBounds bounds() {
    return bounds;
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  void countCut() {
    cut.increment();
  }

  /** How many are open. */
  synchronized int connections() {
    return open.size();
  }

  /** Those that are open now, in no order. */
  synchronized List<OpenConnection> all() {
    return List.copyOf(open);
  }

  /** Lets a connection in, or not; its end is noticed by itself. */
  @SuppressWarnings("FutureReturnValueIgnored") // the listener is all that is wanted of it
  Optional<OpenConnection> admit(Channel channel) {
    OpenConnection next =
        new OpenConnection(channel, address(channel.remoteAddress()), this, nanoTime());
    OpenConnection idle;
    synchronized (this) {
      boolean addressFull = perAddress.getOrDefault(next.address(), 0) >= bounds.mostPerAddress();
      boolean full = addressFull || open.size() >= bounds.most();
      idle = full ? retire(it -> !addressFull || it.address().equals(next.address())) : null;
      if (full && idle == null) {
        refused.increment();
        return Optional.empty();
      }
      enter(next);
    }
    if (idle != null) {
      retired.increment();
      idle.close();
    }
    channel.closeFuture().addListener(_ -> leave(next));
    return Optional.of(next);
  }

  /** The one of these to close for another; it no longer counts as open. */
  private @Nullable OpenConnection retire(Predicate<OpenConnection> candidates) {
    for (int attempt = 0; attempt < 3; attempt++) { // it may be asked something just now
      OpenConnection chosen = null;
      for (OpenConnection it : open) {
        if (candidates.test(it) && !it.isBusy() && (chosen == null || isBefore(it, chosen))) {
          chosen = it;
        }
      }
      if (chosen == null) {
        return null;
      }
      if (chosen.tryRetire()) {
        leave(chosen);
        return chosen;
      }
    }
    return null;
  }

  /** Whether the first should be closed before the second. */
  private boolean isBefore(OpenConnection first, OpenConnection second) {
    int more =
        Integer.compare(
            perAddress.getOrDefault(first.address(), 0),
            perAddress.getOrDefault(second.address(), 0));
    return more > 0 || (more == 0 && first.idleSince() - second.idleSince() < 0);
  }

  private void enter(OpenConnection connection) {
    open.add(connection);
    perAddress.merge(connection.address(), 1, Integer::sum);
  }

  /** Whether a connection is still open. */
  synchronized boolean isOpen(OpenConnection connection) {
    return open.contains(connection);
  }

  private synchronized void leave(OpenConnection connection) {
    if (open.remove(connection)) {
      perAddress.computeIfPresent(
          connection.address(), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /**
   * The address that is counted: for IPv6 its /64 network, because a host usually has all of it.
   */
  static String address(@Nullable SocketAddress remote) {
    InetAddress address = remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    if (address == null) {
      return "";
    }
    byte[] bytes = address.getAddress();
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES))
        : address.getHostAddress();
  }
}
