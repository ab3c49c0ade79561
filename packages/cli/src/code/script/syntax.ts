import { type ParserOptions, parse } from '@babel/parser'

/** A node of the syntax tree, in the form of Babel. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A parsed file of JavaScript or TypeScript. */
export interface Script {
  readonly text: string
  readonly program: Node
  /** The first syntax error that the parser passed over. */
  readonly problem?: string
}

/** Parses JavaScript or TypeScript. Components of Vue and Svelte are parsed by their scripts. @throws {SyntaxError} */
export function parseScript(text: string, file: string): Script {
  const code = isComponent(file) ? scriptsOf(text) : text
  const { program, errors } = parse(code, optionsFor(file))
  const [error] = errors ?? []
  // Nodes of Babel have these members.
  return { text: code, program: program as unknown as Node, ...(error && { problem: String(error.reasonCode) }) }
}

/** Whether a file is a component of Vue or Svelte, which has scripts between its markup. */
export function isComponent(file: string): boolean {
  return /\.(vue|svelte)$/.test(file)
}

/** The scripts of a component: the opening tag, and the body. */
export const SCRIPTS = /(<script\b[^>]*>)([\s\S]*?)<\/script>/g

function optionsFor(file: string): ParserOptions {
  const isTyped = /\.([mc]?ts|tsx|vue|svelte)$/.test(file)
  // In .ts, `<T>x` is a type assertion and not an element.
  const hasElements = !/\.[mc]?ts$/.test(file)
  return {
    sourceType: 'unambiguous',
    errorRecovery: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    plugins: [
      ...(isTyped ? ['typescript' as const] : []),
      ...(hasElements ? ['jsx' as const] : []),
      'decorators-legacy'
    ]
  }
}

/** Blanks everything but the scripts of a component; offsets stay. */
function scriptsOf(text: string): string {
  let code = ''
  for (const { 0: found, 1: open = '', 2: body = '', index } of text.matchAll(SCRIPTS)) {
    code += blank(text.slice(code.length, index + open.length)) + body
    code += blank(found.slice(open.length + body.length))
  }
  return code + blank(text.slice(code.length))
}

/** Replaces everything but line breaks by spaces. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Returns the child nodes, in the order of the members of the node. */
export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = []
  for (const name in node) {
    const value = node[name]
    if (typeof value !== 'object' || value === null || notSyntax.has(name)) continue
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) children.push(one)
    } else if (isNode(value)) children.push(value)
  }
  return children
}

/** Members of nodes that have no nodes of the tree. */
const notSyntax = new Set([
  'loc',
  'extra',
  'errors',
  'comments',
  'leadingComments',
  'trailingComments',
  'innerComments'
])

/** Calls `visit` with each node and its parent, from the outside to the inside. Trees can be deep. */
export function walk(root: Node, visit: (node: Node, parent: Node | undefined) => void): void {
  const stack: (readonly [node: Node, parent: Node | undefined])[] = [[root, undefined]]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [node, parent] = next
    visit(node, parent)
    const children = childrenOf(node)
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at]
      if (child) stack.push([child, node])
    }
  }
}

/** Removes parentheses and type assertions around an expression. */
export function unwrap(node: Node): Node {
  const inner = node.expression
  const isWrapper =
    /^(TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|TSTypeAssertion|ParenthesizedExpression|TypeCastExpression)$/
  return isWrapper.test(node.type) && isNode(inner) ? unwrap(inner) : node
}

/** Returns a member of a node that is a node. */
export function nodeIn(node: Node, member: string): Node | undefined {
  const value = node[member]
  return isNode(value) ? value : undefined
}

/** Returns a member of a node that is a list of nodes. */
export function nodesIn(node: Node, member: string): readonly Node[] {
  const value = node[member]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Returns the name of an identifier, or the text of a string. */
export function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier' || node?.type === 'JSXIdentifier') return String(node.name)
  return node?.type === 'StringLiteral' ? String(node.value) : undefined
}

/** Returns the name of a member access: `b` of `a.b` and of `a['b']`. */
export function memberName(node: Node): string | undefined {
  const property = nodeIn(node, 'property')
  return property && (node.computed !== true || property.type === 'StringLiteral') ? nameOf(property) : undefined
}

/** Whether a node is `a.b` or `a?.b`. */
export function isMember(node: Node): boolean {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
}

/** Whether a node is a call. */
export function isCall(node: Node): boolean {
  return node.type === 'CallExpression' || node.type === 'OptionalCallExpression'
}
