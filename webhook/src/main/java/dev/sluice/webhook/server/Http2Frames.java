package dev.sluice.webhook.server;

import io.netty.buffer.ByteBuf;

/**
 * Follows the frames of an HTTP/2 connection from its first byte, without looking into them: enough
 * to know whether a head is in the middle of arriving. Not thread-safe.
 */
final class Http2Frames {
  private static final int PREFACE = 24;
  private static final int HEADER = 9;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  private int preface = PREFACE;
  private int headerRead;
  private int length;
  private int type;
  private int flags;
  private int payloadLeft;
  private boolean isInBlock;
  private long unit;

  /** Takes note of these bytes; they stay readable. */
  void read(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (at < end) {
      if (preface > 0) {
        int step = Math.min(preface, end - at);
        preface -= step;
        at += step;
      } else if (payloadLeft > 0) {
        int step = Math.min(payloadLeft, end - at);
        payloadLeft -= step;
        at += step;
        if (payloadLeft == 0) {
          endFrame();
        }
      } else {
        readHeader(bytes.getUnsignedByte(at));
        at++;
      }
    }
  }

  private void readHeader(int value) {
    switch (headerRead) {
      case 0 -> length = value;
      case 1, 2 -> length = length << 8 | value;
      case 3 -> type = value;
      case 4 -> flags = value;
      default -> {} // the stream is of no interest
    }
    if (headerRead == 0 && !isInBlock) {
      unit++;
    }
    headerRead++;
    if (headerRead == HEADER) {
      headerRead = 0;
      payloadLeft = length;
      if (length == 0) {
        endFrame();
      }
    }
  }

  private void endFrame() {
    if (type == HEADERS || type == CONTINUATION) {
      isInBlock = (flags & END_HEADERS) == 0;
    }
  }

  /**
   * Whether a frame or a block of headers has begun and not ended. A body may take its time while
   * its request is in hand.
   */
  boolean isAmidHead(boolean isBusy) {
    boolean isBody = payloadLeft > 0 && type == DATA && isBusy;
    return isInBlock || headerRead > 0 || (payloadLeft > 0 && !isBody);
  }

  /** Which frame, or block of headers, it is in the middle of; each has a number of its own. */
  long unit() {
    return unit;
  }
}
