package dev.sluice.quota.recording;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/**
 * Makes the bytes of one segment. It begins with {@link #opening}, then a checkpoint; a frame is
 * what was added since the frame before. Close it when it is full. For one thread.
 */
// A segment is eight bytes of magic and the format, then frames: the length, a checksum of the
// length, the deflated events, and SHA-256 over all of that and the hash before. The lengths are
// outside of the compression, so that a file that ends too early differs from one that was altered.
public final class SegmentWriter implements AutoCloseable {
  static final byte[] MAGIC = {'S', 'L', 'U', 'I', 'C', 'E', 'F', 'R'};
  static final int FORMAT = 1;
  static final int HASH = 32;

  private final SegmentHeader header;
  private final EventWriter events = new EventWriter();
  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final MessageDigest digest = sha256();
  private final byte[] buffer = new byte[1 << 13];
  private byte[] hash = new byte[HASH];
  private int frames;

  public SegmentWriter(SegmentHeader header) {
    this.header = header;
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** A checksum of the length of a frame, other for each frame. */
  static int checksum(int frame, int length) {
    var crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putInt(frame).putInt(length).flip());
    return (int) crc.getValue();
  }

  /** How the file begins. Call it once, first. */
  public byte[] opening() {
    byte[] first = frame(header.bytes());
    ByteBuffer opening = ByteBuffer.allocate(MAGIC.length + 4 + first.length);
    opening.put(MAGIC).putInt(FORMAT).put(first);
    return opening.array();
  }

  /** Adds an event to the next frame. */
  public void add(RecordedEvent event) {
    events.write(event.at(), event.event());
  }

  /** How many bytes the next frame has, before compression. */
  public int pending() {
    return events.size();
  }

  /** All that was added since the last one, to be appended to the file. */
  public byte[] frame() {
    return frame(events.take());
  }

  private byte[] frame(byte[] content) {
    byte[] payload = deflated(content);
    ByteBuffer frame = ByteBuffer.allocate(8 + payload.length + HASH);
    frame.putInt(payload.length).putInt(checksum(frames++, payload.length)).put(payload);
    digest.update(hash);
    digest.update(frame.array(), 0, frame.position());
    hash = digest.digest();
    frame.put(hash);
    return frame.array();
  }

  private byte[] deflated(byte[] content) {
    var out = new ByteArrayOutputStream();
    deflater.setInput(content);
    int count;
    do {
      count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
      out.write(buffer, 0, count);
    } while (count == buffer.length);
    return out.toByteArray();
  }

  /** The hash of the last frame, which the next segment of the run names. */
  public String hash() {
    return HexFormat.of().formatHex(Arrays.copyOf(hash, HASH));
  }

  /** Frees memory outside of the heap. */
  @Override
  public void close() {
    deflater.end();
  }
}
