import type * as core from '@burgee/core'
import { z } from 'zod'

/** Any JSON value. */
export const Json: z.ZodType<core.Json> = z
  .lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Json), z.record(z.string(), Json)]))
  .meta({ id: 'Json' })
