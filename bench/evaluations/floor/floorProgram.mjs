import { targetId } from '../document.mjs'
import { atLeast, limitsOf, murmur3, seedOf } from './floorHash.mjs'

/** The kinds of conditions in the mixed project. */
const ALL_USERS = 0
const PLAN = 1
const COUNTRIES = 2
const IDS = 3
const VERSION = 4

/**
 * The floor for all flags of a project: one rule per flag, compiled to typed arrays. Equal conditions are shared and
 * evaluated once per user.
 */
export function floorProgram(flags, ask, users) {
  const conditions = []
  const condition = Uint32Array.from(flags, ({ rules }) => intern(conditions, rules[0].when))
  const kinds = Uint8Array.from(conditions, ({ kind }) => kind)
  const operands = conditions.map(({ operand }) => operand)
  const outcomes = new Uint8Array(conditions.length)
  const seeds = Uint32Array.from(flags, (flag) => seedOf(targetId(flag, 0)))
  const admits = Float64Array.from(flags, ({ rules: [{ admits = 100 }] }) => (admits / 100) * 0xffffffff)
  const limits = flags.map(({ rules }) => limitsOf(rules[0].serve))
  const firstLimits = Float64Array.from(limits, ([first]) => first.limit)
  const results = flags.map((flag, index) => limits[index].map(({ value }) => toResult(flag, value, ask)))
  const firsts = results.map(([first]) => first)
  const seconds = results.map(([, second]) => second)
  const answers = new Array(flags.length).fill(undefined)

  function all(user) {
    const { user_id: id, country } = user
    const { plan } = user.customData
    const version = atLeast(user.appVersion)
    const rolloutText = `${id}_rollout`
    for (let index = 0; index < kinds.length; index++) {
      const operand = operands[index]
      switch (kinds[index]) {
        case ALL_USERS:
          outcomes[index] = 1
          break
        case PLAN:
          outcomes[index] = plan === operand ? 1 : 0
          break
        case COUNTRIES:
          outcomes[index] = operand.has(country) ? 1 : 0
          break
        case IDS:
          outcomes[index] = operand.has(id) ? 1 : 0
          break
        case VERSION:
          outcomes[index] = version >= operand ? 1 : 0
      }
    }
    for (let index = 0; index < answers.length; index++) {
      let answer
      if (
        outcomes[condition[index]] === 1 &&
        (admits[index] === 0xffffffff || murmur3(rolloutText, seeds[index]) <= admits[index])
      ) {
        const isFirst =
          firstLimits[index] === Number.POSITIVE_INFINITY || murmur3(id, seeds[index]) < firstLimits[index]
        answer = isFirst ? firsts[index] : seconds[index]
      }
      answers[index] = answer
    }
    return answers
  }

  const parts = []
  function json(user) {
    all(user)
    let length = 0
    for (let index = 0; index < answers.length; index++) {
      if (answers[index] !== undefined) parts[length++] = answers[index]
    }
    parts.length = length
    return `{${parts.join(',')}}`
  }

  const read = () => {
    return Object.fromEntries(
      flags.flatMap(({ key }, index) => (answers[index] === undefined ? [] : [[key, { value: answers[index] }]]))
    )
  }
  return ask === 'json' ? { inputs: users, ask: json, read: JSON.parse } : { inputs: users, ask: all, read }
}

function intern(conditions, when) {
  const name = JSON.stringify(when)
  const known = conditions.findIndex((condition) => condition.name === name)
  if (known >= 0) return known
  return conditions.push({ name, ...read(when) }) - 1
}

function read([condition]) {
  if (!condition) return { kind: ALL_USERS, operand: undefined }
  const { custom, member, values } = condition
  if (custom === 'plan') return { kind: PLAN, operand: values[0] }
  if (member === 'country') return { kind: COUNTRIES, operand: new Set(values) }
  if (member === 'user_id') return { kind: IDS, operand: new Set(values) }
  return { kind: VERSION, operand: atLeast(values[0]) }
}

const labels = { country: 'Country', user_id: 'User ID', appVersion: 'App Version' }

/** Returns the result of a served flag: the value, or the JSON text of its member with the reason. */
function toResult(flag, value, ask) {
  if (ask === 'all') return value
  const { key, rules } = flag
  const [{ when, admits, serve }] = rules
  const [condition] = when
  const label = condition ? (labels[condition.member] ?? `Custom Data -> ${condition.custom}`) : 'All Users'
  const isRandom = serve.length > 1
  const variable = {
    _id: `variable of ${key}`,
    key,
    type: 'String',
    _feature: `feature of ${key}`,
    value,
    eval: {
      reason: isRandom || admits ? 'SPLIT' : 'TARGETING_MATCH',
      details: `${isRandom ? 'Random Distribution | ' : ''}${admits ? 'Rollout | ' : ''}${label}`,
      target_id: targetId(flag, 0)
    }
  }
  return `${JSON.stringify(key)}:${JSON.stringify(variable)}`
}
