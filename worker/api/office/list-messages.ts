import { z } from "zod";

/** For lists too long to count on each request. */
export const totalIsExact = z.boolean().optional().meta({
  description: "false if the list is longer than `total`, which is then at least 100. Absent otherwise",
});
