import { z } from 'zod'

/** The sign-in of a person to a server, as it is stored. */
export const SignedIn = z.object({
  clientId: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
  /** When the access token expires, ISO 8601. */
  expiresAt: z.iso.datetime(),
  /** The key of the default project. */
  project: z.string().optional(),
  who: z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() })
})
export type SignedIn = z.infer<typeof SignedIn>
