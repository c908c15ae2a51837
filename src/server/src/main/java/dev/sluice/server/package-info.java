/**
 * The program that runs in a cluster: {@code run}, {@code serve}, {@code schedule} and {@code
 * install}, without the offline tools and their libraries. Start at {@link dev.sluice.server.Main}.
 */
@NullMarked
package dev.sluice.server;

import org.jspecify.annotations.NullMarked;
