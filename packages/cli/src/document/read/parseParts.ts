import { isRecord } from '@burgee/kit'
import { ProjectFile } from '../fileSchema.ts'
import { explainMistakes, type Mistake } from './mistakes.ts'

type Path = readonly PropertyKey[]

/** A file with its mistakes, and the parts without mistakes. */
export interface ParsedParts {
  readonly mistakes: readonly Mistake[]
  /** The file without the parts that have mistakes; `undefined` if nothing is left. */
  readonly content: ProjectFile | undefined
  /** Returns the path in the file of a path in the content. */
  readonly originalPath: (path: Path) => Path
  /** Whether the value at a path of the file, or a value around it, has a mistake. */
  readonly isLeftOut: (path: Path) => boolean
  /** The names of the members that were left out: references to them are no further mistakes. */
  readonly leftOutNames: ReadonlySet<string>
}

/** Checks a file with its schema. Leaves out the parts with mistakes, so that other checks can look at the rest. */
export function parseParts(value: unknown): ParsedParts {
  const left = new Set<string>()
  const mistakes: Mistake[] = []
  const isLeftOut = (path: Path) => path.some((_, index) => left.has(nameOf(path.slice(0, index + 1))))
  const leftOutNames = new Set<string>()
  for (;;) {
    const { copy, originalPath } = copyWithout(value, left)
    const { data, error } = (left.size === 0 ? ProjectFile : WithoutVersion).safeParse(copy)
    if (data) return { mistakes, content: data as ProjectFile, originalPath, isLeftOut, leftOutNames }
    const before = new Set(left)
    const found = explainMistakes(error?.issues ?? [], copy).map((one) => ({ ...one, path: originalPath(one.path) }))
    mistakes.push(...found.filter(({ path }) => !isLeftOut(path)))
    for (const { path } of found) {
      const part = smallestLeft(path, before)
      if (part.length > 0) left.add(nameOf(part))
      leftOutNames.add(String(part.at(-1)))
    }
    if (left.size === before.size) return { mistakes, content: undefined, originalPath, isLeftOut, leftOutNames }
  }
}

/** A part that is missed where it was left out, or whose substitute is refused, takes the part around it along. */
function smallestLeft(path: Path, before: ReadonlySet<string>): Path {
  return before.has(nameOf(path)) ? smallestLeft(path.slice(0, -1), before) : path
}

/** Without its first line, a file can still be checked. */
const WithoutVersion = ProjectFile.partial({ burgee: true })

function nameOf(path: Path): string {
  return JSON.stringify(path)
}

/** Returns a copy without some parts, and a function from paths in the copy to paths in the value. */
function copyWithout(value: unknown, left: ReadonlySet<string>): Pick<ParsedParts, 'originalPath'> & { copy: unknown } {
  if (left.size === 0) return { copy: value, originalPath: (path) => path }
  /** The original indexes of the items that are left, by the path of their list. */
  const indexes = new Map<string, readonly number[]>()
  return {
    copy: visit(value, []),
    originalPath: (path) => {
      const original: PropertyKey[] = []
      for (const part of path) {
        const kept = indexes.get(nameOf(original))
        original.push(kept?.[Number(part)] ?? part)
      }
      return original
    }
  }

  function visit(part: unknown, path: Path): unknown {
    if (Array.isArray(part)) {
      const kept = part.map((_, index) => index).filter((index) => !left.has(nameOf([...path, index])))
      indexes.set(nameOf(path), kept)
      return kept.map((index) => visit(part[index], [...path, index]))
    }
    if (!isRecord(part)) return part
    const isLeft = (name: string) => left.has(nameOf([...path, name]))
    const members = Object.entries(part).flatMap(([name, member]) => {
      return isLeft(name) ? [] : [[name, visit(member, [...path, name])] as const]
    })
    const substitutes = Object.entries(substitutesAt(path)).filter(([name]) => isLeft(name))
    return Object.fromEntries([...members, ...substitutes])
  }
}

/** Returns values for required members that are left out, so that the other members of the object can be checked. */
function substitutesAt(path: Path): Readonly<Record<string, unknown>> {
  if (path[0] === 'webhooks' && path.length === 2) return { url: 'https://example.com', events: ['modifiedFeature'] }
  return path.at(-2) === 'targets' ? { name: `#${String(path.at(-1))}`, for: 'everybody', serve: {} } : {}
}
