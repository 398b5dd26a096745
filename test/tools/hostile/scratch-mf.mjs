import { Miniflare, convertV4MiniflareOptions } from "miniflare";
import { request } from "node:http";
const script = `
import { createHash } from "node:crypto";
const T = async (name, f) => { await scheduler.wait(1); const a = performance.now(); const r = await f(); await scheduler.wait(0); return [name, (performance.now() - a).toFixed(1), r].join(" "); };
export default { async fetch(request, env) {
  const mode = new URL(request.url).pathname.slice(1);
  if (mode === "default") { const r = request.body.getReader(); const sizes = {}; for (;;) { const { done, value } = await r.read(); if (done) break; sizes[value.length] = (sizes[value.length] ?? 0) + 1; } return Response.json(sizes); }
  if (mode === "byob") { const r = request.body.getReader({ mode: "byob" }); const sizes = {}; for (;;) { const { done, value } = await r.readAtLeast(65536, new Uint8Array(65536)); if (value) sizes[value.length] = (sizes[value.length] ?? 0) + 1; if (done || !value || value.length === 0) break; } return Response.json(sizes); }
  if (mode === "ab") { const b = await request.arrayBuffer(); return new Response(String(b.byteLength)); }
  const b = new Uint8Array(await request.arrayBuffer());
  const out = [];
  out.push(await T("alloc", () => void (globalThis.x = new Uint8Array(10e6))));
  out.push(await T("alloc2", () => void (globalThis.x2 = new Uint8Array(10e6))));
  out.push(await T("copy", () => x.set(b)));
  out.push(await T("digest", () => crypto.subtle.digest("SHA-256", b).then(() => 0)));
  out.push(await T("createHash", () => createHash("sha256").update(b).digest("hex").length));
  out.push(await T("createHash1MB", () => { const h = createHash("sha256"); for (let i = 0; i < b.length; i += 1e6) h.update(b.subarray(i, i + 1e6)); return h.digest("hex").length; }));
  const dv = new DataView(b.buffer);
  out.push(await T("scan dv", () => { let n = 0; for (let i = 0; i + 1 < dv.byteLength; i++) if (dv.getUint8(i) === 0xff) n++; return n; }));
  out.push(await T("scan dv2", () => { let n = 0; for (let i = 0; i + 1 < dv.byteLength; i++) if (dv.getUint8(i) === 0xff) n++; return n; }));
  out.push(await T("scan idx", () => { let n = 0; for (let i = b.indexOf(255); i >= 0; i = b.indexOf(255, i + 1)) n++; return n; }));
  out.push(await T("put ab", () => env.R2.put("a" + Math.random(), b).then(() => 0)));
  out.push(await T("put fls", async () => { const f = new FixedLengthStream(b.length); const w = f.writable.getWriter(); const p = env.R2.put("b" + Math.random(), f.readable); for (let i = 0; i < b.length; i += 65536) await w.write(b.subarray(i, i + 65536)); await w.close(); await p; return 0; }));
  return new Response(out.join("\\n"));
} }`;
const mf = new Miniflare(convertV4MiniflareOptions({ modules: true, script, compatibilityDate: "2026-08-15", compatibilityFlags: ["nodejs_compat"], r2Buckets: ["R2"] , unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] }));
const url = await mf.unsafeGetDirectURL();
const send = (path) => new Promise((res) => { const b = Buffer.alloc(10e6); for (let i = 0; i < b.length; i++) b[i] = (i * 7) % 256; const r = request(new URL(path, url), { method: "PUT", headers: { "Content-Length": b.length } }, (x) => { let t = ""; x.on("data", (d) => t += d); x.on("end", () => res(t)); }); r.end(b); });
for (const p of ["/default", "/byob", "/ab", "/time", "/time"]) console.log(p, await send(p));
await mf.dispose();
