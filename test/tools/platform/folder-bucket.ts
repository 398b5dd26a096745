import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Provides a folder as a bucket with the features that the authority simulators use. Writes are atomic, even if the
 * process is killed.
 */
export function createFolderBucket(folder: string): R2Bucket {
  mkdirSync(folder, { recursive: true });
  const getFilePath = (key: string) => join(folder, encodeURIComponent(key));
  const read = (key: string) => {
    const text = readFileSync(getFilePath(key), "utf8");
    return { key, text: async () => text, json: async () => JSON.parse(text) as unknown };
  };
  const bucket = {
    get: async (key: string) => (existsSync(getFilePath(key)) ? read(key) : null),
    put: async (key: string, text: string) => {
      writeFileSync(`${getFilePath(key)}~`, text);
      renameSync(`${getFilePath(key)}~`, getFilePath(key));
    },
    list: async ({ prefix }: { readonly prefix: string }) => {
      const keys = readdirSync(folder).filter((file) => !file.endsWith("~"));
      return { objects: keys.map((file) => ({ key: decodeURIComponent(file) })).filter(isBelow(prefix)) };
    },
  };
  return bucket as unknown as R2Bucket;
}

function isBelow(prefix: string) {
  return ({ key }: { readonly key: string }) => key.startsWith(prefix);
}
