/** Whether the webhooks are registered, and cannot lock out what the server itself needs. */
@NullMarked
package dev.sluice.cli.doctor.registration;

import org.jspecify.annotations.NullMarked;
