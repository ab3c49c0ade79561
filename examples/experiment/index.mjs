// Compares two variations of a button by how many users buy: evaluates and tracks as an application does, and reads the
// results.
import assert from 'node:assert/strict'
import { createClient } from '@burgee/contract/client'
import { BurgeeProvider } from '@burgee/openfeature-provider'
import { parseOptions, startServer } from '@burgee/server'
import { OpenFeature } from '@openfeature/server-sdk'

const server = await startServer(parseOptions(['--store', 'memory:', '--port', '0', '--log-level', 'error'], {}))

try {
  const manage = createClient({ baseUrl: server.url, credentials: server.administrator })
  await manage.createProject({ body: { key: 'shop', name: 'Shop' } })
  const params = { project: 'shop' }
  await manage.createFeature({
    params,
    body: {
      key: 'buy-button',
      name: 'Buy button',
      type: 'experiment',
      variables: [{ key: 'button-text', type: 'String' }],
      variations: [
        { key: 'control', name: 'Order', variables: { 'button-text': 'Order' } },
        { key: 'friendly', name: 'Get yours', variables: { 'button-text': 'Get yours' } }
      ],
      controlVariation: 'control',
      configurations: {
        production: {
          status: 'active',
          targets: [
            {
              audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
              distribution: [
                { _variation: 'control', percentage: 0.5 },
                { _variation: 'friendly', percentage: 0.5 }
              ]
            }
          ]
        }
      }
    }
  })
  await manage.createMetric({
    params,
    body: {
      key: 'buyers',
      name: 'Users who buy',
      event: 'purchase',
      dimension: 'COUNT_PER_UNIQUE_USER',
      optimize: 'increase'
    }
  })

  // The application. The provider evaluates in its process, and sends its events to the server.
  const { sdkKeys } = await manage.getEnvironment({ params: { ...params, key: 'production' } })
  const provider = new BurgeeProvider({ url: server.url, sdkKey: sdkKeys.server[0].key })
  await OpenFeature.setProviderAndWait(provider)
  const client = OpenFeature.getClient()
  const usersByText = { Order: 0, 'Get yours': 0 }
  for (let index = 0; index < 600; index++) {
    const user = { targetingKey: `user-${index}` }
    const text = await client.getStringValue('button-text', 'Buy', user)
    // One in five users with "Order" buys, and two in five of the others.
    if (++usersByText[text] % 5 < (text === 'Order' ? 1 : 2)) client.track('purchase', user, { value: 20 })
  }
  await OpenFeature.close()

  const day = 86_400_000
  const { result } = await manage.getMetricResults({
    params: { ...params, key: 'buyers' },
    query: {
      feature: 'buy-button',
      environment: 'production',
      startDate: new Date(Date.now() - day).toISOString(),
      endDate: new Date(Date.now() + day).toISOString()
    }
  })
  console.table(
    result.variations.map(({ key, numerator, denominator, rate, percentDifference, pValue, isSignificant }) => ({
      variation: key,
      buyers: numerator,
      users: denominator,
      rate: rate.toFixed(3),
      difference: percentDifference === null ? '' : `${(percentDifference * 100).toFixed(0)} %`,
      'p-value': pValue === null ? '' : pValue.toExponential(1),
      significant: isSignificant ?? ''
    }))
  )
  const [control, friendly] = result.variations
  assert.deepEqual([control.denominator, friendly.denominator], [usersByText.Order, usersByText['Get yours']])
  assert.ok(friendly.percentDifference > 0.5)
  assert.equal(friendly.isSignificant, true)
  // A p-value near 0 would mean that the split is broken. One experiment in a thousand gets one below 0.001 by chance.
  console.log(`Sample ratio: p = ${result.sampleRatio.pValue.toFixed(3)}`)
  console.log('"Get yours" sells better, and the difference is significant.')
} finally {
  await OpenFeature.close()
  await server.close()
}
