import { operations } from '@burgee/contract'
import {
  completable,
  type GetPromptResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { messageOf } from '../answers/failure.ts'
import { assistantIn } from '../api/connection.ts'
import { openCall } from '../api/openCall.ts'
import { demandRate } from '../demandRate.ts'
import { challengeOf } from '../http/challengeOf.ts'
import type { Caller, Service } from '../service.ts'
import type { Tool } from '../tool.ts'
import { cleanupGuide } from './cleanupGuide.ts'
import { completeGuide } from './completeGuide.ts'
import { installGuide } from './installGuide.ts'
import { installGuideIds } from './installGuides.ts'

/** Where prompts are asked for, and by whom. */
export interface Place {
  readonly service: Service
  readonly caller: Caller
}

/** The tools that answer guides, those of them that are offered. */
export interface GuideTools {
  readonly install: Tool | undefined
  readonly cleanup: Tool | undefined
}

/** Offers the guides as prompts, which a person begins a conversation with. */
export function registerPrompts(server: McpServer, place: Place, { install, cleanup }: GuideTools): void {
  if (install) registerInstall(server, place.service)
  if (cleanup) registerCleanup(server, place, cleanup)
}

function registerInstall(server: McpServer, { serverUrl, settings }: Service): void {
  const guide = completable(
    z.enum(installGuideIds).meta({ description: 'Id of the guide, as in nodejs.' }),
    completeGuide
  )
  const said = { title: 'Install an SDK', description: 'Installs an SDK in the project that is open.' }
  server.registerPrompt('install-sdk', { ...said, argsSchema: z.object({ guide }) }, async ({ guide }) => {
    return spoken(await installGuide(guide, { serverUrl, settings }))
  })
}

function registerCleanup(server: McpServer, place: Place, tool: Tool): void {
  const { feature } = operations.getFeature.params.shape
  const featureKey = completable(feature.meta({ description: 'Key of the feature.' }), (begun) => {
    return completeFeature(begun, place)
  })
  const said = { title: 'Clean up a feature flag', description: 'Removes a feature and its variables from the code.' }
  const config = { ...said, ...challengeOf(tool), argsSchema: z.object({ featureKey }) }
  server.registerPrompt('cleanup-feature', config, async ({ featureKey }, context) => {
    const { service, caller } = place
    const assistant = assistantIn({ server, context })
    const call = openCall({ ...place, toolName: 'cleanup_feature', assistant, signal: context.mcpReq.signal })
    try {
      await demandRate(service, caller)
      return spoken(await cleanupGuide(featureKey, call))
    } catch (error) {
      // A prompt has no errors of its own.
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, messageOf(error))
    }
  })
}

/** How long somebody who types waits for suggestions, in milliseconds. */
const PATIENCE_MS = 3_000

/** The shortest text that the API searches for. */
const SEARCHED = 3

/** The keys of features of the chosen project that begin with a text, or else have it in them; none where they cannot be read. */
async function completeFeature(begun: string, place: Place): Promise<string[]> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const { client, project } = openCall({ ...place, toolName: 'cleanup_feature', assistant: undefined, signal })
  try {
    await demandRate(place.service, place.caller)
    const search = begun.length >= SEARCHED ? { search: begun } : {}
    const features = await client.listFeatures({ params: { project: project() }, query: { perPage: 100, ...search } })
    const keys = features.map(({ key }) => key).filter((key) => key.includes(begun.toLowerCase()))
    return keys.sort((one, other) => Number(other.startsWith(begun)) - Number(one.startsWith(begun)))
  } catch {
    // Somebody types on without suggestions; the call itself says what is wrong.
    return []
  }
}

function spoken(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
