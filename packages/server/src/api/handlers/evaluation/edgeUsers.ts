import { formatValue } from '@burgee/kit/text'
import type { ApplicationUsers } from '../../../flags/applicationUsers/applicationUsers.ts'
import { badRequest } from '../../../lib/errors.ts'
import type { Handlers } from '../shared/handler.ts'
import { parseCustomData } from './resolveUser.ts'

interface Dependencies {
  readonly applicationUsers: Pick<ApplicationUsers, 'saveProperties'>
}

/** Handlers of edge data: user attributes that the server stores and merges into later evaluations. */
export function edgeUsers({ applicationUsers }: Dependencies): Pick<Handlers, 'updateEdgeUser'> {
  return {
    updateEdgeUser: async ({ params, body }, caller, { network }) => {
      const { project } = caller
      const { user_id } = params
      if (body.user_id !== user_id) {
        throw badRequest(`user_id should be ${formatValue(user_id)} as in the path, got ${formatValue(body.user_id)}`)
      }
      if (!project.settings.edgeDB.enabled) {
        throw badRequest(`project "${project.key}" does not store user data: its setting edgeDB is off`)
      }
      const customData = parseCustomData(body.customData)
      await applicationUsers.saveProperties({ caller, network }, user_id, {
        ...omitNull({
          email: body.email,
          name: body.name,
          language: firstCode(body.language),
          country: firstCode(body.country),
          lastSeenDate: toEpoch(body.lastSeenDate)
        }),
        ...(customData ? { customData } : {})
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
