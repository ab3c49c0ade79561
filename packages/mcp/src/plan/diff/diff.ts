import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@burgee/kit'
import { escapeInvisibleCharacters } from '@burgee/kit/text'
import { formatQuoted } from '../../results/formatQuoted.ts'
import type { Change, Location } from './change.ts'
import type { DiffNode, ListItem, ObjectNode } from './diffNode.ts'

/** Returns the differences between two trees, in the order of their parts. */
export function diff(
  before: DiffNode | undefined,
  after: DiffNode | undefined,
  at: Location = { path: '' }
): readonly Change[] {
  if (before?.type === 'list' || after?.type === 'list') return diffItems(itemsOf(before), itemsOf(after), at)
  if (before?.type === 'object' || after?.type === 'object') return diffMembers(before, after, at)
  const { value: from, text: fromText } = before ?? {}
  const { value: to, text: toText } = after ?? {}
  return diffValues(from, to, at, { fromText, toText })
}

/** The longest JSON of a value that is shown whole; of longer ones only the differing parts are shown. */
const MAX_UNSPLIT = 200

interface Texts {
  readonly fromText?: string | undefined
  readonly toText?: string | undefined
}

function diffValues(from: unknown, to: unknown, at: Location, texts: Texts = {}): readonly Change[] {
  if (isDeepStrictEqual(from, to)) return []
  if (Math.max(JSON.stringify(from)?.length ?? 0, JSON.stringify(to)?.length ?? 0) > MAX_UNSPLIT) {
    if (Array.isArray(from) && Array.isArray(to)) return diffLists(from, to, at)
    if (isRecord(from) && isRecord(to)) {
      const names = new Set([...Object.keys(from), ...Object.keys(to)])
      return [...names].flatMap((name) => diffValues(from[name], to[name], memberOf(at, name)))
    }
  }
  return [change(at, from, to, texts)]
}

/** Returns added and removed items. If there are none, the order has changed. */
function diffLists(from: readonly unknown[], to: readonly unknown[], at: Location): readonly Change[] {
  const [earlier, later] = [from, to].map((list) => new Set(list.map((item) => JSON.stringify(item))))
  const removed = from.filter((item) => !later?.has(JSON.stringify(item)))
  const added = to.filter((item) => !earlier?.has(JSON.stringify(item)))
  const [before, after] = [removed[0], added[0]]
  // One removed and one added item count as a modified item.
  if (removed.length === 1 && added.length === 1) return diffValues(before, after, within(at, `[${to.indexOf(after)}]`))
  if (removed.length === 0 && added.length === 0) return [change(within(at, ' (order)'), from, to)]
  return [
    ...(removed.length > 0 ? [change(within(at, ' (removed)'), removed, undefined)] : []),
    ...(added.length > 0 ? [change(within(at, ' (added)'), undefined, added)] : [])
  ]
}

function diffMembers(before: DiffNode | undefined, after: DiffNode | undefined, at: Location): readonly Change[] {
  const [earlier, later] = [membersOf(before), membersOf(after)]
  const isByEnvironment = [before, after].some((node) => node?.type === 'object' && node.isByEnvironment)
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)])
  return [...names].flatMap((name) => {
    const location = memberOf(at, name)
    return diff(
      earlier[name],
      later[name],
      isByEnvironment ? { path: location.path, label: '', environment: name } : location
    )
  })
}

/** Returns the differences between two lists. Added and removed items are shown in full. */
function diffItems(before: readonly ListItem[], after: readonly ListItem[], at: Location): readonly Change[] {
  const earlier = new Map(before.map((item) => [item.id, item]))
  const later = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !later.has(id))
  return [
    ...removed.map((item) => change(itemOf(at, item), toData(item.node), undefined, { fromText: toText(item.node) })),
    ...after.flatMap((item) => {
      const known = earlier.get(item.id)
      if (known) return diff(known.node, item.node, itemOf(at, known))
      return [change(itemOf(at, item), undefined, toData(item.node), { toText: toText(item.node) })]
    }),
    ...diffOrder(
      before.filter(({ id }) => later.has(id)),
      after.filter(({ id }) => earlier.has(id)),
      at
    )
  ]
}

function diffOrder(before: readonly ListItem[], after: readonly ListItem[], at: Location): readonly Change[] {
  if (before.every(({ id }, index) => id === after[index]?.id)) return []
  const isUnique = new Set(before.map(({ name }) => name)).size === before.length
  const nameOf = ({ name, id }: ListItem) => (isUnique ? name : `${name} (${id})`)
  const [word = ''] = before[0]?.label.split(' ') ?? []
  const label = join(at.label, `order of ${word}s`)
  return [change({ ...at, path: `${at.path} (order)`, label }, before.map(nameOf), after.map(nameOf))]
}

/** Returns a node in the form of the API. */
function toData(node: DiffNode): unknown {
  if (node.type === 'value') return node.value
  if (node.type === 'list') return node.items.map(({ node }) => toData(node))
  const present = Object.entries(node.members).flatMap(([name, one]) => (one ? [[name, toData(one)]] : []))
  return Object.fromEntries(present)
}

/** Returns a node in words. Names of items are omitted, since their labels contain them. */
function toText(node: DiffNode): string {
  if (node.type === 'value') return node.text ?? escapeInvisibleCharacters(JSON.stringify(node.value) ?? '')
  if (node.type === 'list') return node.items.map(({ label, node }) => `${label} (${toText(node)})`).join(', ')
  const present = Object.entries(node.members).flatMap(([name, one]) => (one && name !== 'name' ? [{ name, one }] : []))
  return present.map(({ name, one }) => [labelOf(name), toText(one)].filter(Boolean).join(': ')).join('; ')
}

function membersOf(node: DiffNode | undefined): ObjectNode['members'] {
  return node?.type === 'object' ? node.members : {}
}

function itemsOf(node: DiffNode | undefined): readonly ListItem[] {
  return node?.type === 'list' ? node.items : []
}

function memberOf(at: Location, name: string): Location {
  const shown = /^[\w.-]+$/.test(name) ? name : formatQuoted(name)
  return {
    ...at,
    path: at.path === '' ? shown : `${at.path}.${shown}`,
    label: join(at.label, labelOf(name))
  }
}

function itemOf(at: Location, { segment, label }: ListItem): Location {
  return { ...at, path: `${at.path}${segment}`, label: join(at.label, label) }
}

function within(at: Location, suffix: string): Location {
  return { ...at, path: `${at.path}${suffix}`, ...(at.label === undefined ? {} : { label: `${at.label}${suffix}` }) }
}

function join(parent: string | undefined, label: string): string {
  return [parent, label].filter(Boolean).join(' › ')
}

/** Returns the name of a member in words. It is empty for lists and groups, whose items and members are labelled. */
function labelOf(name: string): string {
  return labels[name] ?? (/^[\w.-]+$/.test(name) ? name : formatQuoted(name))
}

const labels: Readonly<Record<string, string>> = {
  bucketingKey: 'bucketing key',
  client: 'visible to client SDKs',
  configurations: '',
  controlVariation: 'control variation',
  distribution: 'serves',
  mobile: 'visible to mobile SDKs',
  optInEnabled: 'opt-in',
  overrides: '',
  publicDescription: 'public description',
  publicName: 'public name',
  sdkVisibility: '',
  server: 'visible to server SDKs',
  settings: '',
  staticVariation: 'variation for all users',
  summary: '',
  svcUserId: 'identity',
  targets: '',
  validationSchema: 'validation schema',
  variables: '',
  variations: ''
}

function change(at: Location, from: unknown, to: unknown, { fromText, toText }: Texts = {}): Change {
  return {
    ...at,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(fromText === undefined ? {} : { fromText }),
    ...(toText === undefined ? {} : { toText })
  }
}
