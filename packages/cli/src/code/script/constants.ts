import { posix } from 'node:path'
import { isMember, memberName, type Node, nameOf, nodeIn, nodesIn, type Script, unwrap, walk } from './syntax.ts'

/** The texts that a module names, by name (`KEY`, or `FLAGS.checkout`), and its imports. */
export interface ModuleConstants {
  readonly texts: ReadonlyMap<string, string>
  readonly imports: ReadonlyMap<string, Import>
  /** The name of the declaration that the default export is. */
  readonly defaultExport: string | undefined
}

interface Import {
  readonly module: string
  /** The imported name; `*` for all, `default` for the default. */
  readonly name: string
}

/** Collects the constants, enum members and members of objects whose value is a text. */
export function readConstants({ program }: Script): ModuleConstants {
  const texts = new Map<string, string | undefined>()
  const imports = new Map<string, Import>()
  let defaultExport: string | undefined
  // A name with two values is none.
  const add = (name: string, text: string) =>
    texts.set(name, texts.has(name) && texts.get(name) !== text ? undefined : text)
  walk(program, (node, parent) => {
    if (node.type === 'VariableDeclarator' && parent?.kind === 'const') addDeclaration(node)
    if (node.type === 'TSEnumDeclaration') addEnum(node)
    if (node.type === 'ImportDeclaration') addImports(node)
    if (node.type === 'ExportDefaultDeclaration') {
      const declaration = nodeIn(node, 'declaration')
      const value = declaration && unwrap(declaration)
      defaultExport = value && nameOf(value)
      if (value?.type === 'ObjectExpression') {
        defaultExport = 'default'
        addObject('default', value)
      }
    }
  })
  return {
    texts: new Map([...texts].flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))),
    imports,
    defaultExport
  }

  function addDeclaration(node: Node) {
    const name = nameOf(nodeIn(node, 'id'))
    const init = nodeIn(node, 'init')
    if (name === undefined || !init) return
    const value = unwrap(init)
    const text = textOf(value)
    if (text !== undefined) add(name, text)
    else if (value.type === 'ObjectExpression') addObject(name, value)
    // Object.freeze({ … })
    else if (value.type === 'CallExpression') {
      const callee = nodeIn(value, 'callee')
      const [first] = nodesIn(value, 'arguments')
      if (callee && isMember(callee) && memberName(callee) === 'freeze' && first?.type === 'ObjectExpression')
        addObject(name, first)
    }
  }

  function addObject(prefix: string, node: Node) {
    for (const property of nodesIn(node, 'properties')) {
      const [key, value] = [nodeIn(property, 'key'), nodeIn(property, 'value')]
      const name = property.computed === true ? undefined : nameOf(key)
      if (name === undefined || !value) continue
      const inner = unwrap(value)
      const text = textOf(inner)
      if (text !== undefined) add(`${prefix}.${name}`, text)
      else if (inner.type === 'ObjectExpression') addObject(`${prefix}.${name}`, inner)
    }
  }

  function addEnum(node: Node) {
    const name = nameOf(nodeIn(node, 'id'))
    const body = nodeIn(node, 'body')
    for (const member of nodesIn(body ?? node, 'members')) {
      const [id, init] = [nameOf(nodeIn(member, 'id')), nodeIn(member, 'initializer')]
      const text = init && textOf(init)
      if (id !== undefined && text !== undefined) add(`${name}.${id}`, text)
    }
  }

  function addImports(node: Node) {
    const module = String(nodeIn(node, 'source')?.value)
    for (const specifier of nodesIn(node, 'specifiers')) {
      const local = nameOf(nodeIn(specifier, 'local'))
      if (local === undefined) continue
      const name =
        specifier.type === 'ImportNamespaceSpecifier' ? '*' : (nameOf(nodeIn(specifier, 'imported')) ?? 'default')
      imports.set(local, { module, name })
    }
  }
}

/** Returns the text of a literal, or of a template without expressions. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value)
  if (node.type !== 'TemplateLiteral' || nodesIn(node, 'expressions').length > 0) return undefined
  const [quasi] = nodesIn(node, 'quasis')
  const value = quasi?.value
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : undefined
}

/** Returns the dotted name of an expression: `FLAGS.checkout`. */
export function dottedName(node: Node): string | undefined {
  const inner = unwrap(node)
  if (inner.type === 'Identifier') return nameOf(inner)
  if (inner.type === 'ThisExpression') return 'this'
  if (!isMember(inner)) return undefined
  const object = nodeIn(inner, 'object')
  const [left, right] = [object && dottedName(object), memberName(inner)]
  return left === undefined || right === undefined ? undefined : `${left}.${right}`
}

/** Returns the files that a relative import can mean. */
export function candidateFiles(importer: string, module: string): readonly string[] {
  const path = posix.join(posix.dirname(importer), module)
  const bare = path.replace(/\.[mc]?jsx?$/, '')
  const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']
  return [path, ...endings.map((ending) => `${bare}${ending}`), ...endings.map((ending) => `${path}/index${ending}`)]
}
