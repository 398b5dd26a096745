import { z } from "zod";

/** For lists too long to count on each request. */
export const totalIsExact = z.boolean().optional().meta({
  description:
    "false where the list is longer than `total`, the first 100 (or those of a longer page); absent otherwise",
});
