import { postBackOf } from "./api/payments/post-back.ts";
import { EVERY_MINUTE, runDueWork, runMinute } from "./usecases/operations/scheduled.ts";

/** The clock of every account: what takes its time, where no request waits for it. It answers none. */
export default {
  // Any other clock than wrangler.toml's lets every account do what is due: `npm start`, a test.
  scheduled: ({ cron, scheduledTime }, env) =>
    cron === EVERY_MINUTE
      ? runMinute(env, scheduledTime, postBackOf(env))
      : runDueWork(env, scheduledTime, postBackOf(env)),
} satisfies ExportedHandler<Cloudflare.Env>;
