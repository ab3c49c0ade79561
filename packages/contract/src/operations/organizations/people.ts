import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { GrantedPermissions } from '../../schema/organizations/session.ts'
import {
  ChangePassword,
  CreatedUserAccount,
  CreateUserAccount,
  MAX_EMAIL_LENGTH,
  PasswordReset,
  ResetPassword,
  UpdateUserAccount,
  UserAccount
} from '../../schema/organizations/userAccount.ts'
import { accessWithBody, accessWithoutBody, selfAccess } from '../operationAccess.ts'

const tag = 'People'
const params = z.object({
  user: z
    .string()
    .min(1)
    .max(MAX_EMAIL_LENGTH)
    .meta({ description: 'Id, user id or e-mail address of the user.', example: 'ada@example.com' })
})

/** Create a user. */
export const createUser = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 409, 412),
  tag,
  id: 'createUser',
  summary: 'Create a user',
  description:
    'The user must change the password at the first sign-in. Returns 403 if the caller grants permissions that they do not have. While passwords are disabled, the user has none. Returns 412 if a password is given, or if there is no identity provider.',
  method: 'POST',
  path: '/v1/organizations/current/users',
  body: CreateUserAccount,
  accessLog: 'secretShown',
  status: 201,
  response: CreatedUserAccount
})

/** List users. */
export const listUsers = defineOperation({
  ...accessWithoutBody('organization:read:members'),
  tag,
  id: 'listUsers',
  summary: 'List users',
  method: 'GET',
  path: '/v1/organizations/current/users',
  query: Pagination.pick({ page: true, perPage: true, sortBy: true, sortOrder: true, search: true }),
  status: 200,
  response: z.array(UserAccount),
  responseKind: 'list'
})

/** Get a user. */
export const getUser = defineOperation({
  ...accessWithoutBody('organization:read:members', 404),
  tag,
  id: 'getUser',
  summary: 'Get a user',
  method: 'GET',
  path: '/v1/organizations/current/users/{user}',
  params,
  status: 200,
  response: UserAccount
})

/** Get the permissions of a user. */
export const getUserPermissions = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'getUserPermissions',
  summary: 'Get the permissions of a user',
  description:
    'What the user may do at present, by roles granted in Burgee and by groups, in the mode of the organization. A disabled user has none. API clients can limit it further.',
  method: 'GET',
  path: '/v1/organizations/current/users/{user}/permissions',
  params,
  status: 200,
  response: GrantedPermissions
})

/** Update a user. */
export const updateUser = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 409, 412),
  tag,
  id: 'updateUser',
  summary: 'Update a user',
  description:
    'Disabling a user revokes all tokens of the user immediately. Callers cannot change users with permissions that they do not have, or disable themselves. Returns 409 if no enabled user with `organization:write:settings` would remain.',
  method: 'PATCH',
  path: '/v1/organizations/current/users/{user}',
  params,
  body: UpdateUserAccount,
  status: 200,
  response: UserAccount
})

/** Reset the password of a user. */
export const resetPassword = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 412),
  tag,
  id: 'resetPassword',
  summary: 'Reset the password of a user',
  description:
    'The user must change the password at the next sign-in. All sessions and tokens of the user are revoked. Returns 412 while passwords are disabled, and for a user who signs in through the identity provider.',
  method: 'POST',
  path: '/v1/organizations/current/users/{user}/password',
  params,
  body: ResetPassword,
  accessLog: 'secretShown',
  status: 200,
  response: PasswordReset
})

/** Sign a user out everywhere. */
export const signOutUser = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'signOutUser',
  summary: 'Sign a user out everywhere',
  description:
    'Ends all sessions, consents, refresh and access tokens of the user immediately. Callers cannot sign out users with permissions that they do not have.',
  method: 'POST',
  path: '/v1/organizations/current/users/{user}/sign-out',
  params,
  status: 200
})

/** Change the password of the caller. */
export const changePassword = defineOperation({
  ...selfAccess(412, 413, 415, 429),
  readsBody: true,
  tag,
  id: 'changePassword',
  summary: 'Change the password of the caller',
  description:
    'Revokes all sessions and tokens of the caller, including the token of this request. Returns 403 if the current password is wrong, and 412 if the caller has no password or passwords are disabled.',
  method: 'PUT',
  path: '/v1/organizations/current/password',
  body: ChangePassword,
  status: 200
})
