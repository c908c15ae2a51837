package dev.sluice.cluster.access;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.impl.io.SocketHolder;

/**
 * An HTTP connection that writes neither headers nor content to a log. The connections of the
 * library do at the level DEBUG: tokens, logins of proxies, and the Secrets of answers.
 */
final class UnloggedConnection extends DefaultManagedHttpClientConnection {
  UnloggedConnection(String id) {
    super(id);
  }

  @Override
  public void bind(Socket socket) throws IOException {
    bind(new SocketHolder(socket));
  }

  @Override
  public void bind(SSLSocket secured, Socket below) throws IOException {
    bind(new SocketHolder(secured, below));
  }

  @Override
  protected void onRequestSubmitted(ClassicHttpRequest request) {
    // the superclass logs the headers
  }

  @Override
  protected void onResponseReceived(ClassicHttpResponse response) {
    // the superclass logs the headers
  }
}
