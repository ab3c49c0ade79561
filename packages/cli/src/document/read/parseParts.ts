import { isRecord } from '@burgee/kit'
import { ProjectFile } from '../fileSchema.ts'
import { toValidationIssues, type ValidationIssue } from './validationIssues.ts'

type Path = readonly PropertyKey[]

/** The issues of a file, and its parts without issues. */
export interface ParsedParts {
  readonly issues: readonly ValidationIssue[]
  /** The file without the parts that have issues; `undefined` if nothing remains. */
  readonly content: ProjectFile | undefined
  /** Returns the path in the file of a path in the content. */
  readonly originalPath: (path: Path) => Path
  /** Whether the value at a path of the file, or a value around it, has an issue. */
  readonly isOmitted: (path: Path) => boolean
  /** The names of the omitted members. References to them are not reported. */
  readonly omittedNames: ReadonlySet<string>
}

/** Checks a file with its schema. Omits the parts with issues, so that other checks can examine the rest. */
export function parseParts(value: unknown): ParsedParts {
  const omitted = new Set<string>()
  const issues: ValidationIssue[] = []
  const isOmitted = (path: Path) => path.some((_, index) => omitted.has(pathKey(path.slice(0, index + 1))))
  // A list whose items were all omitted is not empty in the file.
  const isEmptied = (path: Path) => {
    const list = path.reduce<unknown>((part, name) => Object(part)[name], value)
    return Array.isArray(list) && list.length > 0 && list.every((_, index) => omitted.has(pathKey([...path, index])))
  }
  const omittedNames = new Set<string>()
  for (;;) {
    const { copy, originalPath } = copyWithout(value, omitted)
    const { data, error } = (omitted.size === 0 ? ProjectFile : WithoutVersion).safeParse(copy)
    if (data) return { issues, content: data as ProjectFile, originalPath, isOmitted, omittedNames }
    const before = new Set(omitted)
    const found = toValidationIssues(error?.issues ?? [], copy).map((one) => ({ ...one, path: originalPath(one.path) }))
    issues.push(...found.filter(({ path }) => !isOmitted(path) && !isEmptied(path)))
    for (const { path } of found) {
      const part = partToOmit(path, before)
      if (part.length > 0) omitted.add(pathKey(part))
      omittedNames.add(String(part.at(-1)))
    }
    if (omitted.size === before.size) return { issues, content: undefined, originalPath, isOmitted, omittedNames }
  }
}

/** If a part has been omitted already and an issue remains at its path, the part that encloses it must be omitted. */
function partToOmit(path: Path, before: ReadonlySet<string>): Path {
  return before.has(pathKey(path)) ? partToOmit(path.slice(0, -1), before) : path
}

/** The version may have been omitted because of an issue. */
const WithoutVersion = ProjectFile.partial({ burgee: true })

function pathKey(path: Path): string {
  return JSON.stringify(path)
}

/** Returns a copy without some parts, and a function from paths in the copy to paths in the value. */
function copyWithout(
  value: unknown,
  omitted: ReadonlySet<string>
): Pick<ParsedParts, 'originalPath'> & { copy: unknown } {
  if (omitted.size === 0) return { copy: value, originalPath: (path) => path }
  /** The original indexes of the items that remain, by the path of their list. */
  const indexes = new Map<string, readonly number[]>()
  return {
    copy: visit(value, []),
    originalPath: (path) => {
      const original: PropertyKey[] = []
      for (const part of path) {
        const kept = indexes.get(pathKey(original))
        original.push(kept?.[Number(part)] ?? part)
      }
      return original
    }
  }

  function visit(part: unknown, path: Path): unknown {
    if (Array.isArray(part)) {
      const kept = part.map((_, index) => index).filter((index) => !omitted.has(pathKey([...path, index])))
      indexes.set(pathKey(path), kept)
      return kept.map((index) => visit(part[index], [...path, index]))
    }
    if (!isRecord(part)) return part
    const isOmittedMember = (name: string) => omitted.has(pathKey([...path, name]))
    const members = Object.entries(part).flatMap(([name, member]) => {
      return isOmittedMember(name) ? [] : [[name, visit(member, [...path, name])] as const]
    })
    const substitutes = Object.entries(substitutesAt(path)).filter(([name]) => isOmittedMember(name))
    return Object.fromEntries([...members, ...substitutes])
  }
}

/**
 * Returns substitutes for required members, which let the other members of an object be checked if these are omitted.
 */
function substitutesAt(path: Path): Readonly<Record<string, unknown>> {
  if (path[0] === 'webhooks' && path.length === 2) return { url: 'https://example.com', events: ['modifiedFeature'] }
  return path.at(-2) === 'targets' ? { name: `#${String(path.at(-1))}`, for: 'everybody', serve: {} } : {}
}
