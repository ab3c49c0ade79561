import { operations } from '@burgee/contract'
import {
  completable,
  type GetPromptResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { rateLimit } from '../access/rateLimit.ts'
import { scopeChallenge } from '../access/scopeChallenge.ts'
import { assistantName } from '../api/clientInfo.ts'
import { openCall } from '../api/openCall.ts'
import type { Caller, McpServerContext } from '../connection/context.ts'
import { messageOf } from '../results/toolFailure.ts'
import type { Tool } from '../tool.ts'
import { cleanupGuide } from './cleanupGuide.ts'
import { installGuide } from './installGuide.ts'
import { completeGuide, installGuideIds } from './installGuides.ts'

export interface PromptContext {
  readonly context: McpServerContext
  readonly caller: Caller
}

/** The tools that return guides, if they are enabled. */
export interface GuideTools {
  readonly install: Tool | undefined
  readonly cleanup: Tool | undefined
}

/** Registers the guides as prompts. */
export function registerPrompts(server: McpServer, prompts: PromptContext, { install, cleanup }: GuideTools): void {
  if (install) registerInstall(server, prompts.context)
  if (cleanup) registerCleanup(server, prompts, cleanup)
}

function registerInstall(server: McpServer, { serverUrl, settings }: McpServerContext): void {
  const guide = completable(
    z.enum(installGuideIds).meta({ description: 'Id of the guide, such as nodejs.' }),
    completeGuide
  )
  const metadata = { title: 'Install an SDK', description: 'Installs an SDK in the project that is open.' }
  server.registerPrompt('install-sdk', { ...metadata, argsSchema: z.object({ guide }) }, async ({ guide }) => {
    return toPrompt(await installGuide(guide, { serverUrl, settings }))
  })
}

function registerCleanup(server: McpServer, prompts: PromptContext, tool: Tool): void {
  const { feature } = operations.getFeature.params.shape
  const featureKey = completable(feature.meta({ description: 'Key of the feature.' }), (prefix) => {
    return completeFeature(prefix, prompts)
  })
  const metadata = {
    title: 'Clean up a feature flag',
    description: 'Removes a feature and its variables from the code.'
  }
  const config = { ...metadata, ...scopeChallenge(tool), argsSchema: z.object({ featureKey }) }
  server.registerPrompt('cleanup-feature', config, async ({ featureKey }, request) => {
    const { context, caller } = prompts
    const assistant = assistantName({ server, request })
    const call = openCall({ ...prompts, toolName: 'cleanup_feature', assistant, signal: request.mcpReq.signal })
    try {
      await rateLimit(context, caller)
      return toPrompt(await cleanupGuide(featureKey, call))
    } catch (error) {
      // Prompts have no error results, unlike tools.
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, messageOf(error))
    }
  })
}

/** The timeout of completions, in milliseconds: they are requested while a person types. */
const COMPLETION_TIMEOUT_MS = 3_000

/** The shortest search text that the API accepts. */
const MIN_SEARCH = 3

/** Completes the key of a feature in the selected project; keys that start with the text come first. */
async function completeFeature(prefix: string, prompts: PromptContext): Promise<string[]> {
  const signal = AbortSignal.timeout(COMPLETION_TIMEOUT_MS)
  const { client, project } = openCall({ ...prompts, toolName: 'cleanup_feature', assistant: undefined, signal })
  try {
    await rateLimit(prompts.context, prompts.caller)
    const search = prefix.length >= MIN_SEARCH ? { search: prefix } : {}
    const features = await client.listFeatures({ params: { project: project() }, query: { perPage: 100, ...search } })
    const keys = features.map(({ key }) => key).filter((key) => key.includes(prefix.toLowerCase()))
    return keys.sort((a, b) => Number(b.startsWith(prefix)) - Number(a.startsWith(prefix)))
  } catch {
    // Completions are optional; the prompt itself reports errors.
    return []
  }
}

function toPrompt(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
