import { z } from 'zod'

/** The query of operations that accept the SDK key there (`inQuery`). */
export const SdkKeyQuery = z.object({ sdkKey: z.string().optional() })
