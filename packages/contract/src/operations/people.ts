import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Pagination } from '../schema/pagination.ts'
import {
  ChangePassword,
  CreatedUserAccount,
  CreateUserAccount,
  MAX_EMAIL_LENGTH,
  PasswordReset,
  ResetPassword,
  UpdateUserAccount,
  UserAccount
} from '../schema/userAccount.ts'
import { readAccess, writeAccess } from './operationAccess.ts'

const tag = 'People'
const params = z.object({
  user: z.string().min(1).max(MAX_EMAIL_LENGTH).meta({ description: 'Id, user id or e-mail address of the person.' })
})

/** A new person. */
export const createUser = defineOperation({
  ...writeAccess('organization:write:settings', 404, 409),
  tag,
  id: 'createUser',
  summary: 'Add a person',
  description:
    'Beyond the specification. The password is theirs until they first sign in. Nobody grants more than they may do themselves: that answers 403.',
  method: 'POST',
  path: '/v1/organizations/current/users',
  body: CreateUserAccount,
  status: 201,
  response: CreatedUserAccount
})

/** The people of the organization. */
export const listUsers = defineOperation({
  ...readAccess('organization:read:members'),
  tag,
  id: 'listUsers',
  summary: 'List the people of the organization',
  description: 'Beyond the specification.',
  method: 'GET',
  path: '/v1/organizations/current/users',
  query: Pagination.pick({ page: true, perPage: true, sortBy: true, sortOrder: true, search: true }),
  status: 200,
  response: z.array(UserAccount),
  responseKind: 'list'
})

/** One person. */
export const getUser = defineOperation({
  ...readAccess('organization:read:members', 404),
  tag,
  id: 'getUser',
  summary: 'Get a person',
  description: 'Beyond the specification.',
  method: 'GET',
  path: '/v1/organizations/current/users/{user}',
  params,
  status: 200,
  response: UserAccount
})

/** Changes of a person. */
export const updateUser = defineOperation({
  ...writeAccess('organization:write:settings', 404, 412),
  tag,
  id: 'updateUser',
  summary: 'Change a person: their name, their roles, whether they are disabled',
  description:
    'Beyond the specification. Disabling voids all of their tokens at once. Nobody changes somebody who may do more than they themselves, or disables themselves.',
  method: 'PATCH',
  path: '/v1/organizations/current/users/{user}',
  params,
  body: UpdateUserAccount,
  status: 200,
  response: UserAccount
})

/** Another password for a person. */
export const resetPassword = defineOperation({
  ...writeAccess('organization:write:settings', 404),
  tag,
  id: 'resetPassword',
  summary: 'Give a person another password',
  description:
    'Beyond the specification. They choose one of their own when they next sign in; what they were signed in to before is void.',
  method: 'POST',
  path: '/v1/organizations/current/users/{user}/password',
  params,
  body: ResetPassword,
  status: 200,
  response: PasswordReset
})

/** The caller's own password. */
export const changePassword = defineOperation({
  ...writeAccess('organization:read:settings', 412, 429),
  tag,
  id: 'changePassword',
  summary: "Change the caller's own password",
  description:
    'Beyond the specification. What they were signed in to before is void, this token too. Answers 403 when the current password is not right, 412 to callers who have none.',
  method: 'PUT',
  path: '/v1/organizations/current/password',
  body: ChangePassword,
  status: 200
})
