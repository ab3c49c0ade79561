import { applyOverrides, buildConfig, startDevServer } from '@burgee/server/dev'
import { expect, test } from 'vitest'
import { bind, until } from './support/harness.ts'

const everyone = { filters: { operator: 'and', filters: [{ type: 'all' }] } }

test('the provider uses an override of a server for development at once, and reports the changed flag', async () => {
  const config = await buildConfig({
    key: 'shop',
    environment: 'development',
    environments: ['development'],
    audiences: [],
    variables: [],
    features: [
      {
        body: {
          key: 'greeting',
          name: 'Greeting',
          variables: [{ key: 'greeting', type: 'String' }],
          variations: [{ key: 'on', name: 'On', variables: { greeting: 'hello' } }],
          configurations: {
            development: {
              status: 'active',
              targets: [{ name: 'All', audience: everyone, distribution: [{ _variation: 'on', percentage: 1 }] }]
            }
          }
        }
      }
    ]
  })
  const server = await startDevServer({ port: 0, config, onNotice: () => {} })
  try {
    const { client, events, error } = await bind({ url: server.url, sdkKey: 'server-any', events: false })
    expect(error).toBeUndefined()
    const value = () => client.getStringValue('greeting', 'default', { targetingKey: 'ada' })
    expect(await value()).toBe('hello')
    server.serve(applyOverrides(config, { variables: { greeting: 'ahoy' } }).config)
    await until(() => events.includes('CONFIGURATION_CHANGED greeting'))
    expect(await value()).toBe('ahoy')
  } finally {
    await server.close()
  }
})
