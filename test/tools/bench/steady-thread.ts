import { parentPort, workerData } from "node:worker_threads";
import { createClient } from "#tools/platform/client.ts";
import { type SteadyLoad, sendSteadily } from "./steady-load.ts";

const { port, ...load }: SteadyLoad = workerData;
parentPort?.postMessage(await sendSteadily(createClient(port), load));
