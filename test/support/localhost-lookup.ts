import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Resolves `*.localhost` for programs started by tests, like entries in a hosts file. */
export async function writeLocalhostResolvers(
  folder: string,
): Promise<{ readonly node: string; readonly pythonPath: string }> {
  const node = join(folder, "localhost.mjs");
  await writeFile(node, NODE);
  await writeFile(join(folder, "sitecustomize.py"), PYTHON);
  return { node, pythonPath: folder };
}

const NODE = `import dns from "node:dns";
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith(".localhost") ? "127.0.0.1" : name, ...rest);
`;
const PYTHON = `import socket
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: real("127.0.0.1" if str(host).endswith(".localhost") else host, *rest, **more)
`;
