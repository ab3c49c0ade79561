import { OpenFeature } from '@openfeature/server-sdk'
import { flatUser } from '../evaluations/peers/calls.mjs'

/** Prepares the evaluation of one flag by OpenFeature's client with a provider. */
export async function clientOf(provider, { ask }, users) {
  await OpenFeature.setProviderAndWait(provider)
  const client = OpenFeature.getClient()
  return {
    close: () => OpenFeature.close(),
    inputs: users.map((user) => flatUser(user, 'targetingKey')),
    ask: (context) => client.getStringValue(ask, 'none', context),
    read: (value) => (value === 'none' ? {} : { [ask]: { value } })
  }
}
