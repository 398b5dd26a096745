import regular from "@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf";
import strong from "@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf";
import armenian from "@expo-google-fonts/noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf";
import georgian from "@expo-google-fonts/noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf";
import type { Printout } from "#domain/printing/printout.ts";
import { drawPdf } from "./pdf/draw.ts";

const files = {
  regular: new Uint8Array(regular),
  strong: new Uint8Array(strong),
  georgian: new Uint8Array(georgian),
  armenian: new Uint8Array(armenian),
};

/** The printer: a Worker of its own that the platform alone reaches, by its binding (decision 0020). */
export default {
  async fetch(request) {
    // The health check's question.
    if (request.method === "GET") return Response.json({ status: "ok" });
    const printout = await request.json<Printout>();
    const bytes = await drawPdf(printout, files);
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": "application/pdf" } });
  },
} satisfies ExportedHandler;
