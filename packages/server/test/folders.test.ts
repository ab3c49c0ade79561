import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const src = new URL('../src', import.meta.url).pathname

/** The room of a file: its folder below `src`; none for the files beside them. */
function roomOf(file: string): string | undefined {
  const [room, ...rest] = relative(src, file).split('/')
  return rest.length > 0 ? room : undefined
}

/** The rooms that each room imports from; types count as well. */
function importsByRoom(): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    const file = join(src, name)
    const room = roomOf(file)
    if (!room || !name.endsWith('.ts')) continue
    const known = rooms.get(room) ?? rooms.set(room, new Set()).get(room)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const other = roomOf(resolve(dirname(file), path))
      if (other && other !== room) known?.add(other)
    }
  }
  return rooms
}

test('no room imports from one that imports from it, directly or by way of others', () => {
  const rooms = importsByRoom()
  const wayBack = (from: string, to: string, passed: readonly string[]): readonly string[] | undefined => {
    for (const next of rooms.get(from) ?? []) {
      if (next === to) return [...passed, next]
      if (passed.includes(next)) continue
      const way = wayBack(next, to, [...passed, next])
      if (way) return way
    }
    return undefined
  }
  expect(rooms.size).toBeGreaterThan(20)
  const cycles = [...rooms.keys()].flatMap((room) => {
    const way = wayBack(room, room, [room])
    return way ? [way.join(' → ')] : []
  })
  expect(cycles).toEqual([])
})
