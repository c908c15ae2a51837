/**
 * Where the server's certificate comes from and how a new one gets into a running server. Start at
 * {@link dev.sluice.certs.CertificateSource}, which is either a {@link
 * dev.sluice.certs.CertificateFolder} with an authority of its own, a {@link
 * dev.sluice.certs.SharedCertificate} with one that several servers share, or a {@link
 * dev.sluice.certs.MountedCertificate}; {@link dev.sluice.certs.SwitchingKeyManager} hands its
 * certificate to TLS. {@link dev.sluice.certs.ClientKeyManager} does the same for a client. All
 * cryptography is the JDK's.
 */
@NullMarked
package dev.sluice.certs;

import org.jspecify.annotations.NullMarked;
