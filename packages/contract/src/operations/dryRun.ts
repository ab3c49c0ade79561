import { z } from 'zod'

/** The query of an operation that supports dry runs. */
export const DryRun = z.object({
  dryRun: z
    .stringbool()
    .optional()
    .meta({ description: 'Whether to only check the request, without changing anything. Default: false.' })
})
