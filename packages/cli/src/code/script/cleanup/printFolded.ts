import { childrenOf, type Node, nodeIn } from '../syntax.ts'
import { isCondition, withParentheses } from './expressions.ts'
import { keptBranch, knownValue, type Value, valueOfMember } from './knownValue.ts'
import { dedent, indentOf, lineBreakAfter } from './lines.ts'
import { alwaysLeaves, hasConflictingDeclarations, isInList, isStatement } from './statements.ts'
import type { SyntaxIndex } from './syntaxIndex.ts'

/** A script, and what is replaced in it. */
interface Folding {
  readonly text: string
  readonly index: SyntaxIndex
  /** The nodes with a known value. */
  readonly known: ReadonlyMap<Node, Value>
  /** The declarations that are removed, since their values replace their names. */
  readonly inlined: ReadonlySet<Node>
}

/** Returns the text of a node with known values in the place of their nodes, and without the branches they decide. */
export function printFolded(node: Node, folding: Folding): string {
  const found = knownValue(node, folding.known)
  if (found) return printValue(node, found.value, folding)
  return printDecided(node, folding) ?? printRange(node, node.start, node.end, folding)
}

/** An object after an arrow would be a block, and a negative number after a minus a decrement. */
function printValue(node: Node, value: Value, { text, index }: Folding): string {
  const literal = formatLiteral(value)
  const isBody = index.parentOf(node)?.type === 'ArrowFunctionExpression'
  const needsParentheses =
    typeof value === 'number'
      ? value < 0 && text[node.start - 1] === '-'
      : typeof value === 'object' && value !== null && isBody
  return needsParentheses ? `(${literal})` : literal
}

/** Formats a value as JavaScript: texts with single quotes. */
function formatLiteral(value: Value): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Returns the text of a node whose test or operand is decided; `undefined` for all others. */
function printDecided(node: Node, folding: Folding): string | undefined {
  if (node.type === 'IfStatement') return printIf(node, folding)
  const operand =
    node.type === 'ConditionalExpression'
      ? keptBranch(node, folding.known)
      : node.type === 'LogicalExpression'
        ? keptOperand(node, folding)
        : undefined
  return operand && withParentheses(operand, printFolded(operand, folding), folding.index)
}

/** Returns the operand to which a logical expression without a known value is reduced. */
function keptOperand(node: Node, { index, known }: Folding): Node | undefined {
  if (valueOfMember(node, 'left', known)) return nodeIn(node, 'right')
  const right = valueOfMember(node, 'right', known)
  // In a condition, `x && true` is `x`.
  const isNeutral = right && (node.operator === '&&' ? Boolean(right.value) : node.operator === '||' && !right.value)
  return isNeutral && isCondition(node, index) ? nodeIn(node, 'left') : undefined
}

function printIf(node: Node, folding: Folding): string | undefined {
  const { index, known } = folding
  if (!valueOfMember(node, 'test', known)) return printWithoutElse(node, folding)
  const branch = keptBranch(node, known)
  if (!branch) return isInList(node, index) || index.parentOf(node)?.alternate === node ? '' : '{}'
  if (!isInList(node, index) || branch.type !== 'BlockStatement') return printFolded(branch, folding)
  // Declarations of the block would join those of the block around it.
  if (hasConflictingDeclarations(branch, node, index)) return printFolded(branch, folding)
  return dedent(printBody(branch, folding), indentOf(node, folding.text))
}

/** Returns the text of an `if` whose `else if` is removed; `undefined` if it stays. */
function printWithoutElse(node: Node, folding: Folding): string | undefined {
  const [test, consequent, alternate] = [nodeIn(node, 'test'), nodeIn(node, 'consequent'), nodeIn(node, 'alternate')]
  if (!test || !consequent || alternate?.type !== 'IfStatement') return undefined
  if (printIf(alternate, folding)?.trim() !== '') return undefined
  const { text } = folding
  const [head, between] = [text.slice(node.start, test.start), text.slice(test.end, consequent.start)]
  return head + printFolded(test, folding) + between + printFolded(consequent, folding)
}

/** Returns the text between the braces of a block, without the white space around it. */
function printBody(block: Node, folding: Folding): string {
  return printRange(block, block.start + 1, block.end - 1, folding)
    .replace(/^[ \t]*\r?\n/, '')
    .trimEnd()
}

/** Returns a part of the text of a node, with its children printed. */
function printRange(node: Node, from: number, to: number, folding: Folding): string {
  const { text, index, known, inlined } = folding
  let printed = ''
  let at = from
  let isUnreachable = false
  for (const child of [...childrenOf(node)].sort((one, other) => one.start - other.start)) {
    // Some trees have a node twice, as for shorthand members.
    if (child.start < at || child.end > to) continue
    const isRemoved = inlined.has(child) || (isUnreachable && isStatement(child))
    const piece = isRemoved ? '' : printFolded(child, folding)
    printed += text.slice(at, child.start)
    at = child.end
    if (piece === '' && child.end > child.start) {
      printed = printed.replace(/[ \t]+$/, '')
      at += lineBreakAfter(text.slice(at, to)).length
    } else printed += piece
    if (child.type === 'IfStatement' && isInList(child, index) && alwaysLeaves(keptBranch(child, known)))
      isUnreachable = true
  }
  return printed + text.slice(at, to)
}
