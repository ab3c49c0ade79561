import { ToolError } from '../answers/toolError.ts'
import type { Caller, Service } from '../service.ts'
import type { Session } from '../session.ts'
import { connect, type Purpose } from './api.ts'
import type { Call } from './call.ts'

/** Who wants what of the API: everything about a call but its arguments. */
export type Occasion = Omit<Purpose, 'tokens'> & { readonly service: Service; readonly caller: Caller }

/** What a tool, or a prompt, works with: the API for this caller, and the project that is meant. */
export function openCall({ service, caller, ...purpose }: Occasion, projectKey?: unknown): Call {
  const { api, settings, serverUrl, now } = service
  const client = connect(api, { ...purpose, tokens: caller.tokens })
  const chosen = chosenIn(projectKey, { caller, service })
  const project = () => chosen ?? noneChosen(caller.session)
  return { client, project, chosen, session: caller.session, settings, serverUrl, now }
}

/** The project that the call names, else the one of the session, else the one of the settings (`mcp.md` §3). */
function chosenIn(projectKey: unknown, { caller, service }: Pick<Occasion, 'caller' | 'service'>): string | undefined {
  const key = projectKey ?? caller.session.selected ?? service.settings.project
  return typeof key === 'string' && key !== '' ? key : undefined
}

/** @throws {ToolError} always */
function noneChosen({ isKept }: Session): never {
  const remembered = isKept
    ? 'select one with select_project, or pass projectKey'
    : 'pass projectKey with each call; select_project without arguments lists the projects'
  throw new ToolError('PROJECT_ERROR', `no project is chosen: ${remembered}`)
}
