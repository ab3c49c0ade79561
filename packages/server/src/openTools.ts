import type { RequestListener } from 'node:http'
import type { ToolLog } from '@burgee/mcp'
import { derivedSecrets } from './auth/derivedSecrets.ts'
import { issuerOf } from './auth/issuer.ts'
import { toolsAt } from './auth/resources.ts'
import type { SigningKeys } from './auth/signingKeys.ts'
import type { ToolTokens } from './auth/toolTokens.ts'
import { ApiError } from './errors.ts'
import { inProcess } from './http/inProcess.ts'
import { createLimit, type Limit } from './http/limit.ts'
import type { AnswerTools } from './http/tools.ts'
import type { Logger } from './log.ts'
import type { Options } from './options.ts'

interface Dependencies {
  readonly options: Options
  readonly keys: SigningKeys
  readonly log: Logger
  readonly now: () => number
  readonly publicUrl: () => string
  readonly toolTokens: ToolTokens
  /** What answers the API, which the tools ask. */
  readonly listener: () => RequestListener
}

/** The tools of assistants, within this server. */
export interface Tools {
  readonly answer: AnswerTools
  /** Lets calls under way finish for a few seconds, then ends every session. */
  readonly close: () => Promise<void>
}

/** Opens the tools where the settings want them. Without them, nothing of what they take is loaded. */
export async function openTools(dependencies: Dependencies): Promise<Tools | undefined> {
  const { options, keys, log, now, publicUrl, toolTokens, listener } = dependencies
  if (!options.mcp) return undefined
  const { createToolEndpoint, exchangedTokens } = await import('@burgee/mcp')
  const limit = createLimit(options.mcpRateLimit, now, 'calls of tools')
  const endpoint = createToolEndpoint({
    context: {
      kind: 'Remote',
      api: { url: 'http://this.server.invalid', fetch: inProcess(listener) },
      get serverUrl() {
        return issuerOf(publicUrl()).slice(0, -1)
      },
      settings: settingsOf(options),
      get confirmationKey() {
        return derivedSecrets(keys, 'tool confirmation')[0]
      },
      rateLimit: (caller) => secondsToWait(limit, caller),
      log: logOf(log),
      now
    },
    resource: () => toolsAt(publicUrl()),
    authorizationServer: () => issuerOf(publicUrl()),
    verify: async (token) => {
      const { subject: id, exchange, ...bearer } = await toolTokens.verify(token)
      return { ...bearer, id, tokens: exchangedTokens(exchange, now) }
    },
    now
  })
  return { answer: endpoint.handle, close: endpoint.close }
}

function settingsOf({ mcpConfirm, mcpReadOnly, mcpCategories, mcpNoSdkKeys, dashboardUrl }: Options) {
  return {
    confirm: mcpConfirm,
    readOnly: mcpReadOnly,
    categories: mcpCategories,
    sdkKeys: !mcpNoSdkKeys,
    // Who signs in chooses one.
    project: '',
    dashboardUrl
  }
}

/** For how many seconds a caller has to wait who called too often. */
async function secondsToWait(limit: Limit, caller: string): Promise<number | undefined> {
  try {
    await limit(caller)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return Number(error.headers['retry-after'])
  }
}

function logOf(log: Logger): ToolLog {
  return {
    info: (details, message) => log.info(withoutBody(details), message),
    debug: (details, message) => log.debug(withoutBody(details), message),
    error: (details, message) => log.error(details, message)
  }
}

/** The log of a server shows nothing of what it is sent: arguments of calls are that, and messages repeat them. */
function withoutBody(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { arguments: _arguments, errorMessage: _message, ...others } = details
  return others
}
