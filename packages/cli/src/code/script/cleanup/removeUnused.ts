import { isMember, type Node, nameOf, nodeIn, nodesIn, parseScript, unwrap, walk } from '../syntax.ts'

/**
 * Removes imports and constants that a text used before and does not use any more. A constant goes only if its value has
 * no effect: a literal, a name, a member of an object, or a function. Names that are `pinned` stay: a text outside uses
 * them.
 */
export function removeUnused(
  before: string,
  after: string,
  file: string,
  pinned: ReadonlySet<string> = new Set()
): string {
  const usedBefore = countNames(before, file)
  for (let text = after; ; ) {
    const usedNow = countNames(text, file)
    const { program } = parseScript(text, file)
    const isGone = (name: string | undefined) =>
      name !== undefined && !pinned.has(name) && (usedNow.get(name) ?? 0) <= 1 && (usedBefore.get(name) ?? 0) > 1
    const [cut] = nodesIn(program, 'body').flatMap((statement) => removalsIn(statement, isGone))
    if (!cut) return text
    const [start, end] = cut
    const [line = ''] = /^[ \t]*;?[ \t]*\r?\n?/.exec(text.slice(end)) ?? []
    const isWholeLine = /(^|\n)[ \t]*$/.test(text.slice(0, start))
    text = text.slice(0, start) + text.slice(isWholeLine ? end + line.length : end)
  }
}

type Cut = readonly [start: number, end: number]

function removalsIn(statement: Node, isGone: (name: string | undefined) => boolean): readonly Cut[] {
  if (statement.type === 'ImportDeclaration') {
    const specifiers = nodesIn(statement, 'specifiers')
    const gone = specifiers.filter((one) => isGone(nameOf(nodeIn(one, 'local'))))
    if (gone.length === 0) return []
    if (gone.length === specifiers.length) return [[statement.start, statement.end]]
    return gone.slice(0, 1).map((one) => withComma(one, specifiers))
  }
  if (statement.type !== 'VariableDeclaration') return []
  const declarations = nodesIn(statement, 'declarations')
  const [first] = declarations
  const init = first && nodeIn(first, 'init')
  if (declarations.length !== 1 || !first || !init || !hasNoEffect(init)) return []
  return isGone(nameOf(nodeIn(first, 'id'))) ? [[statement.start, statement.end]] : []
}

/** The range of one of several named imports, with one comma. */
function withComma(specifier: Node, specifiers: readonly Node[]): Cut {
  const index = specifiers.indexOf(specifier)
  const [previous, next] = [specifiers[index - 1], specifiers[index + 1]]
  if (next) return [specifier.start, next.start]
  return [previous?.end ?? specifier.start, specifier.end]
}

function hasNoEffect(node: Node): boolean {
  const inner = unwrap(node)
  if (isMember(inner)) return true
  if (inner.type === 'ObjectExpression')
    return nodesIn(inner, 'properties').every((one) => {
      const value = nodeIn(one, 'value')
      return value !== undefined && hasNoEffect(value)
    })
  if (inner.type === 'TemplateLiteral') return nodesIn(inner, 'expressions').length === 0
  return /^(Identifier|StringLiteral|NumericLiteral|BooleanLiteral|NullLiteral|ArrowFunctionExpression|FunctionExpression)$/.test(
    inner.type
  )
}

/** Counts how often a text has each name, its declaration included. */
function countNames(text: string, file: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const seen = new Set<number>()
  walk(parseScript(text, file).program, (node) => {
    if (!/^(JSX)?Identifier$/.test(node.type) || seen.has(node.start)) return
    seen.add(node.start)
    const name = String(node.name)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  return counts
}
