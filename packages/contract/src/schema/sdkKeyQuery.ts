import { z } from 'zod'

/** The query of an operation whose credential may come in it (`inQuery`). */
export const SdkKeyQuery = z.object({ sdkKey: z.string().optional() })
