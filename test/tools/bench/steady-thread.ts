import { parentPort, workerData } from "node:worker_threads";
import { createClient } from "#tools/platform/client.ts";
import { askSteadily, type SteadyLoad } from "./steady-load.ts";

const { port, ...load }: SteadyLoad = workerData;
parentPort?.postMessage(await askSteadily(createClient(port), load));
