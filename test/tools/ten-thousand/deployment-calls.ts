import { startCloudflare } from "#support/cloudflare.ts";

/** Counts the calls of Cloudflare's API that a gradual deployment of a cell makes, against the simulated wrangler. */
export async function countDeploymentCalls(): Promise<number> {
  const cloud = await startCloudflare("deployment-calls");
  try {
    const deploy = async () => {
      const options = ["--env", "production", "--url", cloud.url, "--pause", "0.01", "--built"];
      const { exitCode, output } = await cloud.command("deploy", ...options);
      if (exitCode !== 0) throw new Error(output);
      return cloud.apiCalls();
    };
    const first = await deploy();
    return (await deploy()) - first;
  } finally {
    await cloud.close();
  }
}
