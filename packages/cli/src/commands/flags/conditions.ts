import { collect } from '@burgee/contract/client'
import { isUserProperty, userProperties } from '@burgee/contract/rules'
import type { CustomProperty, TargetInput } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import { findNearest } from '@burgee/kit/text'
import type { Session } from '../../run/session.ts'

/** A property of users and the values it should have, for example `country=CA,US`. */
export interface Where {
  readonly property: string
  readonly values: readonly string[]
}

/** A condition of a target. */
export interface Condition {
  /** As in `country CA, US`. */
  readonly name: string
  readonly filter: Filter
  /** Names a property that the project does not define. */
  readonly warning?: string
}

/** A filter of a target. */
type Filter = NonNullable<TargetInput['audience']['filters']['filters']>[number]

/** Parses `country=CA,US`. There is no other comparison, so `!=`, `<=` and `>=` are refused. */
export function parseWhere(text: string): Where | undefined {
  const [, property = '', list = ''] = /^([^=]*[^=!<>~])=(.+)$/.exec(text) ?? []
  const values = list.split(',').map((value) => value.trim())
  return property !== '' && values.every((value) => value !== '') ? { property, values } : undefined
}

/**
 * Converts conditions to filters. A property that is not built in is a custom property of the project, and has its type.
 * @throws {UsageError} for a value of another type.
 */
export async function readConditions(session: Session, where: readonly Where[]): Promise<readonly Condition[]> {
  const hasCustom = where.some(({ property }) => !isUserProperty(property))
  const known = hasCustom ? await readProperties(session) : []
  await assertValues(where)
  return where.map((one) => {
    const { property, values } = one
    const name = `${property} ${values.join(', ')}`
    if (isUserProperty(property)) return { name, filter: toFilter({ subType: property, values }) }
    const found = known.find(({ propertyKey }) => propertyKey === property)
    const dataKeyType = found?.type ?? 'String'
    const custom = { subType: 'customData', dataKey: property, dataKeyType }
    const filter = toFilter({ ...custom, values: values.map((value) => toValue(value, dataKeyType, property)) })
    return { name, filter, ...(!found && { warning: describeUnknown(property, known, session.project()) }) }
  })
}

/** Asserts that built-in properties can have the values. @throws {UsageError} that names the value as it was typed. */
async function assertValues(where: readonly Where[]): Promise<void> {
  const builtIn = where.filter(({ property }) => isUserProperty(property))
  if (builtIn.length === 0) return
  // Loaded on demand, since the schemas take longer than the rest of the program.
  const { TargetOperator } = await import('@burgee/contract/schemas')
  for (const { property, values } of builtIn) {
    for (const value of values) {
      const check = (text: string) => {
        const filters = [toFilter({ subType: property, values: [text] })]
        return TargetOperator.safeParse({ operator: 'and', filters }).error?.issues[0]?.message
      }
      const message = check(value)
      if (message === undefined) continue
      const other = value.toUpperCase()
      const hint = check(other) === undefined ? `; did you mean ${property}=${other}?` : ''
      throw new UsageError(`--where ${property}=${value}: the value ${message}${hint}`)
    }
  }
}

async function readProperties({ client, project }: Session): Promise<readonly CustomProperty[]> {
  return collect(client.listCustomProperties, { params: { project: project() } })
}

function toFilter(members: object): Filter {
  // The server validates the values.
  return { type: 'user', comparator: '=', ...members } as unknown as Filter
}

function toValue(text: string, type: CustomProperty['type'], property: string): string | number | boolean {
  if (type === 'String') return text
  const number = Number(text)
  if (type === 'Number' && Number.isFinite(number)) return number
  if (type === 'Boolean' && /^(true|false)$/.test(text)) return text === 'true'
  const expected = type === 'Number' ? 'a number' : 'true or false'
  throw new UsageError(`--where ${property}=${text}: the custom property ${property} should be ${expected}`)
}

function describeUnknown(property: string, known: readonly CustomProperty[], project: string): string {
  const byKey = known.find(({ key }) => key === property)?.propertyKey
  const nearest = byKey ?? findNearest(property, [...userProperties, ...known.map(({ propertyKey }) => propertyKey)])
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  return `project ${project} has no custom property "${property}"${hint}: the target matches only users whose customData has it`
}
