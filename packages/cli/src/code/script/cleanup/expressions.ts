import { type Node, nodeIn, unwrap } from '../syntax.ts'
import { isWithin } from './statements.ts'
import type { SyntaxIndex } from './syntaxIndex.ts'

/** Whether only the truthiness of an expression matters. */
export function isCondition(node: Node, index: SyntaxIndex): boolean {
  const parent = index.outerOf(node)
  if (!parent) return false
  if (/^(IfStatement|ConditionalExpression|WhileStatement)$/.test(parent.type)) {
    const test = nodeIn(parent, 'test')
    return test !== undefined && isWithin(node, test)
  }
  if (parent.type === 'UnaryExpression') return parent.operator === '!'
  return parent.type === 'LogicalExpression' && isCondition(parent, index)
}

/** Adds parentheses to the text of an expression that replaces its parent, if it could join its neighbours. */
export function withParentheses(node: Node, printed: string, { parentOf }: SyntaxIndex): string {
  const around = parentOf(parentOf(node) ?? node)
  const isSafe = !around || DELIMITING.test(around.type) || !LOOSE.test(unwrap(node).type)
  return isSafe || printed.startsWith('(') ? printed : `(${printed})`
}

/** Expressions that bind looser than an operator beside them could. */
const LOOSE =
  /^(SequenceExpression|AssignmentExpression|ConditionalExpression|LogicalExpression|ArrowFunctionExpression|YieldExpression|BinaryExpression|AwaitExpression)$/

/** Nodes that delimit the expressions in them. */
const DELIMITING =
  /^(VariableDeclarator|ReturnStatement|ExpressionStatement|JSXExpressionContainer|ArrowFunctionExpression|IfStatement|CallExpression|OptionalCallExpression|NewExpression|AssignmentExpression|ObjectProperty|ArrayExpression|TemplateLiteral)$/
