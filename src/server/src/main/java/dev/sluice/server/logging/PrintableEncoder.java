package dev.sluice.server.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;

/** Has an encoder write each event as a {@link PrintableEvent}. */
final class PrintableEncoder extends EncoderBase<ILoggingEvent> {
  private final Encoder<ILoggingEvent> encoder;

  /** Around an encoder that was started. */
  PrintableEncoder(Encoder<ILoggingEvent> encoder) {
    this.encoder = encoder;
  }

  @Override
  public byte[] headerBytes() {
    return encoder.headerBytes();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return encoder.encode(PrintableEvent.of(event));
  }

  @Override
  public byte[] footerBytes() {
    return encoder.footerBytes();
  }
}
