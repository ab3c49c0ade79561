import type { CreateUserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { EditRunner } from '../../../access/audit/edit.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { canSeePersonalData } from '../../../access/permissions/personalData.ts'
import { listOwnApplications, revokeOwnApplication } from '../../../identity/account/applications.ts'
import { getSession } from '../../../identity/account/getSession.ts'
import { getUserPermissions } from '../../../identity/account/grantedPermissions.ts'
import { endOwnSession, listOwnSessions } from '../../../identity/account/sessions.ts'
import { signOutEverywhere, signOutUser } from '../../../identity/account/signOut.ts'
import { changePassword } from '../../../identity/people/changePassword.ts'
import { createUser } from '../../../identity/people/createUser.ts'
import { getUser, getVisibleUser } from '../../../identity/people/getUser.ts'
import { prepareAssignedPassword } from '../../../identity/people/prepareAssignedPassword.ts'
import { resetPassword } from '../../../identity/people/resetPassword.ts'
import { signsInThroughProvider } from '../../../identity/people/signsInThroughProvider.ts'
import { toUserAccount } from '../../../identity/people/toUserAccount.ts'
import { updateUser } from '../../../identity/people/updateUser.ts'
import { createLimitedVerification } from '../../../identity/secrets/limitedVerification.ts'
import type { SecretHasher } from '../../../identity/secrets/secretHash.ts'
import { preconditionFailed } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredUser } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly hasher: SecretHasher
  readonly now: () => number
  readonly signIn: SignInSettings
  readonly serverVersion: string
  /** Whether the demo project exists. */
  readonly isDemo: boolean
  /** Whether assistants can connect at `/mcp`. */
  readonly isToolServer: boolean
  /** The public URL of the server, if it is known. */
  readonly publicUrl: () => string | undefined
}

/** How people sign in. */
export interface SignInSettings {
  /** Whether people can sign in with a password. */
  readonly hasPasswords: boolean
  /** The issuer of the identity provider, if configured. */
  readonly issuer: string | undefined
  /** The name of the identity provider, if configured. */
  readonly name: string | undefined
}

type Operations =
  | 'createUser'
  | 'listUsers'
  | 'getUser'
  | 'getUserPermissions'
  | 'updateUser'
  | 'resetPassword'
  | 'signOutUser'
  | 'changePassword'
  | 'getSession'
  | 'listOwnSessions'
  | 'endOwnSession'
  | 'listOwnApplications'
  | 'revokeOwnApplication'
  | 'signOutEverywhere'

/** Handlers of the people of an organization, their passwords, and their own accounts. */
export function people(dependencies: Dependencies): Pick<Handlers, Operations> {
  const { store, edit, ids, hasher, signIn } = dependencies
  const assertPasswords = () => {
    if (!signIn.hasPasswords) throw preconditionFailed('passwords are disabled on this server (BURGEE_PASSWORDS)')
  }
  const createWithoutPassword = (body: CreateUserAccount, caller: TokenCaller) => {
    if (body.password !== undefined) assertPasswords()
    if (signIn.issuer === undefined) {
      throw preconditionFailed(
        'the user could not sign in: passwords are disabled (BURGEE_PASSWORDS), and there is no identity provider'
      )
    }
    return edit(caller, (change) => createUser(change, body, undefined))
  }
  const verifyLimited = createLimitedVerification(0)
  return {
    createUser: async ({ body }, caller) => {
      if (!signIn.hasPasswords) return toUserAccount(await createWithoutPassword(body, caller), caller)
      const { hashed, generated } = await prepareAssignedPassword(body.password, body, {
        ids,
        hasher,
        caller: caller.id
      })
      const user = await edit(caller, (change) => createUser(change, body, hashed))
      return { ...toUserAccount(user, caller), ...toPasswordMember(generated) }
    },

    listUsers: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      // Search only the members that the caller can see.
      const page = toListQuery<StoredUser>(query, where, canSeePersonalData(caller) ? ['name', 'email'] : ['name'])
      const { items, count } = await store.collection('users').list(page)
      return { items: items.map((user) => toUserAccount(user, caller)), count }
    },

    getUser: async ({ params }, caller) => toUserAccount(await getVisibleUser(store, params.user, caller), caller),

    getUserPermissions: ({ params }, caller) => getUserPermissions(store, caller, params.user),

    updateUser: async ({ params, body }, caller) => {
      return toUserAccount(await edit(caller, (change) => updateUser(change, params.user, body)), caller)
    },

    resetPassword: async ({ params, body }, caller) => {
      assertPasswords()
      const user = await getUser(store, params.user, caller)
      if (signsInThroughProvider(user, signIn.issuer)) {
        throw preconditionFailed(`${user.email} signs in through the identity provider, and cannot use a password`)
      }
      const { hashed, generated } = await prepareAssignedPassword(body.password, user, {
        ids,
        hasher,
        caller: caller.id
      })
      await edit(caller, (change) => resetPassword(change, user._id, hashed))
      return toPasswordMember(generated)
    },

    signOutUser: ({ params }, caller) => signOutUser(dependencies, caller, params.user),

    changePassword: async ({ body }, caller) => {
      assertPasswords()
      await changePassword({ store, edit, hasher, verifyLimited }, caller, body)
    },

    getSession: async (_, caller) => {
      const { serverVersion: version, isDemo, isToolServer, publicUrl } = dependencies
      const address = publicUrl()
      const optional = omitUndefined({
        publicUrl: address && withoutTrailingSlashes(address),
        signInName: signIn.name
      })
      return { ...(await getSession(store, caller)), server: { version, isDemo, isToolServer, ...optional } }
    },

    listOwnSessions: (_, caller) => listOwnSessions(dependencies, caller),

    endOwnSession: ({ params }, caller) => endOwnSession(dependencies, caller, params.session),

    listOwnApplications: (_, caller) => listOwnApplications(dependencies, caller),

    revokeOwnApplication: ({ params }, caller) => revokeOwnApplication(dependencies, caller, params.client),

    signOutEverywhere: (_, caller) => signOutEverywhere(dependencies, caller)
  }
}

/** Returns a generated password. It is part of this response only. */
function toPasswordMember(generated: string | undefined): { readonly password?: string } {
  return generated === undefined ? {} : { password: generated }
}
