import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Service } from '../service.ts'
import type { Tool } from '../tool.ts'
import { generalCleanupGuide } from './cleanupGuide.ts'
import { completeGuide } from './completeGuide.ts'
import { installGuide } from './installGuide.ts'
import { type InstallGuide, installGuideIds, installGuides } from './installGuides.ts'
import { type Place, registerPrompts } from './registerPrompts.ts'

/** Offers the guides as resources and as prompts too, where the tools are offered that answer them. */
export function registerGuides(server: McpServer, place: Place, offered: readonly Tool[]): void {
  const named = (wanted: string) => offered.find(({ name }) => name === wanted)
  const tools = { install: named('install_service_sdk'), cleanup: named('cleanup_feature') }
  if (tools.install) registerInstallGuides(server, place.service)
  if (tools.cleanup) registerCleanupGuide(server, place.service)
  registerPrompts(server, place, tools)
}

/** For how long a client may keep a guide: it stays as it is until there is another version of this package. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const

const mimeType = 'text/markdown'

function registerInstallGuides(server: McpServer, { serverUrl, settings }: Service): void {
  const resources = installGuideIds.map((id) => ({
    uri: `guide://install/${id}`,
    name: id,
    ...described(id),
    mimeType
  }))
  const template = new ResourceTemplate('guide://install/{id}', {
    list: () => ({ resources }),
    complete: { id: completeGuide }
  })
  const said = { title: 'Install an SDK', description: 'Instructions to install an SDK.', mimeType, cacheHint }
  server.registerResource('install-guide', template, said, async ({ href }, { id }) => {
    const known = installGuideIds.find((each) => each === id)
    if (!known) throw new ResourceNotFoundError(href)
    return { contents: [{ uri: href, mimeType, text: await installGuide(known, { serverUrl, settings }) }] }
  })
}

function described(id: InstallGuide): { readonly title: string; readonly description: string } {
  const { title, keys } = installGuides[id]
  return { title, description: `How to install the SDK for ${title}; takes a ${keys.join(' and a ')} key.` }
}

function registerCleanupGuide(server: McpServer, { settings }: Service): void {
  const title = 'Clean up a feature flag'
  const said = { title, description: 'Instructions to remove a feature from code.', mimeType, cacheHint }
  server.registerResource('cleanup-guide', 'guide://cleanup', said, async ({ href }) => {
    return { contents: [{ uri: href, mimeType, text: await generalCleanupGuide(settings) }] }
  })
}
