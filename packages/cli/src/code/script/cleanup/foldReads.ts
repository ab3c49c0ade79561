import type { ReadNode } from '../scanScript.ts'
import { isMember, memberName, type Node, type Script } from '../syntax.ts'
import { findInlinable } from './findInlinable.ts'
import type { Value } from './knownValue.ts'
import { printFolded } from './printFolded.ts'
import { indexSyntax, type SyntaxIndex } from './syntaxIndex.ts'

/** The result of replacing reads by a value. */
export interface Folded {
  readonly text: string
  /** The reads that a person has to replace. */
  readonly left: readonly Node[]
}

/**
 * Replaces reads by a value, and removes the branches that the value decides. All other text stays as it is. Constants
 * and imports that became unused are left to `removeUnused`. Constants whose names are `pinned` stay, because text
 * outside the script uses them.
 */
export function foldReads(
  { text, program }: Script,
  reads: readonly ReadNode[],
  value: Value,
  pinned: ReadonlySet<string> = new Set()
): Folded {
  const index = indexSyntax(program)
  const known = new Map<Node, Value>()
  const inlined = new Set<Node>()
  const left: Node[] = []
  for (const read of reads) {
    const expression = replacedExpression(read, index)
    if (!expression) {
      left.push(read.node)
      continue
    }
    known.set(expression, value)
    // Scalars only, which are no longer than a name.
    const constant = typeof value === 'object' ? undefined : findInlinable(expression, index, pinned)
    if (!constant) continue
    inlined.add(constant.declaration)
    for (const reference of constant.references) known.set(reference, value)
  }
  return { text: printFolded(program, { text, index, known, inlined }), left }
}

/** Returns the expression of a read whose result is the value: with its `await`, and `.value` of an object. */
function replacedExpression({ node, returns, keys }: ReadNode, { outerOf }: SyntaxIndex): Node | undefined {
  if (keys.length !== 1 || returns === 'other') return undefined
  const parent = outerOf(node)
  const awaited = parent?.type === 'AwaitExpression' ? parent : node
  if (returns !== 'object') return awaited
  const access = outerOf(awaited)
  return access && isMember(access) && memberName(access) === 'value' ? access : undefined
}
