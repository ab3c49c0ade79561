import type { MakeEdit } from '../audit/edit.ts'
import type { Ids } from '../id.ts'
import { addUser } from '../people/addUser.ts'
import { changePassword } from '../people/changePassword.ts'
import { changeUser } from '../people/changeUser.ts'
import { choosePassword } from '../people/choosePassword.ts'
import { findUser } from '../people/findUser.ts'
import { resetPassword } from '../people/resetPassword.ts'
import { toUserAccount } from '../people/toUserAccount.ts'
import type { Attempts } from '../secrets/attempts.ts'
import type { StoredUser } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly attempts: Attempts
}

type Operations = 'createUser' | 'listUsers' | 'getUser' | 'updateUser' | 'resetPassword' | 'changePassword'

/** Keeps the people of an organization, and their passwords. */
export function people({ store, edit, ids, attempts }: Dependencies): Pick<Handlers, Operations> {
  return {
    createUser: async ({ body }, caller) => {
      const { prepared, madeUp } = await choosePassword(body.password, body, ids)
      const user = await edit(caller, (change) => addUser(change, body, prepared))
      return { ...toUserAccount(user), ...told(madeUp) }
    },

    listUsers: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      const page = pageOf<StoredUser>(query, where, ['name', 'email'])
      const { items, count } = await store.collection('users').list(page)
      return { items: items.map(toUserAccount), count }
    },

    getUser: async ({ params }, caller) => toUserAccount(await findUser(store, params.user, caller)),

    updateUser: async ({ params, body }, caller) => {
      return toUserAccount(await edit(caller, (change) => changeUser(change, params.user, body)))
    },

    resetPassword: async ({ params, body }, caller) => {
      const user = await findUser(store, params.user, caller)
      const { prepared, madeUp } = await choosePassword(body.password, user, ids)
      await edit(caller, (change) => resetPassword(change, user._id, prepared))
      return told(madeUp)
    },

    changePassword: ({ body }, caller) => changePassword({ store, edit, attempts }, caller, body)
  }
}

/** A password that was made up is told this once. */
function told(madeUp: string | undefined): { readonly password?: string } {
  return madeUp === undefined ? {} : { password: madeUp }
}
