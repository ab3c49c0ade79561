import { StatsigServer } from 'statsig-node'
import { callsOf } from './calls.mjs'

/** Exposures would be queued for the network. */
const SILENT = { disableExposureLogging: true }

/** Statsig's SDK for Node.js in its local mode, with dynamic configs as bootstrap values. */
export async function prepare({ flags, ask }, users) {
  const server = await load(toConfig(flags))
  return {
    close: () => close(server),
    inputs: users.map(toUser),
    ...callsOf(ask, {
      one: (user) => server.getConfig(user, ask, SILENT).value,
      readOne: ({ value }) => value,
      all: (user) => server.getClientInitializeResponse(user, undefined, { hash: 'none' }).dynamic_configs,
      readAll: (configs) => {
        return Object.fromEntries(Object.entries(configs).map(([key, { value }]) => [key, value.value]))
      }
    })
  }
}

export async function load(text) {
  const server = new StatsigServer('secret-bench', {
    localMode: true,
    bootstrapValues: text,
    disableDiagnostics: true,
    disableAllLogging: true,
    disableRulesetsSync: true,
    disableIdListsSync: true,
    initStrategyForIP3Country: 'none',
    initStrategyForIDLists: 'none',
    environment: { tier: 'production' }
  })
  await server.initializeAsync()
  return server
}

export function close(server) {
  server.shutdown()
}

export function toConfig(flags) {
  return JSON.stringify({
    has_updates: true,
    time: 1,
    feature_gates: [],
    layer_configs: [],
    dynamic_configs: flags.map(({ key, rules }) => ({
      name: key,
      type: 'dynamic_config',
      entity: 'dynamic_config',
      salt: key,
      enabled: true,
      idType: 'userID',
      defaultValue: {},
      rules: rules.flatMap((rule, index) => toRules(`${key}-${index}`, rule))
    }))
  })
}

/** A split is one rule for each value: users whom a rule's bucket does not admit go on to the next rule. */
function toRules(id, { when, admits = 100, serve }) {
  let limit = 0
  return serve.map(({ value, share }) => {
    limit += share * 10
    const bucket = {
      type: 'user_bucket',
      operator: 'lt',
      targetValue: limit,
      field: null,
      additionalValues: { salt: id },
      idType: 'userID'
    }
    return {
      name: `${id}-${value}`,
      id: `${id}-${value}`,
      salt: id,
      groupName: value,
      idType: 'userID',
      passPercentage: admits,
      conditions: [...when.map(toCondition), ...(limit === 1000 ? [] : [bucket])],
      returnValue: { value }
    }
  })
}

function toCondition({ custom, member, is, values }) {
  const condition = { additionalValues: {}, idType: 'userID' }
  if (member === 'user_id') {
    return { ...condition, type: 'unit_id', field: null, operator: 'any_case_sensitive', targetValue: values }
  }
  const field = { ...condition, type: 'user_field', field: member ?? custom }
  if (is === 'versionAtLeast') return { ...field, operator: 'version_gte', targetValue: values[0] }
  if (is === 'atLeast') return { ...field, operator: 'gte', targetValue: values[0] }
  return { ...field, operator: 'any', targetValue: values }
}

function toUser({ user_id, customData, email, country, appVersion }) {
  return { userID: user_id, email, country, appVersion, custom: customData }
}
