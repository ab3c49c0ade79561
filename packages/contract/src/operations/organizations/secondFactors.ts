import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import {
  AddedSecondFactor,
  AddPasskey,
  AuthenticatorAppSecret,
  ConfirmAuthenticatorApp,
  PasskeyOptions,
  RecoveryCodes,
  SecondFactors
} from '../../schema/organizations/secondFactor.ts'
import { accessWithoutBody, selfAccess } from '../operationAccess.ts'
import { getUser } from './people.ts'

const tag = 'Own account'

/** How recently the caller must have signed in. */
const RECENT = 'Returns 403 unless the caller has signed in within the last ten minutes.'

/** List the second factors of the caller. */
export const listSecondFactors = defineOperation({
  ...selfAccess(),
  tag,
  id: 'listSecondFactors',
  summary: 'List the second factors of the caller',
  description: 'Authenticator apps and passkeys, oldest first, and the number of unused recovery codes.',
  method: 'GET',
  path: '/v1/me/second-factors',
  status: 200,
  response: SecondFactors
})

/** Start adding an authenticator app. */
export const startAuthenticatorApp = defineOperation({
  ...selfAccess(412),
  tag,
  id: 'startAuthenticatorApp',
  summary: 'Start adding an authenticator app',
  description: `Returns a key for the app (TOTP, RFC 6238). Confirm it with a code and the same access token within ten minutes. ${RECENT}`,
  method: 'POST',
  path: '/v1/me/second-factors/authenticator-app',
  accessLog: 'secretShown',
  status: 200,
  response: AuthenticatorAppSecret
})

/** Activate an authenticator app. */
export const confirmAuthenticatorApp = defineOperation({
  ...selfAccess(412, 413, 415),
  readsBody: true,
  tag,
  id: 'confirmAuthenticatorApp',
  summary: 'Activate an authenticator app',
  description: `Signing in with a password then requires a second factor. Returns ten recovery codes with the first factor. ${RECENT}`,
  method: 'POST',
  path: '/v1/me/second-factors/authenticator-app/confirmation',
  body: ConfirmAuthenticatorApp,
  accessLog: 'secretShown',
  status: 201,
  response: AddedSecondFactor
})

/** Start adding a passkey. */
export const startPasskey = defineOperation({
  ...selfAccess(412),
  tag,
  id: 'startPasskey',
  summary: 'Start adding a passkey',
  description: `Returns options for \`navigator.credentials.create\` on a page of the server's origin, for one use with the same access token within ten minutes. ${RECENT}`,
  method: 'POST',
  path: '/v1/me/second-factors/passkeys/options',
  status: 200,
  response: PasskeyOptions
})

/** Add a passkey. */
export const addPasskey = defineOperation({
  ...selfAccess(412, 413, 415),
  readsBody: true,
  tag,
  id: 'addPasskey',
  summary: 'Add a passkey',
  description: `The passkey must verify the user, and satisfies both factors. Returns ten recovery codes with the first factor. ${RECENT}`,
  method: 'POST',
  path: '/v1/me/second-factors/passkeys',
  body: AddPasskey,
  accessLog: 'secretShown',
  status: 201,
  response: AddedSecondFactor
})

/** Delete a second factor of the caller. */
export const deleteSecondFactor = defineOperation({
  ...selfAccess(404, 412),
  tag,
  id: 'deleteSecondFactor',
  summary: 'Delete a second factor of the caller',
  description: `Removing the last factor also removes the recovery codes. Returns 412 for the last factor if the organization requires one. ${RECENT}`,
  method: 'DELETE',
  path: '/v1/me/second-factors/{factor}',
  params: z.object({ factor: IdReference }),
  status: 200
})

/** Replace the recovery codes of the caller. */
export const replaceRecoveryCodes = defineOperation({
  ...selfAccess(412),
  tag,
  id: 'replaceRecoveryCodes',
  summary: 'Replace the recovery codes of the caller',
  description: `Returns ten new codes and invalidates earlier ones. Returns 412 without a second factor. ${RECENT}`,
  method: 'POST',
  path: '/v1/me/second-factors/recovery-codes',
  accessLog: 'secretShown',
  status: 200,
  response: RecoveryCodes
})

/** Remove the second factors of a user. */
export const resetSecondFactors = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag: 'People',
  id: 'resetSecondFactors',
  summary: 'Remove the second factors of a user',
  description:
    'Removes authenticator apps, passkeys and recovery codes, and revokes all sessions and tokens of the user. Returns 403 for users with permissions that the caller does not have.',
  method: 'DELETE',
  path: '/v1/organizations/current/users/{user}/second-factors',
  params: getUser.params,
  status: 200
})
