import type { Caller, McpServerContext } from '../connection/context.ts'
import type { Session } from '../connection/session.ts'
import { ToolError } from '../results/toolError.ts'
import { type CallOrigin, createApiClient } from './apiClient.ts'
import type { Call } from './call.ts'

interface CallOptions extends Omit<CallOrigin, 'tokens'> {
  readonly context: McpServerContext
  readonly caller: Caller
}

/** Creates the context of a tool or prompt call: the API client of the caller, and the project. */
export function openCall({ context, caller, ...origin }: CallOptions, projectKey?: unknown): Call {
  const { api, settings, serverUrl, now } = context
  const client = createApiClient(api, { ...origin, tokens: caller.tokens })
  // The project of the call takes precedence over the project of the session, which takes precedence over the setting.
  const key = projectKey ?? caller.session.selected ?? settings.project
  const selectedProject = typeof key === 'string' && key !== '' ? key : undefined
  const project = () => selectedProject ?? throwNoProject(caller.session)
  return { client, project, selectedProject, session: caller.session, settings, serverUrl, now }
}

/** @throws {ToolError} always. */
function throwNoProject({ isStateful }: Session): never {
  const advice = isStateful
    ? 'select one with select_project, or pass projectKey'
    : 'pass projectKey with each call; select_project without arguments lists the projects'
  throw new ToolError('PROJECT_ERROR', `no project is selected: ${advice}`)
}
