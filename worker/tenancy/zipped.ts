import { strToU8, Zip, ZipDeflate } from "fflate";

/** A file of an archive, its text part by part. */
export interface ArchivedFile {
  readonly name: string;
  readonly parts: AsyncIterable<string>;
}

/** An archive (ZIP) as it is made: no file of it, and not the whole, is ever in memory. */
export function zipped(files: AsyncIterable<ArchivedFile>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void write(files, writable.getWriter());
  return readable;
}

async function write(
  files: AsyncIterable<ArchivedFile>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const ready: Uint8Array[] = [];
  // It hands over what is ready while something is pushed into it, at once.
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const flush = async () => {
    for (const chunk of ready.splice(0)) await writer.write(chunk);
  };
  try {
    for await (const { name, parts } of files) {
      const file = new ZipDeflate(name);
      archive.add(file);
      for await (const part of parts) {
        file.push(strToU8(part));
        await flush();
      }
      file.push(new Uint8Array(), true);
      await flush();
    }
    archive.end();
    await flush();
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
  }
}
