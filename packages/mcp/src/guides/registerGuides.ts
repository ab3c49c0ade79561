import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { McpServerContext } from '../connection/context.ts'
import type { Tool } from '../tool.ts'
import { generalCleanupGuide } from './cleanupGuide.ts'
import { installGuide } from './installGuide.ts'
import { completeGuide, type InstallGuide, installGuideIds, installGuides } from './installGuides.ts'
import { type PromptContext, registerPrompts } from './registerPrompts.ts'

/** Registers the guides as resources and prompts if the tools that return them are enabled. */
export function registerGuides(server: McpServer, prompts: PromptContext, enabled: readonly Tool[]): void {
  const find = (toolName: string) => enabled.find(({ name }) => name === toolName)
  const tools = { install: find('install_service_sdk'), cleanup: find('cleanup_feature') }
  if (tools.install) registerInstallGuides(server, prompts.context)
  if (tools.cleanup) registerCleanupGuide(server, prompts.context)
  registerPrompts(server, prompts, tools)
}

/** Guides change only with the version of this package. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const

const mimeType = 'text/markdown'

function registerInstallGuides(server: McpServer, { serverUrl, settings }: McpServerContext): void {
  const resources = installGuideIds.map((id) => ({
    uri: `guide://install/${id}`,
    name: id,
    ...describe(id),
    mimeType
  }))
  const template = new ResourceTemplate('guide://install/{id}', {
    list: () => ({ resources }),
    complete: { id: completeGuide }
  })
  const metadata = { title: 'Install an SDK', description: 'Instructions to install an SDK.', mimeType, cacheHint }
  server.registerResource('install-guide', template, metadata, async ({ href }, { id }) => {
    const known = installGuideIds.find((each) => each === id)
    if (!known) throw new ResourceNotFoundError(href)
    return { contents: [{ uri: href, mimeType, text: await installGuide(known, { serverUrl, settings }) }] }
  })
}

function describe(id: InstallGuide): { readonly title: string; readonly description: string } {
  const { title, keys } = installGuides[id]
  return { title, description: `How to install the SDK for ${title}; requires a ${keys.join(' and a ')} key.` }
}

function registerCleanupGuide(server: McpServer, { settings }: McpServerContext): void {
  const title = 'Clean up a feature flag'
  const metadata = { title, description: 'Instructions to remove a feature from code.', mimeType, cacheHint }
  server.registerResource('cleanup-guide', 'guide://cleanup', metadata, async ({ href }) => {
    return { contents: [{ uri: href, mimeType, text: await generalCleanupGuide(settings) }] }
  })
}
