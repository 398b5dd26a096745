import { z } from "zod";

/** Whether `total` is the exact number of rows. Long lists aren't counted on each request. */
export const totalIsExactSchema = z.boolean().optional().meta({
  description: "false if the list is longer than `total`, which is then at least 100. Absent otherwise",
});
