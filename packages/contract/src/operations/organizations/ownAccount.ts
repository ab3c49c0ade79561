import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { AllowedApplication, LoginSession } from '../../schema/organizations/ownAccount.ts'
import { Session } from '../../schema/organizations/session.ts'
import { selfAccess } from '../operationAccess.ts'

const tag = 'Own account'

/** Get the session of the caller. */
export const getSession = defineOperation({
  ...selfAccess(),
  tag,
  id: 'getSession',
  summary: 'Get the session of the caller',
  description:
    'Who the caller is, and the permissions in the organization and in each project that the caller can read. Accepts every valid token, including those of API clients and CI jobs. `listOwnSessions` lists the browsers in which a person is signed in.',
  method: 'GET',
  path: '/v1/session',
  status: 200,
  response: Session
})

/** List the sessions of the caller. */
export const listOwnSessions = defineOperation({
  ...selfAccess(),
  tag,
  id: 'listOwnSessions',
  summary: 'List the sessions of the caller',
  description: 'The browsers in which the caller is signed in, the latest sign-in first.',
  method: 'GET',
  path: '/v1/me/sessions',
  status: 200,
  response: z.array(LoginSession)
})

/** End a session of the caller. */
export const endOwnSession = defineOperation({
  ...selfAccess(404),
  tag,
  id: 'endOwnSession',
  summary: 'End a session of the caller',
  description: 'That browser must sign in again. Applications keep their tokens; revoke them separately.',
  method: 'DELETE',
  path: '/v1/me/sessions/{session}',
  params: z.object({ session: IdReference }),
  status: 200
})

/** List the applications of the caller. */
export const listOwnApplications = defineOperation({
  ...selfAccess(),
  tag,
  id: 'listOwnApplications',
  summary: 'List the applications of the caller',
  description: 'The applications that the caller allowed to act for them, by name.',
  method: 'GET',
  path: '/v1/me/applications',
  status: 200,
  response: z.array(AllowedApplication)
})

/** Revoke an application of the caller. */
export const revokeOwnApplication = defineOperation({
  ...selfAccess(404),
  tag,
  id: 'revokeOwnApplication',
  summary: 'Revoke an application of the caller',
  description:
    'Ends the consent and all refresh and access tokens of the application for the caller, including the token of this request if the application sent it.',
  method: 'DELETE',
  path: '/v1/me/applications/{client}',
  params: z.object({
    client: z
      .string()
      .min(1)
      .max(2048)
      .meta({ description: 'The client id of the application.', example: 'deploy-bot' })
  }),
  status: 200
})

/** Sign the caller out everywhere. */
export const signOutEverywhere = defineOperation({
  ...selfAccess(),
  tag,
  id: 'signOutEverywhere',
  summary: 'Sign the caller out everywhere',
  description:
    'Ends all sessions, consents, refresh and access tokens of the caller, including the token of this request.',
  method: 'POST',
  path: '/v1/me/sign-out',
  status: 200
})
