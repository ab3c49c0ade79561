import { z } from 'zod'

/** Says of a refusal that somebody else has to approve the change: a change request is the way. */
export const APPROVAL_REQUIRED = 'ERR_APPROVAL_REQUIRED'

/** The answer when a request of the management API is refused. */
export const ManagementError = z
  .object({
    statusCode: z.number(),
    message: z
      .union([z.string(), z.array(z.string())])
      .meta({ description: 'What was wrong; a list when the request is not as it should be.' }),
    error: z.string().meta({ description: 'The name of the status.' }),
    errorType: z
      .string()
      .exactOptional()
      .meta({
        description: `For a program to read: of a 409, what was there already; of a 403, \`${APPROVAL_REQUIRED}\` where a change request is the way.`
      })
  })
  .meta({
    id: 'ManagementError',
    example: { statusCode: 404, message: "Item with key 'new-checkot' not found", error: 'Not Found' }
  })
export type ManagementError = z.infer<typeof ManagementError>
