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
  walk(program, (node, parent) => {
    for (const [name, text] of namedTexts(node, parent)) {
      // A name with two values is ambiguous.
      texts.set(name, texts.has(name) && texts.get(name) !== text ? undefined : text)
    }
    for (const [name, imported] of importsOf(node)) imports.set(name, imported)
    if (node.type === 'ExportDefaultDeclaration') defaultExport = exportedName(node)
  })
  return {
    texts: new Map([...texts].flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))),
    imports,
    defaultExport
  }
}

type NamedText = readonly [name: string, text: string]

/** Returns the strings that a declaration names. */
function namedTexts(node: Node, parent: Node | undefined): readonly NamedText[] {
  if (node.type === 'VariableDeclarator' && parent?.kind === 'const') return declaredTexts(node)
  if (node.type === 'TSEnumDeclaration') return enumTexts(node)
  const exported = node.type === 'ExportDefaultDeclaration' ? exportedValue(node) : undefined
  return exported?.type === 'ObjectExpression' ? memberTexts('default', exported) : []
}

function declaredTexts(node: Node): readonly NamedText[] {
  const name = nameOf(nodeIn(node, 'id'))
  const init = nodeIn(node, 'init')
  if (name === undefined || !init) return []
  const value = unwrap(init)
  const text = textOf(value)
  if (text !== undefined) return [[name, text]]
  const object = frozenObject(value) ?? value
  return object.type === 'ObjectExpression' ? memberTexts(name, object) : []
}

/** Returns the object of `Object.freeze({ … })`. */
function frozenObject(value: Node): Node | undefined {
  const callee = value.type === 'CallExpression' ? nodeIn(value, 'callee') : undefined
  const isFrozen = callee && isMember(callee) && memberName(callee) === 'freeze'
  return isFrozen ? nodesIn(value, 'arguments')[0] : undefined
}

/** Returns the strings of an object and of nested objects: `FLAGS.checkout.key`. */
function memberTexts(prefix: string, object: Node): readonly NamedText[] {
  return nodesIn(object, 'properties').flatMap((property): readonly NamedText[] => {
    const [key, value] = [nodeIn(property, 'key'), nodeIn(property, 'value')]
    const name = property.computed === true ? undefined : nameOf(key)
    if (name === undefined || !value) return []
    const inner = unwrap(value)
    const text = textOf(inner)
    if (text !== undefined) return [[`${prefix}.${name}`, text]]
    return inner.type === 'ObjectExpression' ? memberTexts(`${prefix}.${name}`, inner) : []
  })
}

function enumTexts(node: Node): readonly NamedText[] {
  const name = nameOf(nodeIn(node, 'id'))
  return nodesIn(nodeIn(node, 'body') ?? node, 'members').flatMap((member): readonly NamedText[] => {
    const [id, init] = [nameOf(nodeIn(member, 'id')), nodeIn(member, 'initializer')]
    const text = init && textOf(init)
    return id === undefined || text === undefined ? [] : [[`${name}.${id}`, text]]
  })
}

function importsOf(node: Node): readonly (readonly [name: string, imported: Import])[] {
  if (node.type !== 'ImportDeclaration') return []
  const module = String(nodeIn(node, 'source')?.value)
  return nodesIn(node, 'specifiers').flatMap((specifier) => {
    const local = nameOf(nodeIn(specifier, 'local'))
    const isNamespace = specifier.type === 'ImportNamespaceSpecifier'
    const name = isNamespace ? '*' : (nameOf(nodeIn(specifier, 'imported')) ?? 'default')
    return local === undefined ? [] : [[local, { module, name }] as const]
  })
}

/** Returns the name of the declaration that a default export is; `default` for an object. */
function exportedName(node: Node): string | undefined {
  const value = exportedValue(node)
  return value?.type === 'ObjectExpression' ? 'default' : value && nameOf(value)
}

function exportedValue(node: Node): Node | undefined {
  const declaration = nodeIn(node, 'declaration')
  return declaration && unwrap(declaration)
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
