/** What run, serve and dev-cluster share: flags, certificates, starting and stopping a server. */
@NullMarked
package dev.sluice.server.wiring;

import org.jspecify.annotations.NullMarked;
