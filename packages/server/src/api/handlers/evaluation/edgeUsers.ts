import { MAX_CUSTOM_DATA_LENGTH } from '@burgee/contract/schemas'
import type { CustomData } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { newRecordFields } from '../../../storage/newRecordFields.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { parseCustomData } from './resolveUser.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Handlers of edge data: user attributes that the server stores and merges into later evaluations. */
export function edgeUsers({ store, ids, now }: Dependencies): Pick<Handlers, 'updateEdgeUser'> {
  return {
    updateEdgeUser: async ({ params, body }, { project }) => {
      const { user_id } = params
      if (body.user_id !== user_id) {
        throw badRequest(`user_id should be ${formatValue(user_id)} as in the path, got ${formatValue(body.user_id)}`)
      }
      if (!project.settings.edgeDB.enabled) {
        throw badRequest(`project "${project.key}" does not store user data: its setting edgeDB is off`)
      }
      const fields = newRecordFields(now(), ids)
      await store.transaction(async (transaction) => {
        const users = transaction.collection('edgeUsers')
        const stored = await users.get({ _project: project._id, user_id })
        const members = {
          ...omitNull({
            email: body.email,
            name: body.name,
            language: firstCode(body.language),
            country: firstCode(body.country),
            lastSeenDate: toEpoch(body.lastSeenDate)
          }),
          customData: joinCustomData(stored?.customData, parseCustomData(body.customData)),
          updatedAt: fields.updatedAt
        }
        if (stored) await users.update(stored._id, members)
        else await users.insert({ ...fields, _project: project._id, user_id, ...members })
      })
      return { message: `Data of user "${user_id}" saved` }
    }
  }
}

/** Drops members that are null or undefined. */
function omitNull<T extends Record<string, unknown>>(members: T): { [M in keyof T]?: NonNullable<T[M]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined && value !== null)
  // The entries are members of the argument without `null` and `undefined`.
  return Object.fromEntries(entries) as { [M in keyof T]?: NonNullable<T[M]> }
}

/** Returns a code, or the first code of an object of codes. */
function firstCode(code: string | Readonly<Record<string, string>> | null | undefined): string | undefined {
  return typeof code === 'string' ? code : Object.values(code ?? {})[0]
}

function toEpoch(moment: number | string | null | undefined): number | undefined {
  if (!moment) return undefined
  const epoch = Number(moment)
  return Number.isFinite(epoch) ? epoch : Date.parse(String(moment))
}

/** Merges attributes as a merge patch (RFC 7396): `null` removes one. */
function joinCustomData(stored: CustomData | undefined, patch: CustomData | undefined): CustomData {
  const joined = Object.fromEntries(Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null))
  const { length } = JSON.stringify(joined)
  if (length <= MAX_CUSTOM_DATA_LENGTH) return joined
  throw badRequest(
    `customData would have ${length} characters of JSON together with the stored data; it should have at most ${MAX_CUSTOM_DATA_LENGTH}`
  )
}
