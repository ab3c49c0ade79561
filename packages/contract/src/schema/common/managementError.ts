import { z } from 'zod'
import { type ErrorType, errorTypes } from '../../errorType.ts'
import { PermissionName } from '../organizations/roleGrant.ts'
import { DateTime, Id, UserReference } from './fields.ts'

// The keys of the table are the error types.
const names = Object.keys(errorTypes) as ErrorType[]

/** A problem of one member of a request. */
export const RequestIssue = z
  .object({
    in: z.enum(['path', 'query', 'headers', 'body']),
    path: z.array(z.union([z.string(), z.int()])).meta({
      description: 'The member and, in lists, the index from 0. Empty if the part as a whole is wrong.'
    }),
    message: z.string()
  })
  .meta({
    id: 'RequestIssue',
    example: { in: 'body', path: ['name'], message: 'name should be a string, got nothing' }
  })
export type RequestIssue = z.infer<typeof RequestIssue>

/** A change of a resource since the revision that a request required. */
export const RevisionChange = z
  .object({
    _id: Id.meta({ description: 'The audit entry.' }),
    date: DateTime,
    idp_user: UserReference,
    types: z.array(z.string()).meta({ description: 'The types of the changes, as in the audit log.' })
  })
  .meta({
    id: 'RevisionChange',
    example: {
      _id: '65f1b2c3d4e5f60718293a4b',
      date: '2026-03-01T12:00:00.000Z',
      idp_user: 'ada',
      types: ['modifiedFeature']
    }
  })
export type RevisionChange = z.infer<typeof RevisionChange>

/** The body of an error response of the management API. */
export const ManagementError = z
  .object({
    statusCode: z.number(),
    message: z
      .union([z.string(), z.array(z.string())])
      .meta({ description: 'The problem in English; for 400, a list of all problems of the request.' }),
    error: z.string().meta({ description: 'The name of the status.' }),
    issues: z.array(RequestIssue).exactOptional().meta({
      description:
        'For 400, the problems in `message` whose member is known. Absent if none is, for example if the body is not JSON.'
    }),
    errorType: z
      .enum(names)
      .exactOptional()
      .meta({ description: ['The cause, for programs:', ...names.map(describeErrorType)].join('\n') }),
    missingPermission: PermissionName.exactOptional().meta({
      description: 'For 403, the permission that the caller or the scope of the token lacks.'
    }),
    current: z.string().exactOptional().meta({ description: 'For `ERR_REVISION`, the current revision.' }),
    since: z.array(RevisionChange).exactOptional().meta({
      description:
        'For `ERR_REVISION`, the changes since the required revision, the newest first, at most five. Absent if the caller may not read the resource.'
    })
  })
  .meta({
    id: 'ManagementError',
    example: { statusCode: 404, message: "Item with key 'new-checkot' not found", error: 'Not Found' }
  })
export type ManagementError = z.infer<typeof ManagementError>

function describeErrorType(name: ErrorType): string {
  const { status, meaning } = errorTypes[name]
  return `- \`${name}\` (${status}): ${meaning}`
}
