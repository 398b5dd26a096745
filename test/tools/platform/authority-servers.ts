import { join } from "node:path";
import { Response as Answered, type Request as Asked } from "miniflare";
import { simulateSesResponse } from "#worker/development/ses/ministry-simulator.ts";
import { simulateMunicipalityListResponse } from "#worker/development/statistics.ts";
import { simulateTaxAgencyResponse } from "#worker/development/tax-agency/submission-simulator.ts";
import { createFolderBucket } from "./folder-bucket.ts";

/** Sends a request to a simulated server. */
export type PartnerServer = (request: Asked) => Promise<Answered>;

/** Returns the authorities' data, stored separately so that a kill of the platform doesn't affect it. */
export const openAuthoritiesBucket = (stateDir: string) => createFolderBucket(join(stateDir, "authorities"));

const UNREACHED = 5;
const LOST = 3;
const UNREADABLE = 4;

/**
 * Creates the tax agency's server for chaos tests: the development simulator, with every fifth request not arriving and
 * every third response lost.
 */
export function createTaxAgencyServer(stateDir: string): PartnerServer {
  const files = openAuthoritiesBucket(stateDir);
  return oneByOne(failSometimes((request) => simulateTaxAgencyResponse(files, request, Date.now())));
}

/**
 * Creates the ministry's server in the same way. It also rejects every fourth batch as unreadable without storing it.
 */
export function createSesServer(stateDir: string): PartnerServer {
  const files = openAuthoritiesBucket(stateDir);
  let lots = 0;
  const answer = async (request: Request) => {
    const body = await request.text();
    if (body.includes("tipoOperacion>A<")) lots += 1;
    const isSpoiled = body.includes("tipoOperacion>A<") && lots % UNREADABLE === 0;
    const { url, method, headers } = request;
    return simulateSesResponse(files, new Request(url, { method, headers, body: isSpoiled ? "<" : body }));
  };
  return oneByOne(failSometimes(answer));
}

/** Creates the statistical office's server, which always responds. */
export const answerAsStatisticsOffice: PartnerServer = oneByOne(async (request) =>
  simulateMunicipalityListResponse(request),
);

function failSometimes(answer: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  let requestCount = 0;
  return async (request) => {
    requestCount += 1;
    if (requestCount % UNREACHED === 0) return new Response("Bad gateway", { status: 502 });
    const isLost = requestCount % LOST === 0;
    const answered = await answer(request);
    return isLost ? new Response("Gateway timeout", { status: 504 }) : answered;
  };
}

// Processes requests sequentially, because data is read and written as a whole.
function oneByOne(answer: (request: Request) => Promise<Response>): PartnerServer {
  let before: Promise<unknown> = Promise.resolve();
  return (requestCount) => {
    const currentAnswer = before.then(async () => {
      const body = requestCount.method === "GET" ? null : await requestCount.text();
      const answered = await answer(
        new Request(requestCount.url, { method: requestCount.method, headers: [...requestCount.headers], body }),
      );
      const headers = { "Content-Type": answered.headers.get("Content-Type") ?? "text/plain" };
      return new Answered(await answered.text(), { status: answered.status, headers });
    });
    before = currentAnswer.catch(() => undefined);
    return currentAnswer;
  };
}
