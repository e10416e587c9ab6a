package io.krypton.kms.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.util.ReferenceCountUtil;
import java.util.concurrent.CompletableFuture;

/**
 * Opens an HTTP/2 connection by hand and notes how the peer begins. gRPC only tells that it did not
 * come to a connection, and loses the difference between a peer that speaks another protocol and
 * one that hangs up.
 */
final class Greeting extends ChannelInboundHandlerAdapter {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final int FRAME_TYPE_AT = 3;
  private static final byte SETTINGS_TYPE = 4;

  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final ByteBuf received = Unpooled.buffer(FRAME_TYPE_AT + 1);

  enum Reply {
    SETTINGS,
    SOMETHING_ELSE,
    CLOSED,
    SILENCE
  }

  CompletableFuture<Reply> reply() {
    return reply;
  }

  /** What is known when there is no more time: a few wrong bytes, or none. */
  Reply soFar() {
    return received.isReadable() ? Reply.SOMETHING_ELSE : Reply.SILENCE;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    var _ = context.writeAndFlush(Unpooled.wrappedBuffer(PREFACE, EMPTY_SETTINGS));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      var bytes = (ByteBuf) message;
      received.writeBytes(bytes, Math.min(bytes.readableBytes(), missing()));
    } finally {
      ReferenceCountUtil.release(message);
    }
    // A frame starts with three bytes of length, and no first frame is longer than 64 KiB.
    if (received.getByte(0) != 0) {
      reply.complete(Reply.SOMETHING_ELSE);
    } else if (missing() == 0) {
      reply.complete(
          received.getByte(FRAME_TYPE_AT) == SETTINGS_TYPE ? Reply.SETTINGS : Reply.SOMETHING_ELSE);
    }
  }

  private int missing() {
    return FRAME_TYPE_AT + 1 - received.readableBytes();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    reply.complete(received.isReadable() ? Reply.SOMETHING_ELSE : Reply.CLOSED);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable reset) {
    reply.complete(received.isReadable() ? Reply.SOMETHING_ELSE : Reply.CLOSED);
  }
}
