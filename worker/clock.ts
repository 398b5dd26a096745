import { createPostBack } from "./api/payments/post-back.ts";
import { EVERY_MINUTE, runCronTick, runScheduledJobs } from "./usecases/operations/scheduled.ts";

/**
 * The clock of every account. Any other cron than wrangler.toml's lets every account do what is due: `npm start`, a
 * test.
 */
export function scheduled({ cron, scheduledTime }: ScheduledController, env: Cloudflare.Env): Promise<void> {
  const run = cron === EVERY_MINUTE ? runCronTick : runScheduledJobs;
  return run(env, scheduledTime, createPostBack(env));
}
