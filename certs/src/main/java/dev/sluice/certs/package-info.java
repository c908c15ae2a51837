/**
 * Where the server's certificate comes from and how a new one gets into a running server. Start at
 * {@link dev.sluice.certs.CertificateSource}, which is either a {@link
 * dev.sluice.certs.CertificateFolder} with an authority of its own, a {@link
 * dev.sluice.certs.SharedCertificate} with one that several servers share, or a {@link
 * dev.sluice.certs.MountedCertificate}; {@link dev.sluice.certs.SwitchingKeyManager} hands its
 * certificate to TLS. {@link dev.sluice.certs.ClientKeyManager} does the same for a client. Bouncy
 * Castle is loaded only to issue a certificate or to read a key in a traditional encoding, and is
 * never registered as a provider.
 */
@NullMarked
package dev.sluice.certs;

import org.jspecify.annotations.NullMarked;
