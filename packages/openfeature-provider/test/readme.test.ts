import { testConfig } from '@burgee/core/testing'
import { BurgeeProvider, staticSource } from '@burgee/openfeature-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { afterAll, expect, test } from 'vitest'

const flags = testConfig({ 'new-checkout': false })
const source = staticSource(flags.config)
flags.onChange(source.set)
await OpenFeature.setProviderAndWait(new BurgeeProvider({ source }))

afterAll(() => OpenFeature.close())

test('an application that asks OpenFeature sees each change at once', async () => {
  const client = OpenFeature.getClient()
  flags.force('ada', 'new-checkout', true)
  expect(await client.getBooleanValue('new-checkout', false, { targetingKey: 'ada' })).toBe(true)
  expect(await client.getBooleanValue('new-checkout', false, { targetingKey: 'grace' })).toBe(false)
})
