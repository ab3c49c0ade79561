import { type Node, nameOf, unwrap, walk } from '../syntax.ts'

/** The parents and the names of the nodes of a program. */
export interface SyntaxIndex {
  readonly parentOf: (node: Node) => Node | undefined
  /** The closest ancestor that is neither a pair of parentheses nor a type assertion. */
  readonly outerOf: (node: Node) => Node | undefined
  /** Every identifier with a name: declarations, references and keys of members. */
  readonly named: (name: string) => readonly Node[]
}

/** Indexes the nodes of a program. */
export function indexSyntax(program: Node): SyntaxIndex {
  const parents = new Map<Node, Node | undefined>()
  const byName = new Map<string, Node[]>()
  walk(program, (node, parent) => {
    parents.set(node, parent)
    const name = nameOf(node)
    if (name === undefined || node.type === 'StringLiteral') return
    const named = byName.get(name)
    if (named) named.push(node)
    else byName.set(name, [node])
  })
  const parentOf = (node: Node) => parents.get(node)
  const outerOf = (node: Node): Node | undefined => {
    const parent = parentOf(node)
    return parent && unwrap(parent) !== parent ? outerOf(parent) : parent
  }
  return { parentOf, outerOf, named: (name) => byName.get(name) ?? [] }
}
