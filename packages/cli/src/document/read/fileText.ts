import { UsageError } from '@burgee/kit/settings'
import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap
} from 'yaml'

/** A parsed file, in which every value has a place. */
export interface FileText {
  readonly path: string
  readonly document: Document
  /** `undefined` if the text cannot be parsed. */
  readonly value: unknown
  /** The issues of the text, each with its place. */
  readonly issues: readonly string[]
  /** Returns the place of a value, or of the nearest value around it, as `flags/checkout.yaml:12:5`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string
  /** Returns the place of the name of a member, or of the nearest value around it. */
  readonly placeOfName: (path: readonly PropertyKey[]) => string
}

/** The maximum size of a file, in characters. */
const MAX_LENGTH = 5 * 1024 * 1024
const MAX_ALIASES = 100

/** Parses YAML 1.2 or JSON. @throws {UsageError} with the place of every issue. */
export function parseFileTextStrictly(path: string, text: string): FileText {
  const file = parseFileText(path, text)
  if (file.issues.length > 0) throw new UsageError(file.issues.join('\n'))
  return file
}

/** Parses YAML 1.2, of which JSON is a subset, and collects its issues. Tags and repeated keys are not allowed. */
export function parseFileText(path: string, text: string): FileText {
  if (text.length > MAX_LENGTH) return unreadable(path, [`${path} has more than 5 MiB: split it into several files`])
  const lines = new LineCounter()
  // The parser compares each key with all before it. 10,000 features take it seconds.
  const form = { merge: true, uniqueKeys: false, prettyErrors: false, version: '1.2' } as const
  const document = parseDocument(text, { ...form, lineCounter: lines })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
  const issues = [...document.errors, ...document.warnings]
    // Tags are reported below.
    .filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
    .map(({ message, pos: [offset] }) => `${at(offset)}: ${message}`)
  let aliases = 0
  let isMissingAnchor = false
  const anchors = new Set<string>()
  visit(document, (_key, node) => {
    if (isAlias(node)) {
      aliases++
      const place = at(node.range?.[0] ?? 0)
      if (anchors.has(node.source)) return
      isMissingAnchor = true
      issues.push(`${place}: there is no anchor "${node.source}"`)
      return
    }
    if (isNode(node) && node.tag && node.range) {
      issues.push(`${at(node.range[0])}: tags such as ${node.tag} are not allowed`)
    }
    if ((isScalar(node) || isCollection(node)) && node.anchor) anchors.add(node.anchor)
    if (isMap(node)) {
      issues.push(...repeatedKeys(node).map(([name, offset]) => `${at(offset)}: the key "${name}" is repeated`))
      issues.push(...lostKeys(node).map((offset) => `${at(offset)}: ${LOST_KEY} is a name that cannot be a key`))
    }
  })
  if (aliases > MAX_ALIASES) issues.push(`${path} has ${aliases} aliases, more than ${MAX_ALIASES}`)
  const isBroken = document.errors.length > 0 || isMissingAnchor
  const { value, issue } = isBroken ? {} : toValue(document, path)
  if (value === undefined) return unreadable(path, issue === undefined ? issues : [...issues, issue])
  const nodeAt = (names: readonly PropertyKey[]) =>
    names.length === 0 ? document.contents : document.getIn(names, true)
  const placeOf = (names: readonly PropertyKey[]) => {
    for (let length = names.length; length >= 0; length--) {
      const node = nodeAt(names.slice(0, length))
      if (isNode(node) && node.range) return at(node.range[0])
    }
    return path
  }
  return {
    path,
    document,
    value,
    issues,
    placeOf,
    placeOfName: (names) => {
      const parent = nodeAt(names.slice(0, -1))
      const pair = isMap(parent)
        ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(names.at(-1)))
        : undefined
      return isScalar(pair?.key) && pair.key.range ? at(pair.key.range[0]) : placeOf(names)
    }
  }
}

/** Returns the keys of a map that are there already, with their places. */
function repeatedKeys({ items }: YAMLMap): readonly (readonly [name: string, offset: number])[] {
  const known = new Set<string>()
  return items.flatMap(({ key }) => {
    // Several maps can be merged.
    if (!isScalar(key) || key.value === '<<') return []
    const name = String(key.value)
    const isRepeated = known.has(name)
    known.add(name)
    return isRepeated && key.range ? [[name, key.range[0]] as const] : []
  })
}

/** Schemas drop this member of an object without reporting an issue. */
const LOST_KEY = '__proto__'

function lostKeys({ items }: YAMLMap): readonly number[] {
  return items.flatMap(({ key }) => (isScalar(key) && key.value === LOST_KEY && key.range ? [key.range[0]] : []))
}

function unreadable(path: string, issues: readonly string[]): FileText {
  return { path, document: new Document(), value: undefined, issues, placeOf: () => path, placeOfName: () => path }
}

/** Returns the value of a document, unless aliases of aliases make it too large. */
function toValue(document: Document, path: string): { readonly value?: unknown; readonly issue?: string } {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) }
  } catch {
    return { issue: `${path} has aliases that repeat others too often` }
  }
}
