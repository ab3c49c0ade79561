import { serve } from '@burgee/testing/harness'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createSession } from '../../src/connection/session.ts'
import { installGuide } from '../../src/guides/installGuide.ts'
import { completeGuide, installGuideIds } from '../../src/guides/installGuides.ts'
import { createMcpServer } from '../../src/server/createMcpServer.ts'
import { addCleanup, adminTokens, createContext, settings } from '../support/context.ts'
import { connectInMemory } from '../support/inMemory.ts'

const nobody = { getToken: async () => '', invalidate: () => false }
const nowhere = { url: 'https://burgee.invalid' }
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

test('the guides are resources: listed, completed and read', async () => {
  const client = await connectInMemory(createContext(nowhere), nobody)
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'guide://cleanup',
    ...installGuideIds.map((id) => `guide://install/${id}`)
  ])
  expect(resources.every(({ title, mimeType }) => title && mimeType === 'text/markdown')).toBe(true)
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['guide://install/{id}'])
  const ref = { type: 'ref/resource' as const, uri: 'guide://install/{id}' }
  const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'ne' } })
  expect(completion.values).toEqual(['nestjs', 'nestjs-openfeature', 'nextjs'])

  const { contents } = await client.readResource({ uri: 'guide://install/go' })
  expect(contents).toEqual([
    {
      uri: 'guide://install/go',
      mimeType: 'text/markdown',
      text: await installGuide('go', { serverUrl: nowhere.url, settings })
    }
  ])
  const cleanup = await client.readResource({ uri: 'guide://cleanup' })
  expect(cleanup.contents[0]).toMatchObject({ text: expect.stringContaining('## Steps') })
  expect(cleanup.contents[0]).not.toMatchObject({ text: expect.stringContaining('just now') })
  await expect(client.readResource({ uri: 'guide://install/cobol' })).rejects.toThrow(/not found/i)
})

test('install-sdk returns the same guide as the tool', async () => {
  const client = await connectInMemory(createContext(nowhere), nobody)
  const { prompts } = await client.listPrompts()
  expect(prompts).toMatchObject([
    { name: 'install-sdk', arguments: [{ name: 'guide', required: true }] },
    { name: 'cleanup-feature', arguments: [{ name: 'featureKey', required: true }] }
  ])
  const { messages } = await client.getPrompt({ name: 'install-sdk', arguments: { guide: 'ruby' } })
  const guide = await client.callTool({ name: 'install_service_sdk', arguments: { guide: 'ruby' } })
  expect(messages).toEqual([{ role: 'user', content: (guide.content as unknown[])[0] }])
  const ref = { type: 'ref/prompt' as const, name: 'install-sdk' }
  const { completion } = await client.complete({ ref, argument: { name: 'guide', value: 'react' } })
  expect(completion.values).toEqual(['react', 'react-native', 'react-openfeature'])
  await expect(client.getPrompt({ name: 'install-sdk', arguments: { guide: 'cobol' } })).rejects.toThrow(/guide/)
})

test('cleanup-feature completes the keys of the project, and has the facts of the feature', async () => {
  const server = await serve({ features: ['new-checkout', 'old-new-thing', 'banner'].map((key) => ({ key })) })
  const client = await connectInMemory(createContext(server), adminTokens(server))
  const complete = async (value: string) => {
    const ref = { type: 'ref/prompt' as const, name: 'cleanup-feature' }
    return (await client.complete({ ref, argument: { name: 'featureKey', value } })).completion.values
  }
  // Keys with this prefix come first.
  expect(await complete('new')).toEqual(['new-checkout', 'old-new-thing'])
  expect(await complete('b')).toEqual(['banner'])
  expect((await complete('')).sort()).toEqual(['banner', 'new-checkout', 'old-new-thing'])
  expect(await complete('nothing')).toEqual([])
  const { messages } = await client.getPrompt({ name: 'cleanup-feature', arguments: { featureKey: 'banner' } })
  expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('"servedInProduction"') } }])
  await expect(client.getPrompt({ name: 'cleanup-feature', arguments: { featureKey: 'none' } })).rejects.toThrow(/none/)
})

test('does not complete keys that cannot be read', async () => {
  const server = await serve({ features: [{ key: 'banner' }] })
  const ref = { type: 'ref/prompt' as const, name: 'cleanup-feature' }
  const argument = { name: 'featureKey', value: 'ban' }
  const worlds = [
    [createContext(server, { project: '' }), adminTokens(server)],
    [createContext(server), { getToken: async () => 'bad', invalidate: () => false }],
    [createContext(nowhere), nobody]
  ] as const
  for (const [service, tokens] of worlds) {
    const client = await connectInMemory(service, tokens)
    expect((await client.complete({ ref, argument })).completion.values).toEqual([])
  }
})

test('logs each request, and the error if it failed', async () => {
  const lines: object[] = []
  const tell = (level: string) => (details: object, message: string) => void lines.push({ level, message, ...details })
  const log = { info: tell('info'), debug: tell('debug'), error: tell('error') }
  const server = await serve({ features: [{ key: 'banner' }] })
  const client = await connectInMemory({ ...createContext(server), log }, adminTokens(server))
  await client.readResource({ uri: 'guide://install/go' })
  await client.getPrompt({ name: 'install-sdk', arguments: { guide: 'ruby' } })
  await client.getPrompt({ name: 'cleanup-feature', arguments: { featureKey: 'banner' } })
  await expect(client.getPrompt({ name: 'cleanup-feature', arguments: { featureKey: 'none' } })).rejects.toThrow()
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow()
  const ref = { type: 'ref/prompt' as const, name: 'install-sdk' }
  await client.complete({ ref, argument: { name: 'guide', value: 'go' } })
  await client.callTool({ name: 'install_service_sdk', arguments: { guide: 'go' } })
  const answered = { level: 'info', message: 'request answered', caller: 'local', assistant: 'test-assistant 1.0.0' }
  const failed = { ...answered, message: 'request failed' }
  expect(lines).toMatchObject([
    { ...answered, method: 'resources/read', resource: 'guide://install/go', ms: expect.any(Number) },
    { ...answered, prompt: 'install-sdk' },
    { ...answered, prompt: 'cleanup-feature' },
    { ...failed, prompt: 'cleanup-feature', errorMessage: expect.stringContaining('none') },
    { ...failed, tool: 'no_such_tool', errorMessage: expect.stringContaining('not found') },
    { ...answered, level: 'debug', method: 'completion/complete', prompt: 'install-sdk' },
    { level: 'debug', message: 'tool called' },
    { level: 'info', message: 'tool call completed', tool: 'install_service_sdk' }
  ])
})

test.each([
  ['list_featurs', {}, 'Tool "list_featurs" not found (did you mean list_features?)'],
  ['deploy', {}, 'Tool "deploy" not found: tools/list names the tools of this server'],
  ['create_feature', { readOnly: true }, 'Tool "create_feature" not found: the settings of this server disable it']
])('an unknown tool %s with %j is refused with the reason', async (name, settings, message) => {
  const server = await serve({})
  const context = createContext(server)
  const client = await connectInMemory(
    { ...context, settings: { ...context.settings, ...settings } },
    adminTokens(server)
  )
  await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(message)
})

test('rejects callers over the rate limit', async () => {
  const server = await serve({ features: [{ key: 'banner' }] })
  const limit = async () => 6_500
  const client = await connectInMemory({ ...createContext(server), rateLimit: limit }, adminTokens(server))
  const asked = client.getPrompt({ name: 'cleanup-feature', arguments: { featureKey: 'banner' } })
  await expect(asked).rejects.toThrow('too many tool calls per minute; retry in 7 s')
  const ref = { type: 'ref/prompt' as const, name: 'cleanup-feature' }
  const { completion } = await client.complete({ ref, argument: { name: 'featureKey', value: 'ban' } })
  expect(completion.values).toEqual([])
})

test('guides are registered if their tools are enabled', async () => {
  const install = await connectInMemory(createContext(nowhere, { categories: ['install'], readOnly: true }), nobody)
  expect(names((await install.listPrompts()).prompts)).toEqual(['install-sdk'])
  expect((await install.listResources()).resources).toHaveLength(29)
  const features = await connectInMemory(createContext(nowhere, { categories: ['features'] }), nobody)
  expect(names((await features.listPrompts()).prompts)).toEqual(['cleanup-feature'])
  expect(names((await features.listResources()).resources)).toEqual(['cleanup-guide'])
  const results = await connectInMemory(createContext(nowhere, { categories: ['results'] }), nobody)
  expect(results.getServerCapabilities()).not.toHaveProperty('prompts')
  expect(results.getServerCapabilities()).not.toHaveProperty('resources')
})

test('gives clients of revision 2026-07-28 cache hints for guides and lists', async () => {
  const caller = { id: 'local', tokens: nobody, session: createSession(false) }
  const { fetch } = createMcpHandler(() => createMcpServer(createContext(nowhere), caller), { legacy: 'reject' })
  const client = new Client({ name: 'test-assistant', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const url = new URL('http://127.0.0.1/mcp')
  const transport = new StreamableHTTPClientTransport(url, { fetch: (to, init) => fetch(new Request(to, init)) })
  await client.connect(transport)
  addCleanup(() => client.close())
  const guide = { ttlMs: 3_600_000, cacheScope: 'public' }
  const listed = { ttlMs: 300_000, cacheScope: 'public' }
  expect(await client.readResource({ uri: 'guide://install/go' })).toMatchObject(guide)
  expect(await client.readResource({ uri: 'guide://cleanup' })).toMatchObject(guide)
  expect(await client.listTools()).toMatchObject(listed)
  expect(await client.listPrompts()).toMatchObject(listed)
  expect(await client.listResources()).toMatchObject(listed)
})

test('completes every id from its prefix, case-insensitive', () => {
  for (const id of installGuideIds) expect(completeGuide(id.slice(0, 3).toUpperCase())).toContain(id)
})
