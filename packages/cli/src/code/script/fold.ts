import type { ReadNode } from './scanScript.ts'
import {
  childrenOf,
  isCall,
  isMember,
  memberName,
  type Node,
  nameOf,
  nodeIn,
  nodesIn,
  type Script,
  unwrap,
  walk
} from './syntax.ts'

/** A value of a variable, as JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [member: string]: Value }

/** The result of putting a value in the place of reads. */
export interface Folded {
  readonly text: string
  /** The reads that a person has to replace. */
  readonly left: readonly Node[]
}

/**
 * Puts a value in the place of reads, and removes the branches that it decides. All other text stays as it is. What
 * became unused is left to `removeUnused`.
 */
export function foldReads({ text, program }: Script, reads: readonly ReadNode[], value: Value): Folded {
  const parents = new Map<Node, Node | undefined>()
  const byName = new Map<string, Node[]>()
  walk(program, (node, parent) => {
    parents.set(node, parent)
    const name = nameOf(node)
    if (name !== undefined && node.type !== 'StringLiteral') byName.set(name, [...(byName.get(name) ?? []), node])
  })
  /** The nodes with a known value. */
  const known = new Map<Node, Value>()
  /** The declarations whose value is put in the place of their name. */
  const inlined = new Set<Node>()
  const left = reads.filter((read) => !replaceRead(read)).map(({ node }) => node)
  return { text: print(program), left }

  function replaceRead({ node, returns, keys }: ReadNode): boolean {
    if (keys.length !== 1 || returns === 'other') return false
    let replaced = withAwait(node)
    if (returns === 'object') {
      const access = outer(replaced)
      if (!access || !isMember(access) || memberName(access) !== 'value') return false
      replaced = access
    }
    known.set(replaced, value)
    inline(replaced)
    return true
  }

  function withAwait(node: Node): Node {
    const parent = outer(node)
    return parent?.type === 'AwaitExpression' ? parent : node
  }

  /** The parent of a node, without parentheses and type assertions. */
  function outer(node: Node): Node | undefined {
    const parent = parents.get(node)
    return parent && unwrap(parent) !== parent ? outer(parent) : parent
  }

  /** Puts the value in the place of a constant: `const isOn = …`. Only scalars, which are no longer than a name. */
  function inline(node: Node) {
    const declarator = outer(node)
    const declaration = declarator && parents.get(declarator)
    const name = declarator?.type === 'VariableDeclarator' ? nameOf(nodeIn(declarator, 'id')) : undefined
    if (!declarator || name === undefined || declaration?.kind !== 'const' || typeof value === 'object') return
    if (nodesIn(declaration, 'declarations').length > 1) return
    if (parents.get(declaration)?.type === 'ExportNamedDeclaration') return
    const named = (byName.get(name) ?? []).filter((one) => one !== nodeIn(declarator, 'id') && isReference(one))
    // A second declaration of the name could hide the first, and shorthand members need their name.
    if ((byName.get(name) ?? []).some((one) => isOtherBinding(one, declarator) || isShorthand(one))) return
    inlined.add(declaration)
    for (const reference of named) known.set(reference, value)
  }

  function isReference(node: Node): boolean {
    const parent = parents.get(node)
    if (!parent) return false
    if (isMember(parent) && parent.property === node && parent.computed !== true) return false
    return !(
      /^(ObjectProperty|ObjectMethod|ClassMethod|ClassProperty|TSPropertySignature)$/.test(parent.type) &&
      parent.key === node &&
      parent.computed !== true
    )
  }

  function isShorthand(node: Node): boolean {
    const parent = parents.get(node)
    return (parent?.type === 'ObjectProperty' && parent.shorthand === true) || parent?.type === 'ExportSpecifier'
  }

  function isOtherBinding(node: Node, declarator: Node): boolean {
    const parent = parents.get(node)
    if (!parent || parent === declarator) return false
    if (parent.type === 'VariableDeclarator') return parent.id === node
    if (/Function|ClassMethod|ObjectMethod|CatchClause/.test(parent.type)) return parent.body !== node
    if (parent.type === 'AssignmentExpression' || parent.type === 'AssignmentPattern') return parent.left === node
    return /^(UpdateExpression|ArrayPattern|RestElement|Import\w*Specifier|ClassDeclaration)$/.test(parent.type)
  }

  /** Returns the value of an expression, if the reads decide it. */
  function knownValue(node: Node): { readonly value: Value } | undefined {
    const inner = unwrap(node)
    const own = known.get(node) ?? known.get(inner)
    if (own !== undefined || known.has(inner)) return { value: own ?? null }
    if (inner.type === 'UnaryExpression' && inner.operator === '!') {
      const argument = nodeIn(inner, 'argument')
      const found = argument && knownValue(argument)
      return found && { value: !found.value }
    }
    if (inner.type === 'LogicalExpression') return valueOfLogical(inner)
    if (inner.type === 'BinaryExpression') return valueOfComparison(inner)
    if (inner.type === 'ConditionalExpression') {
      const test = nodeIn(inner, 'test')
      const found = test && knownValue(test)
      const branch = found && nodeIn(inner, found.value ? 'consequent' : 'alternate')
      return branch && knownValue(branch)
    }
    if (isCall(inner) && nameOf(nodeIn(inner, 'callee')) === 'Boolean') {
      const [first] = nodesIn(inner, 'arguments')
      const found = first && knownValue(first)
      return found && { value: Boolean(found.value) }
    }
    return undefined
  }

  function valueOfLogical(node: Node): { readonly value: Value } | undefined {
    const [left, right] = [nodeIn(node, 'left'), nodeIn(node, 'right')]
    const found = left && knownValue(left)
    if (!found || !right) return undefined
    const isDecided =
      node.operator === '&&' ? !found.value : node.operator === '||' ? Boolean(found.value) : found.value !== null
    return isDecided ? found : knownValue(right)
  }

  function valueOfComparison(node: Node): { readonly value: Value } | undefined {
    const [left, right] = [nodeIn(node, 'left'), nodeIn(node, 'right')]
    if (!left || !right || !/^[!=]==?$/.test(String(node.operator))) return undefined
    const [one, other] = [knownValue(left) ?? literalOf(left), knownValue(right) ?? literalOf(right)]
    // A comparison of two literals is not ours.
    if (!one || !other || (!knownValue(left) && !knownValue(right))) return undefined
    const isEqual = one.value === other.value
    return { value: String(node.operator).startsWith('!') ? !isEqual : isEqual }
  }

  function literalOf(node: Node): { readonly value: Value } | undefined {
    const inner = unwrap(node)
    if (inner.type === 'NullLiteral') return { value: null }
    if (!/^(String|Numeric|Boolean)Literal$/.test(inner.type)) return undefined
    const { value } = inner
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? { value } : undefined
  }

  /** Returns the text of a node after the replacements in it. */
  function print(node: Node): string {
    const found = knownValue(node)
    if (found)
      return needsParentheses(node, found.value) ? `(${formatLiteral(found.value)})` : formatLiteral(found.value)
    return printFolded(node) ?? printRange(node, node.start, node.end)
  }

  /** An object after an arrow would be a block, and a negative number after a minus a decrement. */
  function needsParentheses(node: Node, literal: Value): boolean {
    if (typeof literal === 'number') return literal < 0 && text[node.start - 1] === '-'
    const isBody = parents.get(node)?.type === 'ArrowFunctionExpression'
    return typeof literal === 'object' && literal !== null && isBody
  }

  /** Returns the text of a node whose test is decided; `undefined` for all others. */
  function printFolded(node: Node): string | undefined {
    if (node.type === 'IfStatement') return printIf(node)
    if (node.type === 'ConditionalExpression') {
      const test = nodeIn(node, 'test')
      const found = test && knownValue(test)
      const branch = found && nodeIn(node, found.value ? 'consequent' : 'alternate')
      return branch && inParentheses(branch, print(branch))
    }
    if (node.type === 'LogicalExpression') {
      const [left, right] = [nodeIn(node, 'left'), nodeIn(node, 'right')]
      if (left && right && knownValue(left)) return inParentheses(right, print(right))
      const found = right && knownValue(right)
      // In a condition, `x && true` is `x`.
      const isNeutral =
        found && (node.operator === '&&' ? Boolean(found.value) : node.operator === '||' && !found.value)
      if (left && isNeutral && isCondition(node)) return inParentheses(left, print(left))
    }
    return undefined
  }

  function inParentheses(node: Node, printed: string): string {
    const needs =
      /^(SequenceExpression|AssignmentExpression|ConditionalExpression|LogicalExpression|ArrowFunctionExpression|YieldExpression|BinaryExpression|AwaitExpression)$/
    const parent = parents.get(parents.get(node) ?? node)
    const isAlone =
      !parent ||
      /^(VariableDeclarator|ReturnStatement|ExpressionStatement|JSXExpressionContainer|ArrowFunctionExpression|IfStatement|CallExpression|OptionalCallExpression|NewExpression|AssignmentExpression|ObjectProperty|ArrayExpression|TemplateLiteral)$/.test(
        parent.type
      )
    return needs.test(unwrap(node).type) && !isAlone && !printed.startsWith('(') ? `(${printed})` : printed
  }

  function isCondition(node: Node): boolean {
    const parent = outer(node)
    if (!parent) return false
    if (/^(IfStatement|ConditionalExpression|WhileStatement)$/.test(parent.type))
      return parent.test !== undefined && within(parent.test, node)
    if (parent.type === 'UnaryExpression') return parent.operator === '!'
    return parent.type === 'LogicalExpression' && isCondition(parent)
  }

  function within(part: unknown, node: Node): boolean {
    return typeof part === 'object' && part !== null && 'start' in part && 'end' in part
      ? Number(part.start) <= node.start && node.end <= Number(part.end)
      : false
  }

  function printIf(node: Node): string | undefined {
    const [test, consequent, alternate] = [nodeIn(node, 'test'), nodeIn(node, 'consequent'), nodeIn(node, 'alternate')]
    const found = test && knownValue(test)
    if (!found) {
      // An else that falls away.
      if (!test || !consequent || !alternate || alternate.type !== 'IfStatement') return undefined
      if (printIf(alternate)?.trim() !== '') return undefined
      return (
        text.slice(node.start, test.start) + print(test) + text.slice(test.end, consequent.start) + print(consequent)
      )
    }
    const branch = found.value ? consequent : alternate
    if (!branch) return isInList(node) ? '' : isAlternate(node) ? '' : '{}'
    if (!isInList(node) || branch.type !== 'BlockStatement') return print(branch)
    const body = nodesIn(branch, 'body')
    // Declarations of a block would join those of the block around it.
    const declares = body.some(
      ({ type, kind }) => /^(Class|Function|TSEnum)Declaration$/.test(type) || kind === 'let' || kind === 'const'
    )
    if (declares && hasOtherStatements(node)) {
      const names = new Set(body.flatMap(declaredNames))
      if ([...names].some((name) => (byName.get(name) ?? []).some((one) => !within(branch, one)))) return print(branch)
    }
    return dedent(printBody(branch), indentOf(node))
  }

  function declaredNames(statement: Node): readonly string[] {
    const own = nameOf(nodeIn(statement, 'id'))
    const declared = nodesIn(statement, 'declarations').flatMap((one) => nameOf(nodeIn(one, 'id')) ?? [])
    return [...(own === undefined ? [] : [own]), ...declared]
  }

  function hasOtherStatements(node: Node): boolean {
    const parent = parents.get(node)
    return parent !== undefined && nodesIn(parent, 'body').length > 1
  }

  function isInList(node: Node): boolean {
    const parent = parents.get(node)
    return parent?.type === 'BlockStatement' || parent?.type === 'Program' || parent?.type === 'StaticBlock'
  }

  function isAlternate(node: Node): boolean {
    return parents.get(node)?.alternate === node
  }

  /** Returns the text between the braces of a block, without the white space around it. */
  function printBody(block: Node): string {
    return printRange(block, block.start + 1, block.end - 1)
      .replace(/^[ \t]*\r?\n/, '')
      .trimEnd()
  }

  /** Returns a part of the text of a node, with its children printed. */
  function printRange(node: Node, from: number, to: number): string {
    let printed = ''
    let at = from
    let isDead = false
    for (const child of [...childrenOf(node)].sort((one, other) => one.start - other.start)) {
      // Some trees have a node twice, as for shorthand members.
      if (child.start < at || child.end > to) continue
      const isRemoved = inlined.has(child) || (isDead && isStatement(child))
      const piece = isRemoved ? '' : print(child)
      const gap = text.slice(at, child.start)
      printed = piece === '' && child.end > child.start ? joinRemoved(printed + gap) : printed + gap + piece
      at = child.end
      if (piece === '' && child.end > child.start) at = skipLine(at, to)
      if (child.type === 'IfStatement' && isInList(child) && decided(child) && endsFlow(child)) isDead = true
    }
    return printed + text.slice(at, to)
  }

  function isStatement(node: Node): boolean {
    return /Statement$/.test(node.type) || node.type === 'VariableDeclaration'
  }

  function decided(node: Node): boolean {
    const test = nodeIn(node, 'test')
    return test !== undefined && knownValue(test) !== undefined
  }

  /** Whether the branch that a decided `if` keeps always leaves the block. */
  function endsFlow(node: Node): boolean {
    const test = nodeIn(node, 'test')
    const found = test && knownValue(test)
    const branch = found && nodeIn(node, found.value ? 'consequent' : 'alternate')
    const last = branch?.type === 'BlockStatement' ? nodesIn(branch, 'body').at(-1) : branch
    return last !== undefined && /^(Return|Throw)Statement$/.test(last.type)
  }

  /** The text before something that was removed, without the indentation of its line. */
  function joinRemoved(before: string): string {
    return before.replace(/[ \t]+$/, '')
  }

  /** The offset after the line break that follows what was removed, and after one empty line. */
  function skipLine(at: number, to: number): number {
    const [found = ''] = /^[ \t]*;?[ \t]*\r?\n/.exec(text.slice(at, to)) ?? []
    return at + found.length
  }

  function indentOf(node: Node): string {
    const start = text.lastIndexOf('\n', node.start - 1) + 1
    return /^[ \t]*/.exec(text.slice(start, node.start))?.[0] ?? ''
  }
}

/** Moves lines to an indentation. The first line has none, since it stands where the statement stood. */
function dedent(body: string, indent: string): string {
  const lines = body.split('\n')
  const own = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const smallest = Math.min(...own)
  return lines
    .map((line, index) => (line.trim() === '' ? '' : `${index === 0 ? '' : indent}${line.slice(smallest)}`))
    .join('\n')
}

/** Formats a value as JavaScript: texts with single quotes. */
function formatLiteral(value: Value): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
