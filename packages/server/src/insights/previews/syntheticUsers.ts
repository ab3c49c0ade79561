import type { SampleUser } from '@burgee/contract/schemas'
import type { Config, Filter, Operator } from '@burgee/core'
import { createTimeSlices } from '../../lib/time.ts'

/**
 * Generates users from the values that the targets of configs compare attributes with, so that some match each filter.
 * Their shares are not those of real users.
 */
export async function synthesizeUsers(
  configs: readonly Config[],
  size: number,
  random: () => number
): Promise<readonly SampleUser[]> {
  const attributes = [...comparedAttributes(configs)].slice(0, MAX_ATTRIBUTES)
  const slices = createTimeSlices()
  const users: SampleUser[] = []
  for (let index = 0; index < size; index++) {
    await slices.yieldIfDue()
    const user: Record<string, unknown> = { user_id: `synthetic-${Math.floor(random() * 2 ** 32)}-${index}` }
    const customData: Record<string, unknown> = {}
    for (const [name, { dataKey, values }] of attributes) {
      // One of the values, or none of them.
      const value = values[Math.floor(random() * (values.length + 1))]
      if (value === undefined) continue
      if (dataKey === undefined) user[name] = value
      else customData[dataKey] = value
    }
    // The members are those of the schema, each of its type.
    const attributesOfUser = {
      ...user,
      ...(attributes.some(([, { dataKey }]) => dataKey !== undefined) ? { customData } : {})
    }
    users.push(attributesOfUser as SampleUser)
  }
  return users
}

/** Further attributes are not set. */
const MAX_ATTRIBUTES = 100

interface ComparedAttribute {
  /** The name of the attribute in `customData`. */
  readonly dataKey: string | undefined
  readonly values: (string | number | boolean)[]
}

/** Returns the attributes that targets read, with values to choose from. */
function comparedAttributes(configs: readonly Config[]): ReadonlyMap<string, ComparedAttribute> {
  const attributes = new Map<string, ComparedAttribute>()
  const add = (subType: string, dataKey: string | undefined, values: readonly unknown[]): void => {
    const name = dataKey === undefined ? subType : `customData.${dataKey}`
    const attribute = attributes.get(name) ?? { dataKey, values: [] }
    attributes.set(name, attribute)
    const missing = MAX_VALUES - attribute.values.length
    attribute.values.push(...values.slice(0, missing).filter(isScalar))
  }
  for (const { features, audiences } of configs) {
    const seen = new Set<string>()
    const visit = (member: Filter | Operator): void => {
      if ('operator' in member) {
        for (const inner of member.filters ?? []) visit(inner)
        return
      }
      for (const id of member._audiences ?? []) {
        const audience = seen.has(id) ? undefined : audiences?.[id]
        seen.add(id)
        if (audience) visit(audience.filters)
      }
      if (member.type !== 'user' || typeof member.subType !== 'string') return
      const dataKey = member.subType === 'customData' ? member.dataKey : undefined
      if (member.subType !== 'customData' || typeof dataKey === 'string') add(member.subType, dataKey, samples(member))
    }
    for (const { configuration } of features) {
      for (const { _audience, bucketingKey } of configuration.targets) {
        visit(_audience.filters)
        if (bucketingKey !== undefined) add('customData', bucketingKey, BUCKETING_VALUES)
      }
    }
  }
  return attributes
}

/** More values of one attribute are not used. */
const MAX_VALUES = 50

const BUCKETING_VALUES = Array.from({ length: MAX_VALUES }, (_, index) => `group-${index}`)

/** Returns values that a filter distinguishes: its own, and numbers and versions around them. */
function samples({ values: all = [], subType, comparator }: Filter): readonly unknown[] {
  const values = all.slice(0, MAX_VALUES)
  if (subType === 'appVersion' || subType === 'platformVersion') return ['0.0.1', ...values, '999.0.0']
  if (values.length === 0) return comparator?.endsWith('exist') ? ['any'] : []
  return values.flatMap((value) => (typeof value === 'number' ? [value - 1, value, value + 1] : [value]))
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
