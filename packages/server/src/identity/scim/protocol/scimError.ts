import { HttpError } from '../../../lib/errors.ts'

/** The error codes of SCIM that this server uses (RFC 7644 §3.12). */
export type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** An error with a code of SCIM. */
export class ScimError extends HttpError {
  readonly scimType: ScimErrorType

  constructor(scimType: ScimErrorType, message: string) {
    super(scimType === 'uniqueness' ? 409 : 400, message)
    this.scimType = scimType
  }
}

/** The body of an error response (RFC 7644 §3.12). */
export interface ScimErrorBody {
  readonly schemas: readonly [typeof ERROR_SCHEMA]
  readonly status: string
  readonly scimType?: ScimErrorType
  readonly detail: string
}

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The media type of requests and responses (RFC 7644 §8.1). */
export const SCIM_CONTENT_TYPE = 'application/scim+json'

/** Converts an error to the format of SCIM. */
export function toScimErrorBody(error: HttpError): ScimErrorBody {
  const scimType = error instanceof ScimError ? error.scimType : generalTypes[error.status]
  return {
    schemas: [ERROR_SCHEMA],
    status: String(error.status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: error.message
  }
}

/** The codes of errors that other parts of the server throw: unreadable bodies. */
const generalTypes: Readonly<Record<number, ScimErrorType>> = { 400: 'invalidSyntax' }
