import { type Node, nameOf, nodeIn, nodesIn } from '../syntax.ts'
import type { SyntaxIndex } from './syntaxIndex.ts'

/** Whether a node is a statement that does nothing unless it is reached. Functions are hoisted. */
export function isStatement(node: Node): boolean {
  return /Statement$/.test(node.type) || node.type === 'VariableDeclaration'
}

/** Whether a statement is one of a list, which may also be empty. */
export function isInList(node: Node, { parentOf }: SyntaxIndex): boolean {
  return /^(BlockStatement|Program|StaticBlock)$/.test(parentOf(node)?.type ?? '')
}

/** Whether a branch always leaves the block that it is in. */
export function alwaysLeaves(branch: Node | undefined): boolean {
  const last = branch?.type === 'BlockStatement' ? nodesIn(branch, 'body').at(-1) : branch
  return last !== undefined && /^(Return|Throw)Statement$/.test(last.type)
}

/** Whether a block declares names that exist outside it, and cannot replace the statement that it is a branch of. */
export function hasConflictingDeclarations(block: Node, statement: Node, { parentOf, named }: SyntaxIndex): boolean {
  const body = nodesIn(block, 'body')
  const parent = parentOf(statement)
  const isAlone = parent === undefined || nodesIn(parent, 'body').length <= 1
  if (isAlone || !body.some(isScoped)) return false
  return body.flatMap(declaredNames).some((name) => named(name).some((one) => !isWithin(one, block)))
}

/** Whether a declaration belongs to its block and not to the function. */
function isScoped({ type, kind }: Node): boolean {
  return /^(Class|Function|TSEnum)Declaration$/.test(type) || kind === 'let' || kind === 'const'
}

function declaredNames(statement: Node): readonly string[] {
  const own = nameOf(nodeIn(statement, 'id'))
  const declared = nodesIn(statement, 'declarations').flatMap((one) => nameOf(nodeIn(one, 'id')) ?? [])
  return [...(own === undefined ? [] : [own]), ...declared]
}

/** Whether a node is in the text of another one. */
export function isWithin(node: Node, { start, end }: Node): boolean {
  return start <= node.start && node.end <= end
}
