import { z } from 'zod'

/** The query of operations that accept the SDK key there (`inQuery`). */
export const SdkKeyQuery = z.object({ sdkKey: z.string().optional() })

/** Whether an evaluation uses stored properties of the user (docs/reference/delivery.md#edge-data). */
export const EnableEdgeDB = z
  .stringbool()
  .optional()
  .meta({ description: 'Whether to use stored properties of the user, if the project allows it. Default: false.' })
