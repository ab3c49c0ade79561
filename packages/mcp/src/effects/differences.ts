import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../confirmation/effect.ts'
import { quoted } from '../quoted.ts'
import type { Item, Part } from './comparable.ts'

/** What would be different, and nothing else: in the order in which the parts stand. */
export function differences(before: Part | undefined, after: Part | undefined, place = ''): readonly Change[] {
  if (before?.type === 'items' || after?.type === 'items') return ofItems(itemsOf(before), itemsOf(after), place)
  if (before?.type === 'members' || after?.type === 'members') {
    return ofMembers(membersOf(before), membersOf(after), place)
  }
  return ofValues(before?.value, after?.value, place)
}

/** How long a value is at most that is told whole, in characters of JSON: in longer ones it is told what differs. */
const TOLD_WHOLE = 200

function ofValues(from: unknown, to: unknown, place: string): readonly Change[] {
  if (isDeepStrictEqual(from, to)) return []
  if (Math.max(JSON.stringify(from)?.length ?? 0, JSON.stringify(to)?.length ?? 0) > TOLD_WHOLE) {
    if (Array.isArray(from) && Array.isArray(to)) return ofLists(from, to, place)
    if (isObject(from) && isObject(to)) {
      const names = new Set([...Object.keys(from), ...Object.keys(to)])
      return [...names].flatMap((name) => ofValues(from[name], to[name], placeIn(place, name)))
    }
  }
  return [change(place, from, to)]
}

/** What came and what went; where nothing did, it is the order. */
function ofLists(from: readonly unknown[], to: readonly unknown[], place: string): readonly Change[] {
  const [earlier, later] = [from, to].map((list) => new Set(list.map((item) => JSON.stringify(item))))
  const removed = from.filter((item) => !later?.has(JSON.stringify(item)))
  const added = to.filter((item) => !earlier?.has(JSON.stringify(item)))
  // What is one by one the same thing, changed, is told by what of it changed.
  const [gone, come] = [removed[0], added[0]]
  if (removed.length === 1 && added.length === 1) return ofValues(gone, come, `${place}[${to.indexOf(come)}]`)
  if (removed.length === 0 && added.length === 0) return [change(`${place} (order)`, from, to)]
  return [
    ...(removed.length > 0 ? [change(`${place} (removed)`, removed, undefined)] : []),
    ...(added.length > 0 ? [change(`${place} (added)`, undefined, added)] : [])
  ]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function ofMembers(before: NamedParts, after: NamedParts, place: string): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => differences(before[name], after[name], placeIn(place, name)))
}

/** An item that came or went is told whole: what is lost with it should be seen. */
function ofItems(before: readonly Item[], after: readonly Item[], place: string): readonly Change[] {
  const earlier = new Map(before.map((item) => [item.id, item]))
  const later = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !later.has(id))
  return [
    ...removed.map((item) => change(`${place}${item.place}`, dataOf(item.part), undefined)),
    ...after.flatMap((item) => {
      const known = earlier.get(item.id)
      if (!known) return [change(`${place}${item.place}`, undefined, dataOf(item.part))]
      return differences(known.part, item.part, `${place}${known.place}`)
    }),
    ...ofOrder(
      before.filter(({ id }) => later.has(id)),
      after.filter(({ id }) => earlier.has(id)),
      place
    )
  ]
}

function ofOrder(before: readonly Item[], after: readonly Item[], place: string): readonly Change[] {
  if (before.every(({ id }, index) => id === after[index]?.id)) return []
  const isOnly = new Set(before.map(({ name }) => name)).size === before.length
  const nameOf = ({ name, id }: Item) => (isOnly ? name : `${name} (${id})`)
  return [change(`${place} (order)`, before.map(nameOf), after.map(nameOf))]
}

/** A part as the API would have it. */
function dataOf(part: Part): unknown {
  if (part.type === 'value') return part.value
  if (part.type === 'items') return part.items.map(({ part }) => dataOf(part))
  const given = Object.entries(part.members).flatMap(([name, one]) => (one ? [[name, dataOf(one)]] : []))
  return Object.fromEntries(given)
}

type NamedParts = Readonly<Record<string, Part | undefined>>

function membersOf(part: Part | undefined): NamedParts {
  return part?.type === 'members' ? part.members : {}
}

function itemsOf(part: Part | undefined): readonly Item[] {
  return part?.type === 'items' ? part.items : []
}

/** Names that people made up are quoted, unless they are of letters that keys are made of. */
function placeIn(place: string, name: string): string {
  const shown = /^[\w.-]+$/.test(name) ? name : quoted(name)
  return place === '' ? shown : `${place}.${shown}`
}

function change(place: string, from: unknown, to: unknown): Change {
  return { place, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}
