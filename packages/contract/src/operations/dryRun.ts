import { z } from 'zod'

/** The query of an operation that can only check its request. */
export const DryRun = z.object({
  dryRun: z
    .stringbool()
    .optional()
    .meta({ description: 'Whether the request is only checked: nothing is changed. Default: false.' })
})
