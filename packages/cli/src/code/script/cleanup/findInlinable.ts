import { isMember, type Node, nameOf, nodeIn, nodesIn } from '../syntax.ts'
import type { SyntaxIndex } from './syntaxIndex.ts'

/** A constant whose value can replace its name everywhere. */
interface Inlinable {
  readonly declaration: Node
  readonly references: readonly Node[]
}

/**
 * Finds the constant that an expression initializes, for example `const isOn = …`, if its references can be replaced.
 */
export function findInlinable(
  expression: Node,
  index: SyntaxIndex,
  pinned: ReadonlySet<string>
): Inlinable | undefined {
  const declarator = index.outerOf(expression)
  const declaration = declarator && index.parentOf(declarator)
  if (declarator?.type !== 'VariableDeclarator' || declaration?.kind !== 'const') return undefined
  const id = nodeIn(declarator, 'id')
  const name = nameOf(id)
  if (name === undefined || pinned.has(name)) return undefined
  if (nodesIn(declaration, 'declarations').length > 1) return undefined
  if (index.parentOf(declaration)?.type === 'ExportNamedDeclaration') return undefined
  const named = index.named(name)
  // A second declaration of the name could hide the first, and shorthand members need their name.
  if (named.some((one) => isOtherBinding(one, declarator, index) || isShorthand(one, index))) return undefined
  return { declaration, references: named.filter((one) => one !== id && isReference(one, index)) }
}

function isReference(node: Node, { parentOf }: SyntaxIndex): boolean {
  const parent = parentOf(node)
  if (!parent) return false
  if (isMember(parent) && parent.property === node && parent.computed !== true) return false
  return !(
    /^(ObjectProperty|ObjectMethod|ClassMethod|ClassProperty|TSPropertySignature)$/.test(parent.type) &&
    parent.key === node &&
    parent.computed !== true
  )
}

function isShorthand(node: Node, { parentOf }: SyntaxIndex): boolean {
  const parent = parentOf(node)
  return (parent?.type === 'ObjectProperty' && parent.shorthand === true) || parent?.type === 'ExportSpecifier'
}

function isOtherBinding(node: Node, declarator: Node, { parentOf }: SyntaxIndex): boolean {
  const parent = parentOf(node)
  if (!parent || parent === declarator) return false
  if (parent.type === 'VariableDeclarator') return parent.id === node
  if (/Function|ClassMethod|ObjectMethod|CatchClause/.test(parent.type)) return parent.body !== node
  if (parent.type === 'AssignmentExpression' || parent.type === 'AssignmentPattern') return parent.left === node
  return /^(UpdateExpression|ArrayPattern|RestElement|Import\w*Specifier|ClassDeclaration)$/.test(parent.type)
}
