import { createHash } from 'node:crypto'
import type { ManagedKind } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { type Resource, SETTINGS_KEY } from './projectDocument.ts'

/** A member of a resource: the smallest part that a file can describe by itself. */
export interface Member {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Objects whose members are members of the resource; `*` stands for any key. Other values are described as a whole. */
const expanded: Readonly<Record<ManagedKind, readonly string[]>> = {
  customProperty: [],
  audience: [],
  variable: [],
  metric: [],
  webhook: [],
  settings: ['*', 'optIn/colors', 'staleness/*', 'staleness/*/types'],
  feature: [
    'visibility',
    'optIn',
    'variables',
    'variables/*',
    'variations',
    'variations/*',
    'variations/*/values',
    'environments',
    'environments/*'
  ]
}

/** Returns the members of a resource. */
export function membersOf(kind: ManagedKind, resource: Resource): readonly Member[] {
  const patterns = expanded[kind].map((pattern) => pattern.split('/'))
  const isExpanded = (path: readonly string[]) =>
    patterns.some((pattern) => {
      return pattern.length === path.length && pattern.every((part, index) => part === '*' || part === path[index])
    })
  const visit = (value: unknown, path: readonly string[]): readonly Member[] => {
    if (value === undefined) return []
    if (path.length > 0 && !(isExpanded(path) && isRecord(value))) return [{ path, value }]
    return Object.entries(Object(value)).flatMap(([name, member]) => visit(member, [...path, name]))
  }
  return visit(resource, [])
}

/** Returns the value at a path; `undefined` if there is none. */
export function valueAt(resource: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }, resource)
}

/** Returns a copy of a resource with another value at a path; `undefined` removes the member. */
export function withValue(resource: Resource, [name = '', ...rest]: readonly string[], value: unknown): Resource {
  const { [name]: before, ...others } = resource
  const after = rest.length === 0 ? value : withValue(isRecord(before) ? before : {}, rest, value)
  // An existing member keeps its place.
  if (after === undefined) return others
  return Object.hasOwn(resource, name) ? { ...resource, [name]: after } : { ...others, [name]: after }
}

/** Returns a path as people write it, without the empty key of the settings. */
export function formatPath(path: readonly string[]): string {
  return placeIn(path).join('.')
}

/**
 * Formats the place of a member for messages, which count targets from 1: `…environments.production, target 3: serve`.
 */
export function formatPlace(path: readonly PropertyKey[]): string {
  const place = placeIn(path.map(String))
  const index = place.findIndex((name, at) => name === 'targets' && /^\d+$/.test(place[at + 1] ?? ''))
  if (index === -1) return place.join('.')
  const member = place.slice(index + 2).join('.')
  return `${place.slice(0, index).join('.')}, target ${Number(place[index + 1]) + 1}${member === '' ? '' : `: ${member}`}`
}

/** Returns the path of a member in a file, which has the settings directly below their section. */
export function placeIn(path: readonly string[]): readonly string[] {
  return path.filter((name) => name !== SETTINGS_KEY)
}

/** Whether two values are equal. The order of object members does not count. */
export function isEqual(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

/** Returns a digest of a value, for comparisons. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, DIGEST_LENGTH)
}

const DIGEST_LENGTH = 16

/** Returns a text that is equal for equal values. Ids of targets do not count: they identify, and describe nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const isTarget = 'for' in value && 'serve' in value
  const members = Object.entries(value)
    .filter(([name, member]) => member !== undefined && !(isTarget && name === 'id'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}

/** Returns whether a path matches a pattern of `manage.ignore`, in which `*` stands for any part. */
export function createMatcher(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]+')}(\\.|$)`)
  })
  return (path) => expressions.some((expression) => expression.test(path))
}
