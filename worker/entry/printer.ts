import regular from "@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf";
import strong from "@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf";
import type { Printout } from "#domain/printing/printout.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";
import type { ScriptFontName } from "#worker/printer/pdf/scripts.ts";

interface PrinterEnvironment {
  readonly ASSETS: Fetcher;
}

const read = new Map<ScriptFontName, Uint8Array>();

// Fonts of other scripts take 20 MB and are rarely needed, so they are separate assets.
async function readFont({ ASSETS }: PrinterEnvironment, name: ScriptFontName): Promise<Uint8Array> {
  const known = read.get(name);
  if (known) return known;
  const answer = await ASSETS.fetch(`https://fonts/${name}.ttf`);
  if (!answer.ok) throw new Error(`the font ${name} was answered ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  read.set(name, bytes);
  return bytes;
}

const own = { regular: new Uint8Array(regular), strong: new Uint8Array(strong) };

/** Printer: a separate Worker, reachable only through the platform's binding (decision 0020). */
export default {
  async fetch(request, env) {
    // Responds to the health check.
    if (request.method === "GET") return Response.json({ status: "ok" });
    const printout = await request.json<Printout>();
    const bytes = await renderPrintoutPdf(printout, { ...own, read: (name) => readFont(env, name) });
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": "application/pdf" } });
  },
} satisfies ExportedHandler<PrinterEnvironment>;
