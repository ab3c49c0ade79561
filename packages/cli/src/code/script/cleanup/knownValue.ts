import { isCall, type Node, nameOf, nodeIn, nodesIn, unwrap } from '../syntax.ts'

/** A value of a variable, as JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [member: string]: Value }

/** A value in an object, since the value itself can be `null`. */
interface Found {
  readonly value: Value
}

/** Returns the value of an expression if the values of some nodes decide it. */
export function knownValue(node: Node, known: ReadonlyMap<Node, Value>): Found | undefined {
  const inner = unwrap(node)
  const own = known.get(node) ?? known.get(inner)
  if (own !== undefined || known.has(inner)) return { value: own ?? null }
  if (inner.type === 'UnaryExpression' && inner.operator === '!') {
    const found = valueOfMember(inner, 'argument', known)
    return found && { value: !found.value }
  }
  if (inner.type === 'LogicalExpression') return valueOfLogical(inner, known)
  if (inner.type === 'BinaryExpression') return valueOfComparison(inner, known)
  if (inner.type === 'ConditionalExpression') {
    const branch = keptBranch(inner, known)
    return branch && knownValue(branch, known)
  }
  if (isCall(inner) && nameOf(nodeIn(inner, 'callee')) === 'Boolean') {
    const [first] = nodesIn(inner, 'arguments')
    const found = first && knownValue(first, known)
    return found && { value: Boolean(found.value) }
  }
  return undefined
}

/** Returns the branch of an `if` or a conditional expression that remains, if its test is decided. */
export function keptBranch(node: Node, known: ReadonlyMap<Node, Value>): Node | undefined {
  const found = valueOfMember(node, 'test', known)
  return found && nodeIn(node, found.value ? 'consequent' : 'alternate')
}

/** Returns the value of a member of a node. */
export function valueOfMember(node: Node, member: string, known: ReadonlyMap<Node, Value>): Found | undefined {
  const operand = nodeIn(node, member)
  return operand && knownValue(operand, known)
}

function valueOfLogical(node: Node, known: ReadonlyMap<Node, Value>): Found | undefined {
  const left = valueOfMember(node, 'left', known)
  if (!left) return undefined
  const isDecided =
    node.operator === '&&' ? !left.value : node.operator === '||' ? Boolean(left.value) : left.value !== null
  return isDecided ? left : valueOfMember(node, 'right', known)
}

function valueOfComparison(node: Node, known: ReadonlyMap<Node, Value>): Found | undefined {
  if (!/^[!=]==?$/.test(String(node.operator))) return undefined
  const [left, right] = [valueOfMember(node, 'left', known), valueOfMember(node, 'right', known)]
  // A comparison of two literals is not ours.
  if (!left && !right) return undefined
  const one = left ?? literalOf(nodeIn(node, 'left'))
  const other = right ?? literalOf(nodeIn(node, 'right'))
  if (!one || !other) return undefined
  const isEqual = one.value === other.value
  return { value: String(node.operator).startsWith('!') ? !isEqual : isEqual }
}

function literalOf(node: Node | undefined): Found | undefined {
  const inner = node && unwrap(node)
  if (inner?.type === 'NullLiteral') return { value: null }
  if (!inner || !/^(String|Numeric|Boolean)Literal$/.test(inner.type)) return undefined
  const { value } = inner
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? { value } : undefined
}
