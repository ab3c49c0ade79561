import { makeUsers } from './users.mjs'
import { workloads } from './workloads.mjs'

/** The packages of the peers, by the names of their files in `peers`. */
export const peers = {
  flagd: '@openfeature/flagd-core',
  devcycle: '@devcycle/bucketing',
  devcycleSdk: '@devcycle/nodejs-server-sdk',
  growthbook: '@growthbook/growthbook',
  unleash: 'unleash-client',
  launchdarkly: '@launchdarkly/node-server-sdk',
  statsig: 'statsig-node',
  featurevisor: '@featurevisor/sdk'
}

/** The measured engines. */
export const engines = ['floor', 'burgee', ...Object.keys(peers)]

/** Returns a workload with its flags. */
export function workloadOf(name) {
  const { title, makeFlags, ask } = workloads[name]
  return { name, title, ask, flags: makeFlags() }
}

/**
 * Prepares an engine for a workload: `inputs` are the users in the engine's format, `ask(input)` is the timed call,
 * which may return a promise, and `read(result)` returns the served flags by key.
 */
export async function contender(engine, workload) {
  const module = await import(fileOf(engine))
  return workload.ask === 'load' ? loader(module, workload) : module.prepare(workload, makeUsers())
}

/** Returns the file of an engine, which is also named by its path for the comparison of providers. */
function fileOf(engine) {
  if (engine in peers) return `./peers/${engine}.mjs`
  return engine === 'floor' ? './floor/floor.mjs' : `./${engine}.mjs`
}

/** Returns the contender whose timed call makes a client from the text of the flags. */
function loader({ toConfig, load, close }, { flags }) {
  const clients = []
  return {
    inputs: [toConfig(flags)],
    ask: async (text) => clients.push(await load(text)),
    close: async () => {
      for (const client of clients.splice(0)) await close?.(client)
    }
  }
}
