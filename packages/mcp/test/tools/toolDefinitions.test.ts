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
