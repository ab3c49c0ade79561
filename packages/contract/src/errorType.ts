/**
 * The values of `errorType` in error responses of the management API, with their status and meaning. They are stable;
 * messages are for people and can change. See docs/reference/management.md#errors.
 */
export const errorTypes = {
  ERR_APPROVAL_REQUIRED: { status: 403, meaning: 'The change needs a change request that another person approves.' },
  ERR_CODE_USAGES: { status: 409, meaning: 'Code still reads variables of the feature that the request completes.' },
  ERR_DUPE_AUDIENCE_KEY: { status: 409, meaning: 'Another audience of the project has this key.' },
  ERR_DUPE_CLIENT_CLIENT_ID: { status: 409, meaning: 'Another API client has this client id.' },
  ERR_DUPE_CUSTOM_PROPERTY_KEY: { status: 409, meaning: 'Another custom property of the project has this key.' },
  ERR_DUPE_CUSTOM_PROPERTY_PROPERTY_KEY: {
    status: 409,
    meaning: 'Another custom property of the project has this `propertyKey`.'
  },
  ERR_DUPE_ENVIRONMENT_KEY: { status: 409, meaning: 'Another environment of the project has this key.' },
  ERR_DUPE_FEATURE_KEY: { status: 409, meaning: 'Another feature of the project has this key.' },
  ERR_DUPE_ISSUE_LINK_ISSUE_ID: { status: 409, meaning: 'The feature is linked to this issue already.' },
  ERR_DUPE_METRIC_ASSOCIATION: { status: 409, meaning: 'The metric is associated with this feature already.' },
  ERR_DUPE_METRIC_KEY: { status: 409, meaning: 'Another metric of the project has this key.' },
  ERR_DUPE_PROFILE_SVC_USER_ID: { status: 409, meaning: 'Another member has this `svcUserId` in the project.' },
  ERR_DUPE_PROJECT_KEY: { status: 409, meaning: 'Another project has this key.' },
  ERR_DUPE_USER_EMAIL: { status: 409, meaning: 'Another user of the organization has this e-mail address.' },
  ERR_DUPE_VARIABLE_KEY: { status: 409, meaning: 'Another variable of the project has this key.' },
  ERR_DUPE_VARIATION_KEY: { status: 409, meaning: 'Another variation of the feature has this key.' },
  ERR_DUPE_WEBHOOK_URL: { status: 409, meaning: 'Another webhook of the project has this URL and feature.' },
  ERR_EFFECT_CHANGED: {
    status: 409,
    meaning: 'The change request would have another effect now than when it was created.'
  },
  ERR_FEATURE_CHANGED: {
    status: 409,
    meaning: 'The feature has changed since the change request or the preview was created.'
  },
  ERR_FEATURE_UNCHANGED: {
    status: 409,
    meaning: 'The feature has not changed since the change request was created, so there is nothing to rebase.'
  },
  ERR_REVISION: { status: 412, meaning: 'The resource has another revision than `If-Match` requires.' }
} as const satisfies Readonly<Record<string, { readonly status: number; readonly meaning: string }>>

/** A value of `errorType`. */
export type ErrorType = keyof typeof errorTypes

/** Whether a value is one of the error types that this version knows. */
export function isErrorType(value: unknown): value is ErrorType {
  return typeof value === 'string' && Object.hasOwn(errorTypes, value)
}
