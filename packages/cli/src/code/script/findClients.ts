import { dottedName } from './constants.ts'
import { isSdk } from './readCalls.ts'
import { isCall, isMember, type Node, nameOf, nodeIn, nodesIn, type Script, unwrap, walk } from './syntax.ts'

/** Returns the names in a file that come from an SDK: its imports, and what is made of them. */
export function findClients({ program }: Script, declared: readonly string[]): ReadonlySet<string> {
  const names = new Set(declared)
  const assignments: (readonly [target: Node, value: Node])[] = []
  const typed: (readonly [name: string, prefix: string, annotation: Node])[] = []
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration' && isSdk(String(nodeIn(node, 'source')?.value))) {
      for (const specifier of nodesIn(node, 'specifiers')) addName(nodeIn(specifier, 'local'))
    }
    const [target, value] = [
      nodeIn(node, 'id') ?? nodeIn(node, 'left') ?? nodeIn(node, 'key'),
      nodeIn(node, 'init') ?? nodeIn(node, 'right') ?? nodeIn(node, 'value')
    ]
    const isAssignment = /^(VariableDeclarator|AssignmentExpression|ClassProperty|ClassPrivateProperty)$/
    if (target && value && isAssignment.test(node.type)) assignments.push([target, value])
    // const { OpenFeature } = require('@openfeature/server-sdk')
    if (node.type === 'VariableDeclarator' && value && isSdk(requiredModule(value) ?? '')) addPattern(target)
    // A parameter, variable or property whose type is of an SDK.
    const annotation = nodeIn(node, 'typeAnnotation')
    const name = annotation && (nameOf(node) ?? nameOf(nodeIn(node, 'key')))
    if (name !== undefined && annotation) typed.push([name, node.type === 'Identifier' ? '' : 'this.', annotation])
  })
  for (const [name, prefix, annotation] of typed) {
    walk(annotation, (node) => {
      if (node.type === 'Identifier' && names.has(String(node.name))) {
        names.add(`${prefix}${name}`)
        // A parameter of a constructor can be a property, too.
        names.add(`this.${name}`)
      }
    })
  }
  for (let before = -1; before < names.size; ) {
    before = names.size
    for (const [target, value] of assignments) if (isFromSdk(value, names)) addPattern(target)
  }
  return names

  function addName(node: Node | undefined) {
    const name = node && dottedName(node)
    if (name !== undefined) names.add(name)
  }

  function addPattern(node: Node | undefined) {
    if (node?.type === 'ObjectPattern') {
      for (const property of nodesIn(node, 'properties')) addName(nodeIn(property, 'value'))
    } else {
      addName(node)
      const name = nameOf(node)
      if (name !== undefined) names.add(`this.${name}`)
    }
  }
}

/** Whether an expression begins with a name of an SDK: `await OpenFeature.getClient('shop')`. */
export function isFromSdk(node: Node, names: ReadonlySet<string>): boolean {
  const inner = unwrap(node)
  const name = dottedName(inner)
  if (name !== undefined && names.has(name)) return true
  const next =
    inner.type === 'AwaitExpression'
      ? nodeIn(inner, 'argument')
      : isCall(inner) || inner.type === 'NewExpression'
        ? nodeIn(inner, 'callee')
        : isMember(inner)
          ? nodeIn(inner, 'object')
          : undefined
  return next !== undefined && isFromSdk(next, names)
}

function requiredModule(node: Node): string | undefined {
  const inner = unwrap(node)
  if (!isCall(inner) || nameOf(nodeIn(inner, 'callee')) !== 'require') return undefined
  return nameOf(nodesIn(inner, 'arguments')[0])
}
