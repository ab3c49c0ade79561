import { BurgeeProvider } from '../../packages/openfeature-provider/dist/index.js'
import { toDocument } from '../evaluations/document.mjs'
import { makeUsers } from '../evaluations/users.mjs'
import { workloads } from '../evaluations/workloads.mjs'

const CALLS = 200

/** Measures evaluations by the provider: of a rule, of ten rules, and of a split. */
export async function evaluations(count) {
  const contexts = makeUsers(CALLS).map(({ user_id, customData, ...user }) => {
    return { targetingKey: user_id, ...user, ...customData }
  })
  const costs = {}
  for (const name of ['a', 'b', 'c']) {
    const provider = new BurgeeProvider({ source: createSource(toDocument(workloads[name].makeFlags())) })
    await provider.initialize()
    costs[`provider ${name}`] = await count(async (calls) => {
      for (let call = 0; call < calls; call++) {
        await provider.resolveStringEvaluation('flag-0', 'default', contexts[call])
      }
    }, CALLS)
    await provider.onClose()
  }
  return costs
}

/** Measures the change of one of 1,000 flags. */
export async function changes(count) {
  const text = JSON.stringify(toDocument(workloads.d1000.makeFlags()))
  const source = createSource(JSON.parse(text))
  const provider = new BurgeeProvider({ source })
  await provider.initialize()
  let round = 0
  const change = async () => {
    const document = JSON.parse(text)
    document.features[500].variations[0].name = `renamed ${round++}`
    await source.deliver(document)
  }
  const cost = await count(change, 1)
  await provider.onClose()
  return { 'provider, change of 1 of 1,000 flags': cost }
}

function createSource(config) {
  let listener
  return {
    name: 'a config in memory',
    start: (given) => {
      listener = given
      listener.onConfig({ config })
    },
    close: () => {},
    deliver: (next) => listener.onConfig({ config: next })
  }
}
