import { expect, test } from 'vitest'
import { createContext } from '../support/context.ts'
import { connectInMemory } from '../support/inMemory.ts'

/** These tests do not call the API. */
const nobody = { getToken: async () => '', invalidate: () => false }
const nowhere = { url: 'https://burgee.invalid' }

const fixed = { listChanged: false }

/** The approximate number of characters per token. */
const CHARACTERS_PER_TOKEN = 4

test('describes all tools in at most 6,000 tokens', async () => {
  const largest = { dashboardUrl: 'https://flags.example.com' }
  const { tools } = await (await connectInMemory(createContext(nowhere, largest), nobody)).listTools()
  expect(tools).toHaveLength(22)
  // `projectKey` comes last, after `confirmationToken`.
  for (const { name, inputSchema } of tools) {
    const names = Object.keys(inputSchema.properties ?? {})
    expect([name, names.indexOf('projectKey')]).toEqual([name, names.includes('projectKey') ? names.length - 1 : -1])
  }
  // The pattern of keys is listed for parameters that create a key.
  const patterned = tools.filter(({ inputSchema }) => 'pattern' in Object(inputSchema.properties?.key))
  expect(patterned.map(({ name }) => name)).toEqual(['create_feature', 'create_variable'])
  expect(JSON.stringify({ tools }).length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(6_000)
})

test('leaves out sentences that only repeat names, and no others', async () => {
  const { tools } = await (await connectInMemory(createContext(nowhere), nobody)).listTools()
  const described = (tool: string, parameter: string) => {
    const { inputSchema } = tools.find(({ name }) => name === tool) ?? {}
    return Object(inputSchema?.properties?.[parameter]).description
  }
  expect(described('cleanup_feature', 'featureKey')).toBeUndefined()
  expect(described('delete_variable', 'key')).toBeUndefined()
  expect(described('list_features', 'sortOrder')).toBe('Default: desc.')
  expect(described('get_feature_audit_log_history', 'user')).toBe('Id.')
  expect(described('create_variable', '_feature')).toBe('Key or id of the feature to add it to.')
  expect(described('create_variable', 'validationSchema')).toBe('The allowed values.')
  expect(described('create_feature', 'configurations')).toMatch(/^By key or id of the environment\./)
})

test('declares that lists do not change', async () => {
  const client = await connectInMemory(createContext(nowhere), nobody)
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  expect({ tools, prompts, resources }).toEqual({ tools: fixed, prompts: fixed, resources: fixed })
})

test('declares no prompts and resources when none are enabled', async () => {
  const client = await connectInMemory(createContext(nowhere, { categories: ['results'] }), nobody)
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  expect({ tools, prompts, resources }).toEqual({ tools: fixed, prompts: undefined, resources: undefined })
})
