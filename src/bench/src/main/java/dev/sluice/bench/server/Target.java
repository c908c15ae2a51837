package dev.sluice.bench.server;

/**
 * A server to send to, under the name {@code localhost}.
 *
 * @param yardstick which one it is
 * @param port its HTTPS port
 * @param caBundlePem the authorities to trust
 */
public record Target(Yardstick yardstick, int port, String caBundlePem) {}
