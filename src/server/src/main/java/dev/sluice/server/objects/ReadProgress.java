package dev.sluice.server.objects;

/** Shows how far reading files has come. Any thread may step. */
public interface ReadProgress extends AutoCloseable {
  /** One file more is read. */
  void step();

  /** All files are read. */
  @Override
  void close();
}
