import type { ScimToken } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { createdBy } from '../../../access/createdBy.ts'
import { createScimToken } from '../../../identity/scim/tokens/createScimToken.ts'
import { removeScimToken } from '../../../identity/scim/tokens/removeScimToken.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredScimToken } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
}

/** Handlers of the tokens of SCIM clients. */
export function scimTokens({
  store,
  edit,
  ids
}: Dependencies): Pick<Handlers, 'createScimToken' | 'listScimTokens' | 'deleteScimToken'> {
  return {
    createScimToken: async ({ body }, caller) => {
      const secret = ids.scimToken()
      const token = await edit(caller, (change) => createScimToken(change, body, secret))
      return { ...toScimToken(token), secret }
    },

    listScimTokens: async ({ query }, caller) => {
      const page = toListQuery<StoredScimToken>(query, { _organization: caller.organization }, ['name'])
      const { items, count } = await store.collection('scimTokens').list(page)
      return { items: items.map(toScimToken), count }
    },

    deleteScimToken: async ({ params }, caller) => {
      await edit(caller, (change) => removeScimToken(change, params.token))
    }
  }
}

/** Converts a SCIM token to the API form, without its digest. */
function toScimToken(token: StoredScimToken): ScimToken {
  const { _id, createdAt, updatedAt, name, expiresAt, lastUsedAt } = token
  return { _id, createdAt, updatedAt, name, ...omitUndefined({ expiresAt, lastUsedAt }), _createdBy: createdBy(token) }
}
