import { Hono } from "hono";
import { isQrUrl } from "#domain/tax-records/qr.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { listSimulatedChains, type SimulatedTaxAgencyFault, saveSimulatedTaxAgencyFault } from "./simulated-records.ts";
import { simulateTaxAgencyResponse } from "./submission-simulator.ts";

const MODES: readonly SimulatedTaxAgencyFault["mode"][] = ["down", "lost_answer", "suspended", "refuse"];
const QR = "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR";

/** Simulator of the tax agency for development, at `/dev/tax-agency`. Never deployed. */
export const taxAgencySimulatorRoutes = new Hono<AppEnvironment>();

taxAgencySimulatorRoutes.get("/", async (c) => c.json({ chains: await listSimulatedChains(c.env.FILES) }));

taxAgencySimulatorRoutes.post("/VerifactuSOAP", (c) => simulateTaxAgencyResponse(c.env.FILES, c.req.raw, Date.now()));

// {"mode": "down", "times": 2}: the next two submissions fail this way.
taxAgencySimulatorRoutes.post("/faults", async (c) => {
  const requestBody: unknown = await c.req.json().catch(() => undefined);
  const { mode, times } = Object(requestBody) as Partial<SimulatedTaxAgencyFault>;
  const known = MODES.find((item) => item === mode);
  if (!known || !Number.isInteger(times) || Number(times) < 0)
    return c.json({ error: `mode: one of ${MODES.join(", ")}; times: how often` }, 400);
  await saveSimulatedTaxAgencyFault(c.env.FILES, { mode: known, times: Number(times) });
  return c.json({ mode: known, times });
});

// Page shown to a customer after scanning a code.
taxAgencySimulatorRoutes.get("/ValidarQR", async (c) => {
  const { search } = new URL(c.req.url);
  if (!isQrUrl(`${QR}${search}`)) return c.json({ result: "The address is not one of a tax record" }, 400);
  const { nif, numserie, fecha, importe } = c.req.query();
  const records = (await listSimulatedChains(c.env.FILES))
    .filter(({ issuer }) => issuer === nif)
    .flatMap((chain) => chain.records);
  const record = records.findLast(({ number, date }) => number === numserie && date === fecha);
  const isVerified = record?.kind === "registration" && Number(record.total) === Number(importe);
  return c.json({ result: isVerified ? "Factura encontrada" : "Factura no encontrada" }, isVerified ? 200 : 404);
});
