import { InMemoryProvider } from '@openfeature/server-sdk'
import { clientOf } from './client.mjs'

/** OpenFeature's provider with flags in memory. It has no rules, so it returns one value to all users. */
export function prepare(workload, users) {
  const flags = workload.flags.map(({ key }) => {
    return [key, { disabled: false, variants: { on: 'on', off: 'off' }, defaultVariant: 'on' }]
  })
  return clientOf(new InMemoryProvider(Object.fromEntries(flags)), workload, users)
}
