import type { FileReads, ScanOptions } from '../source/codeRead.ts'
import { linePositions } from '../source/linePositions.ts'
import { dottedName, readConstants } from './constants.ts'
import { findClients, isFromSdk } from './findClients.ts'
import { FLAG_COMPONENT, type ReadCall, readCalls, readDecorators } from './readCalls.ts'
import { createKeyResolver, type ReadModule } from './resolveKey.ts'
import {
  isCall,
  isMember,
  memberName,
  type Node,
  nameOf,
  nodeIn,
  nodesIn,
  parseScript,
  type Script,
  unwrap,
  walk
} from './syntax.ts'

/** A read as a node of the syntax tree. */
export interface ReadNode {
  readonly node: Node
  /** Empty for a dynamic read. */
  readonly keys: readonly string[]
  /** The expression of the key. */
  readonly keyNode: Node
  readonly isCertain: boolean
  readonly returns: ReadCall['returns']
}

/** What the search for reads knows besides the text. */
export interface ScriptContext extends Pick<ScanOptions, 'wrappers' | 'clients' | 'aliases' | 'knownKeys'> {
  readonly readModule: ReadModule
}

/** Finds the reads of a file of JavaScript or TypeScript. @throws {SyntaxError} if it cannot be parsed. */
export function scanScript(text: string, file: string, context: ScriptContext): FileReads {
  const script = parseScript(text, file)
  const position = linePositions(text)
  const place = ({ start, end }: Node) => ({ ...position(start), endLine: position(end).line })
  const found = findReads(script, file, context)
  const base = { file, language: languageOf(file), isTest: false }
  return {
    reads: found.flatMap(({ node, keys, isCertain }) =>
      keys.map((key) => ({ key, ...base, ...place(node), confidence: isCertain ? 'certain' : 'likely' }) as const)
    ),
    dynamic: found.flatMap(({ node, keys, keyNode }) =>
      keys.length > 0
        ? []
        : { expression: text.slice(keyNode.start, keyNode.end).slice(0, 200), ...base, ...place(node) }
    ),
    ...(script.problem && { problem: script.problem })
  }
}

function languageOf(file: string): string {
  return /\.([mc]?js|jsx)$/.test(file) ? 'javascript' : 'typescript'
}

/** Finds the reads in a syntax tree, in the order of the text. */
export function findReads(script: Script, file: string, context: ScriptContext): readonly ReadNode[] {
  const { wrappers, clients, aliases, knownKeys, readModule } = context
  const resolve = createKeyResolver(file, readConstants(script), { readModule, aliases })
  const names = findClients(script, clients)
  const found: ReadNode[] = []
  walk(script.program, (node) => {
    if (isCall(node)) addCall(node)
    else if (node.type === 'JSXOpeningElement') addElement(node)
  })
  return found.sort((one, other) => one.node.start - other.node.start)

  function addCall(node: Node) {
    const callee = nodeIn(node, 'callee')
    const inner = callee && unwrap(callee)
    const name = inner && (isMember(inner) ? memberName(inner) : nameOf(inner))
    if (!inner || name === undefined) return
    const given = nodesIn(node, 'arguments')
    const wrapper = wrappers.find((one) => one.name === name || one.name === dottedName(inner))
    if (wrapper) return addKey(node, given[wrapper.position], { isCertain: true, returns: 'value' })
    if (readDecorators.has(name)) return addDecorator(node, given[0])
    const known = readCalls.get(name)
    if (!known) return
    const source = isMember(inner) ? nodeIn(inner, 'object') : inner
    const isCertain = source !== undefined && isFromSdk(source, names)
    const { positions, isCommon, returns } = known
    const keyNode = positions.map((at) => given[at]).find((one) => one && isText(one)) ?? lastOf(given, positions)
    const keys = keyNode && resolve(keyNode)
    // Functions of other libraries have these names, too.
    if (isCommon && !isCertain && !keys?.every((key) => knownKeys?.has(key))) return
    addKey(node, keyNode, { isCertain, returns })
  }

  /** Whether an argument can be a key: a user is an object. */
  function isText(node: Node): boolean {
    return resolve(node) !== undefined
  }

  function addKey(node: Node, keyNode: Node | undefined, rest: Pick<ReadNode, 'isCertain' | 'returns'>) {
    if (!keyNode || keyNode.type === 'SpreadElement') return
    found.push({ node, keys: resolve(keyNode) ?? [], keyNode, ...rest })
  }

  function addDecorator(node: Node, options: Node | undefined) {
    for (const property of nodesIn(options ?? node, 'properties')) {
      const name = nameOf(nodeIn(property, 'key'))
      const value = nodeIn(property, 'value')
      if (name === 'flagKey') addKey(node, value, { isCertain: true, returns: 'other' })
      if (name === 'flags') for (const flag of nodesIn(value ?? node, 'elements')) addDecorator(node, flag)
    }
  }

  function addElement(node: Node) {
    if (nameOf(nodeIn(node, 'name')) !== FLAG_COMPONENT) return
    for (const attribute of nodesIn(node, 'attributes')) {
      if (nameOf(nodeIn(attribute, 'name')) !== 'flagKey') continue
      const value = nodeIn(attribute, 'value')
      const expression = value?.type === 'JSXExpressionContainer' ? nodeIn(value, 'expression') : value
      addKey(node, expression, { isCertain: names.has(FLAG_COMPONENT), returns: 'other' })
    }
  }
}

/** The argument that is the key if none is a text: the user comes first where there is one. */
function lastOf(given: readonly Node[], positions: readonly number[]): Node | undefined {
  // Two arguments of a call with or without a user are a key and a default, or a user and a key: unknown.
  return positions.length === 1 ? given[positions[0] ?? 0] : given[given.length > 2 ? 1 : 0]
}
