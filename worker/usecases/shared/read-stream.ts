/** Returns the bytes of a stream. Undefined if it has more than `maxBytes`: it's then cancelled. */
export async function readStreamUpTo(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  // The loop cancels the stream when it returns.
  for await (const chunk of stream) {
    if (length + chunk.byteLength > maxBytes) return undefined;
    bytes.set(chunk, length);
    length += chunk.byteLength;
  }
  return bytes.slice(0, length);
}
